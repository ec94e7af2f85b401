// expect: write .formValue(name, value: constant)

import Endpoints

struct ListShirts: FlatRequest {
    #if WRONG
        static let endpoint = Endpoint<ListShirts>(
            method: .post, path: "shirts", parameters: [.form("v", value: "a")])
    #else
        static let endpoint = Endpoint<ListShirts>(
            method: .post, path: "shirts", parameters: [.formValue("v", value: "a")])
    #endif
    typealias Response = Void
}
