// expect: 'Bool' was the same type as 'MustBeStatic'

import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct GetShirt: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "shirt")
    typealias Response = Void
    #if WRONG
        func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool { data.isEmpty }
    #else
        static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool { data.isEmpty }
    #endif
}
