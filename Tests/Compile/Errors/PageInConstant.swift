// expect: declare the page's property with `var`

import Endpoints
import EndpointsStreams

struct ListShirts: FlatRequest, PagedRequest {
    #if WRONG
        let page: Int
    #else
        var page: Int
    #endif
    static let endpoint = Endpoint<ListShirts>(
        method: .get, path: "shirts", parameters: [.query("page", path: \.page)])
    static let paging = Paging<ListShirts>.page(\.page)
    typealias Response = [String]
}
