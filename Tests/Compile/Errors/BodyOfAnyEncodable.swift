// expect: type 'any Encodable' cannot conform to 'Encodable'

import Endpoints

struct AddShirt: FlatRequest {
    #if WRONG
        let body: [String: any Encodable]
    #else
        let body: [String: Int]
    #endif
    static let endpoint = Endpoint<Self>(method: .post, path: "shirts")
    typealias Response = Void
}
