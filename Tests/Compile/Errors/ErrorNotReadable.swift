// expect: 'GetShirt.ErrorResponse' (aka 'ShopError') does not conform to 'Decodable'

import Endpoints

#if WRONG
    struct ShopError { let message: String }
#else
    struct ShopError: Decodable { let message: String }
#endif

struct GetShirt: RequestType {
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    typealias Response = Void
    typealias ErrorResponse = ShopError
}
