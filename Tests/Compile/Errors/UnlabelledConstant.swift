// expect: write .queryValue(name, value: constant)

import Endpoints

struct ListShirts: FlatRequest {
    #if WRONG
        static let endpoint = Endpoint<ListShirts>(
            method: .post, path: "shirts", parameters: [.query("v", 3)])
    #else
        static let endpoint = Endpoint<ListShirts>(
            method: .post, path: "shirts", parameters: [.queryValue("v", value: 3)])
    #endif
    typealias Response = Void
}
