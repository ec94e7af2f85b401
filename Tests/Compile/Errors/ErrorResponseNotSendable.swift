// expect: does not conform to the 'Sendable' protocol

import Endpoints

#if WRONG
    class ShopError: Decodable {}
#else
    struct ShopError: Decodable {}
#endif

struct GetShirt: RequestType {
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    typealias Response = Void
    typealias ErrorResponse = ShopError
}
