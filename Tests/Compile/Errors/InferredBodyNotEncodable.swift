// expect: requires that 'Shirt' conform to 'Encodable'

import Endpoints

#if WRONG
    struct Shirt { let color: Int }
#else
    struct Shirt: Encodable { let color: Int }
#endif

struct AddShirt: RequestType {
    static let endpoint = Endpoint<AddShirt>(method: .post, path: "shirts")
    typealias Response = Void
    let body: Shirt
}
