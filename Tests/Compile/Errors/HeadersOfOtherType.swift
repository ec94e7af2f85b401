// expect: conform to 'HeaderFields'

import Endpoints

struct GetShirts: FlatRequest {
    #if WRONG
        let extra: [(String, String)]
    #else
        let extra: [String: String]
    #endif
    static let endpoint = Endpoint<Self>(
        method: .get, path: "shirts", headers: HeaderList([.accept: "a/b"], contentsOf: \.extra))
    typealias Response = Void
}
