// expect: conformed to 'QueryItems'

import Endpoints
import Foundation

struct GetShirts: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "shirts")
    typealias Response = Void
    #if WRONG
        var additionalQueryItems: [URLQueryItem]? { nil }
    #else
        var additionalQueryItems: [URLQueryItem] { [] }
    #endif
}
