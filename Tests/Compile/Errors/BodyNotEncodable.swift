// expect: requires that 'AddShirt.Body' (aka 'Shirt') conform to 'Encodable'

import Endpoints

#if WRONG
    struct Shirt { let color: Int }
#else
    struct Shirt: Encodable { let color: Int }
#endif

struct AddShirt: RequestType {
    static let endpoint = Endpoint<AddShirt>(method: .post, path: "shirts")
    typealias Response = Void
    typealias Body = Shirt
    let body: Shirt
}
