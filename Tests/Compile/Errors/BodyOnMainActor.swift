// expect: main actor-isolated conformance of 'Shirt' to 'Encodable' cannot satisfy
// settings: -default-isolation MainActor

import Endpoints

#if WRONG
    struct Shirt: Encodable { let size: String }
#else
    nonisolated struct Shirt: Encodable { let size: String }
#endif

struct AddShirt: FlatRequest {
    let body: Shirt

    static let endpoint = Endpoint<Self>(method: .post, path: "shirts")
    typealias Response = Void
}
