// expect: value of tuple type '()' has no member 'page'

import Endpoints

#if WRONG
    protocol ShopRequest: RequestType {}
#else
    protocol ShopRequest: FlatRequest {}
#endif

struct GetShirts: ShopRequest {
    let page: Int

    static let endpoint = Endpoint<GetShirts>(
        method: .get, path: "shirts", headers: ["X-Page": .field(path: \.page)])
    typealias Response = Void
}
