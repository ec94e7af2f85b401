// expect: write .part(name, path: \.property)

import Endpoints

struct ListShirts: FlatRequest {
    let page: Int

    #if WRONG
        static let endpoint = Endpoint<ListShirts>(
            method: .post, path: "shirts", parameters: [.part("page", \.page)])
    #else
        static let endpoint = Endpoint<ListShirts>(
            method: .post, path: "shirts", parameters: [.part("page", path: \.page)])
    #endif
    typealias Response = Void
}
