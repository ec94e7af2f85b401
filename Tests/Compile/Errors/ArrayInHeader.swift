// expect: requires that 'Array<Int>' conform to 'PathRepresentable'

import Endpoints

struct GetShirts: FlatRequest {
    let ids: [Int]

    #if WRONG
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts", headers: ["X-Ids": .field(path: \.ids)])
    #else
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts", parameters: [.query("id", path: \.ids)])
    #endif
    typealias Response = Void
}
