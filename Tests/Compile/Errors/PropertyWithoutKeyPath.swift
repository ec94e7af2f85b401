// expect: cannot use instance member 'id' within property initializer

import Endpoints

struct GetShirt: FlatRequest {
    let id: Int

    #if WRONG
        static let endpoint = Endpoint<Self>(method: .get, path: "shirts/\(id)")
    #else
        static let endpoint = Endpoint<Self>(method: .get, path: "shirts/\(path: \.id)")
    #endif
    typealias Response = Void
}
