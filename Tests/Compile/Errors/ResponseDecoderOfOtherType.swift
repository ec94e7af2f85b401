// expect: 'JSONDecoder?' conformed to 'DecoderType'

import Endpoints
import Foundation

struct GetShirts: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "shirts")
    typealias Response = [Int]
    #if WRONG
        static var responseDecoder: JSONDecoder? { JSONDecoder() }
    #else
        static var responseDecoder: JSONDecoder { JSONDecoder() }
    #endif
}
