// expect: to expected dictionary value type 'HeaderField<GetShirt>'

import Endpoints

struct GetShirt: FlatRequest {
    let token: String

    #if WRONG
        static let endpoint = Endpoint<Self>(
            method: .get, path: "shirt", headers: ["X-Token": \.token])
    #else
        static let endpoint = Endpoint<Self>(
            method: .get, path: "shirt", headers: ["X-Token": .field(path: \.token)])
    #endif
    typealias Response = Void
}
