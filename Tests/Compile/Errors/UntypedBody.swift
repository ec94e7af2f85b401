// expect: declare the body as an Encodable struct, or as a dictionary of one type

import Endpoints

struct AddShirt: FlatRequest {
    #if WRONG
        let body: [String: Any]
    #else
        let body: [String: String]
    #endif
    static let endpoint = Endpoint<Self>(method: .post, path: "shirts")
    typealias Response = Void
}
