// expect: 'JSONDecoder' was the same type as 'MustBeStatic'

import Endpoints
import Foundation

struct Shirt: Decodable { let color: Int }

struct GetShirt: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "shirt")
    typealias Response = Shirt
    #if WRONG
        let responseDecoder = JSONDecoder()
    #else
        static let responseDecoder = JSONDecoder()
    #endif
}
