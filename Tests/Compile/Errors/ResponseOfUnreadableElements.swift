// expect: make the Response Decodable

import Endpoints

#if WRONG
    struct Shirt { let color: Int }
#else
    struct Shirt: Decodable { let color: Int }
#endif

struct ListShirts: RequestType {
    static let endpoint = Endpoint<ListShirts>(method: .get, path: "shirts")
    typealias Response = [Shirt]
}
