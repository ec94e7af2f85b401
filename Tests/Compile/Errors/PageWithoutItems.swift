// expect: write `static func items(in response: Response) -> [Item]`

import Endpoints
import EndpointsStreams

struct Page: Decodable { let shirts: [Int] }

struct ListShirts: FlatRequest, PagedRequest {
    static let endpoint = Endpoint<ListShirts>(method: .get, path: "shirts")
    static let paging = Paging<ListShirts>.link()
    typealias Response = Page

    #if !WRONG
        static func items(in response: Page) -> [Int] { response.shirts }
    #endif
}
