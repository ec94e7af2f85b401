// expect: generic parameter 'Request' could not be inferred

import Endpoints

struct GetShirt: FlatRequest {
    let id: Int

    #if WRONG
        static let endpoint = Endpoint(
            method: .get, path: "shirts/\(path: \.id)", parameters: [.query("size", path: \.id)])
    #else
        static let endpoint = Endpoint<Self>(
            method: .get, path: "shirts/\(path: \.id)", parameters: [.query("size", path: \.id)])
    #endif
    typealias Response = Void
}
