// expect: declare a responseDecoder of one type, not `any DecoderType`

import Endpoints
import Foundation

struct GetShirt: RequestType {
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    typealias Response = [Int]

    #if WRONG
        static var responseDecoder: any DecoderType { JSONDecoder() }
    #else
        static var responseDecoder: JSONDecoder { JSONDecoder() }
    #endif
}
