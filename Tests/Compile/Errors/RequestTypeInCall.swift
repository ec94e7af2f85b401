// expect: type 'GetShirt.Type' cannot conform to 'RequestType'

import Endpoints

struct GetShirt: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "shirt")
    typealias Response = Void
}

func load(_ api: EndpointClient<ServerEnvironment>) async throws {
    #if WRONG
        try await api(GetShirt.self)
    #else
        try await api(GetShirt())
    #endif
}
