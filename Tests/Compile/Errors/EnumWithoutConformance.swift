// expect: requires that 'Sort' conform to 'ParameterRepresentable'

import Endpoints

#if WRONG
    enum Sort: String { case newest, oldest }
#else
    enum Sort: String, PathRepresentable { case newest, oldest }
#endif

struct GetShirts: FlatRequest {
    let sort: Sort?

    static let endpoint = Endpoint<GetShirts>(
        method: .get, path: "shirts", parameters: [.query("sort", path: \.sort)])
    typealias Response = Void
}
