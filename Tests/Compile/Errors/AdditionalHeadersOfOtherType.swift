// expect: '[(String, String)]' conformed to 'HeaderFields'

import Endpoints

struct GetShirts: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "shirts")
    typealias Response = Void
    #if WRONG
        var additionalHeaders: [(String, String)] { [("X-Trace", "1")] }
    #else
        var additionalHeaders: [String: String] { ["X-Trace": "1"] }
    #endif
}
