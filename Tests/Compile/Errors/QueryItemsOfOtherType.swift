// expect: conform to 'QueryItems'

import Endpoints
import Foundation

struct GetShirts: FlatRequest {
    #if WRONG
        let filters: [URLQueryItem]?
    #else
        let filters: [URLQueryItem]
    #endif
    static let endpoint = Endpoint<Self>(
        method: .get, path: "shirts", parameters: [.query(contentsOf: \.filters)])
    typealias Response = Void
}
