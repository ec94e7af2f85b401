// expect: write .query(name, path: \.property)

import Endpoints

struct ListShirts: FlatRequest {
    let page: Int

    #if WRONG
        static let endpoint = Endpoint<ListShirts>(
            method: .post, path: "shirts", parameters: [.query("page", \.page)])
    #else
        static let endpoint = Endpoint<ListShirts>(
            method: .post, path: "shirts", parameters: [.query("page", path: \.page)])
    #endif
    typealias Response = Void
}
