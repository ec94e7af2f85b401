// expect: found candidate with type 'KeyPath<GetShirts, String>'

import Endpoints
import Foundation

struct GetShirts: FlatRequest {
    let size: String
    let since: Date

    #if WRONG
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts",
            parameters: [.query("since", path: \.size, format: .iso8601.year().month().day())])
    #else
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts",
            parameters: [.query("since", path: \.since, format: .iso8601.year().month().day())])
    #endif
    typealias Response = Void
}
