// expect: 'ShopRequest' requires the types 'Pay.ErrorResponse' (aka 'PayError') and

import Endpoints

struct ShopError: Decodable { let message: String }
struct PayError: Decodable { let code: Int }

#if WRONG
    protocol ShopRequest: FlatRequest where ErrorResponse == ShopError {}
    struct Pay: ShopRequest {
        static let endpoint = Endpoint<Pay>(method: .post, path: "pay")
        typealias Response = Void
        typealias ErrorResponse = PayError
    }
#else
    protocol AnyShopRequest: FlatRequest {}
    protocol ShopRequest: AnyShopRequest where ErrorResponse == ShopError {}
    struct Pay: AnyShopRequest {
        static let endpoint = Endpoint<Pay>(method: .post, path: "pay")
        typealias Response = Void
        typealias ErrorResponse = PayError
    }
#endif
