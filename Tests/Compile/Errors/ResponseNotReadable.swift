// expect: make the Response Decodable

import Endpoints

#if WRONG
    struct Shirt { let color: Int }
#else
    struct Shirt: Decodable { let color: Int }
#endif

struct GetShirt: RequestType {
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    typealias Response = Shirt
}
