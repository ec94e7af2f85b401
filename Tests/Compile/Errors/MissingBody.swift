// expect: protocol requires property 'body' with type 'AddShirt.Body'

import Endpoints

struct AddShirt: RequestType {
    static let endpoint = Endpoint<AddShirt>(method: .post, path: "shirts")
    typealias Response = Void
    struct Body: Encodable { let color: Int }

    #if !WRONG
        let body: Body
    #endif
}
