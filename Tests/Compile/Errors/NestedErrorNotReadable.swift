// expect: protocol requires nested type 'ErrorResponse'

import Endpoints

struct GetShirt: RequestType {
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    typealias Response = Void

    #if WRONG
        struct ErrorResponse { let message: String }
    #else
        struct ErrorResponse: Decodable { let message: String }
    #endif
}
