// expect: '[(String, String)]' conformed to 'HeaderFields'

import Endpoints
import Foundation

struct Shop: EnvironmentType {
    let baseUrl: URL
    #if WRONG
        var headers: [(String, String)] { [("X-Trace", "1")] }
    #else
        var headers: [String: String] { ["X-Trace": "1"] }
    #endif
}
