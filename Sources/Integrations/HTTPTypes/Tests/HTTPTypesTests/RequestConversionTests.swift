import EndpointsHTTPTypes
import Foundation
import HTTPTypes
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request, and what its head says.
struct RequestRow: Sendable {
    var method = "GET"
    var url = "https://api.example.com/users"
    var headers: [String: String] = [:]
    /// The method, scheme, authority and path, and the fields; `nil` if there is no head.
    let head: [String]?

    var urlRequest: URLRequest? {
        URL(string: url).map {
            var request = URLRequest(url: $0)
            request.httpMethod = method
            request.allHTTPHeaderFields = headers
            return request
        }
    }
}

private let api = "api.example.com"

@Suite("Requests as those of swift-http-types")
struct RequestConversionTests {
    static let rows = [
        RequestRow(head: ["GET", "https", api, "/users"]),
        RequestRow(url: "https://\(api)", head: ["GET", "https", api, "/"]),
        RequestRow(
            method: "PURGE", url: "http://\(api):8080/a%2Fb/%C3%A9?q=a+b%26c&q=#part",
            head: ["PURGE", "http", "\(api):8080", "/a%2Fb/%C3%A9?q=a+b%26c&q="]),
        RequestRow(url: "http://[::1]:80/", head: ["GET", "http", "[::1]:80", "/"]),
        RequestRow(
            headers: ["X-Name": "Zoë, 日本", "Accept": "text/plain"],
            head: ["GET", "https", api, "/users", "Accept: text/plain", "X-Name: Zoë, 日本"]),
        RequestRow(headers: ["X-Empty": ""], head: ["GET", "https", api, "/users", "X-Empty: "]),
        RequestRow(method: "A B", head: nil),
        RequestRow(url: "/users", head: nil),
        RequestRow(url: "//\(api)/users", head: nil),
        RequestRow(url: "mailto:a@b.c", head: nil),
        RequestRow(headers: ["X Name": "a"], head: nil),
        RequestRow(headers: ["X-Name": "a\nb"], head: nil),
    ]

    @Test("A URLRequest has its method, URL and fields as a head", arguments: rows)
    func head(_ row: RequestRow) throws {
        let urlRequest = try #require(row.urlRequest)
        #expect(HTTPRequest(urlRequest).map(Self.texts) == row.head)
    }

    @Test(
        "A head becomes the URLRequest that it was made of",
        arguments: rows.filter { $0.head != nil })
    func again(_ row: RequestRow) throws {
        let urlRequest = try #require(row.urlRequest)
        let head = try #require(HTTPRequest(urlRequest))
        let again = try #require(URLRequest(head))
        #expect(again.httpMethod == urlRequest.httpMethod)
        #expect(again.allHTTPHeaderFields == urlRequest.allHTTPHeaderFields)
        #expect(HTTPRequest(again).map(Self.texts) == row.head)
    }

    @Test("Fields of one name become one value")
    func combined() throws {
        var head = HTTPRequest(method: .get, scheme: "https", authority: api, path: "/")
        head.headerFields = [.accept: "a/b", .cookie: "x=1", .accept: "c/d", .cookie: "y=2"]
        let fields = try #require(URLRequest(head)?.allHTTPHeaderFields)
        #expect(fields == ["Accept": "a/b, c/d", "Cookie": "x=1; y=2"])
    }

    @Test(
        "A head without a URL is no URLRequest",
        arguments: [
            HTTPRequest(method: .get, scheme: nil, authority: api, path: "/"),
            HTTPRequest(method: .get, scheme: "https", authority: nil, path: "/"),
            HTTPRequest(method: .connect, scheme: "https", authority: api, path: "/"),
            HTTPRequest(method: .options, scheme: "https", authority: api, path: "*"),
        ])
    func noURL(_ head: HTTPRequest) {
        #expect(URLRequest(head) == nil)
    }

    private static func texts(_ head: HTTPRequest) -> [String] {
        [head.method.rawValue, head.scheme ?? "-", head.authority ?? "-", head.path ?? "-"]
            + head.headerFields.map { "\($0.name.rawName): \($0.value)" }
    }
}
