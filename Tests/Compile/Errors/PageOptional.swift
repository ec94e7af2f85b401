// expect: declare the page's property as an Int with its first number, as in `var page = 1`

import Endpoints
import EndpointsStreams

struct ListShirts: FlatRequest, PagedRequest {
    #if WRONG
        var page: Int?
    #else
        var page = 1
    #endif
    static let endpoint = Endpoint<ListShirts>(
        method: .get, path: "shirts", parameters: [.query("page", path: \.page)])
    static let paging = Paging<ListShirts>.page(\.page)
    typealias Response = [String]
}
