// expect: declare the offset's property with `var`

import Endpoints
import EndpointsStreams

struct ListShirts: FlatRequest, PagedRequest {
    #if WRONG
        let offset: Int
    #else
        var offset: Int
    #endif
    static let endpoint = Endpoint<ListShirts>(
        method: .get, path: "shirts", parameters: [.query("offset", path: \.offset)])
    static let paging = Paging<ListShirts>.offset(\.offset)
    typealias Response = [String]
}
