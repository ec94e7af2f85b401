// expect: value of type 'GetShirts' has no member 'pgae'

import Endpoints

struct GetShirts: FlatRequest {
    let color: Int
    let size: String?
    let page: Int
    let tags: [String]
    let isNew: Bool

    #if WRONG
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts",
            parameters: [
                .query("color", path: \.color), .query("size", path: \.size),
                .query("page", path: \.pgae), .query("tags", path: \.tags),
                .query("new", path: \.isNew),
            ])
    #else
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts",
            parameters: [
                .query("color", path: \.color), .query("size", path: \.size),
                .query("page", path: \.page), .query("tags", path: \.tags),
                .query("new", path: \.isNew),
            ])
    #endif
    typealias Response = Void
}
