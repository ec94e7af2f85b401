// expect: main actor-isolated static property 'shop'
// settings: -default-isolation MainActor

import Endpoints
import Foundation

#if WRONG
    extension JSONDecoder {
        static let shop = JSONDecoder()
    }
#else
    nonisolated extension JSONDecoder {
        static let shop = JSONDecoder()
    }
#endif

struct GetShirt: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "shirt")
    typealias Response = Int
    static var responseDecoder: JSONDecoder { .shop }
}
