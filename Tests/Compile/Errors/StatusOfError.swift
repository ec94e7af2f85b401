// expect: has no member 'statusCode'

import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct GetShirt: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "shirt")
    typealias Response = Void
}

func isThere(_ api: EndpointClient<ServerEnvironment>) async -> Bool {
    do {
        try await api(GetShirt())
    } catch {
        #if WRONG
            return error.statusCode != 404
        #else
            return error.httpResponse?.statusCode != 404
        #endif
    }
    return true
}
