// expect: conformed to 'HeaderFields'

import Endpoints

protocol ShopRequest: RequestType {}

extension ShopRequest {
    #if WRONG
        var commonHeaders: [String: String]? { ["X-Trace": "1"] }
    #else
        var commonHeaders: [String: String] { ["X-Trace": "1"] }
    #endif
}

struct GetShirts: ShopRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "shirts")
    typealias Response = Void
}
