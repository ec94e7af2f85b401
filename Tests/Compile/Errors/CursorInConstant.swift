// expect: declare the cursor's property with `var`

import Endpoints
import EndpointsStreams

struct ListShirts: FlatRequest, PagedRequest {
    #if WRONG
        let cursor: String?
    #else
        var cursor: String?
    #endif
    static let endpoint = Endpoint<ListShirts>(
        method: .get, path: "shirts", parameters: [.query("cursor", path: \.cursor)])
    static let paging = Paging<ListShirts>.cursor(\.cursor) { $0.first }
    typealias Response = [String]
}
