import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The forms of a request: nested or flat, struct or class, generic, or of a shared protocol.
@Suite struct RequestShapeTests {
    struct ServerError: Decodable, Sendable { let message: String }

    protocol APIRequest: RequestType where ErrorResponse == ServerError {
        var version: Int { get }
    }

    struct Nested: APIRequest {
        typealias Response = Void
        static let endpoint = Endpoint<Nested>(
            method: .post, path: "users/\(path: \.id)/\(path: \.part)",
            parameters: [.query("page", path: \.page), .form("q", path: \.q)],
            headers: ["X-Type": .field(path: \.type)])
        struct PathComponents {
            let id: Int
            var part: String?
        }
        let pathComponents: PathComponents
        struct Parameters {
            var page: Int?
            let q: String
        }
        let parameters: Parameters
        struct HeaderValues { let type: String }
        let headerValues: HeaderValues
    }

    @Test("A nested request reads each value from its own struct")
    func nested() throws {
        let request = try Nested(
            pathComponents: .init(id: 4), parameters: .init(page: 2, q: "a b"),
            headerValues: .init(type: "t")
        ).urlRequest(in: .production)
        #expect(request.url?.absoluteString == "https://api.example.com/v1/users/4?page=2")
        #expect(request.httpBody == Data("q=a+b".utf8))
        #expect(
            request.allHTTPHeaderFields == [
                "Accept": "application/json", "X-Type": "t", "X-Version": "3",
                "Content-Type": "application/x-www-form-urlencoded",
            ])
    }

    final class Order: FlatRequest {
        typealias Response = Void
        static let endpoint = Endpoint<Order>(
            method: .put, path: "orders/\(path: \.id)",
            parameters: [.query("open", path: \.isOpen), .query("x", path: \.note)],
            headers: ["X-Note": .field(path: \.note)])
        let id: UUID
        var isOpen = true
        var note: String?
        var body: [Int] { [id.uuidString.count] }
        init(id: UUID) { self.id = id }
    }

    @Test("A final class can be a request, and is read when the URLRequest is made")
    func finalClass() throws {
        let order = Order(
            id: try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")))
        let url = "https://api.example.com/v1/orders/E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        let first = try order.urlRequest(in: .production)
        #expect(first.url?.absoluteString == url + "?open=true")
        #expect(first.httpBody == Data("[36]".utf8))
        order.isOpen = false
        order.note = "é"
        let second = try order.urlRequest(in: .production)
        #expect(second.url?.absoluteString == url + "?open=false&x=%C3%A9")
        #expect(second.value(forHTTPHeaderField: "X-Note") == "é")
    }

    struct Page<Item: Decodable>: RequestType {
        typealias Response = [Item]
        static var endpoint: Endpoint<Self> {
            .once(
                Endpoint(
                    method: .get, path: "\(path: \.name)",
                    parameters: [.query("page", path: \.page)]))
        }
        struct PathComponents { let name: String }
        let pathComponents: PathComponents
        struct Parameters { let page: Int }
        let parameters: Parameters
    }

    struct Wrapper<Value: PathRepresentable>: FlatRequest {
        typealias Response = Void
        static var endpoint: Endpoint<Self> {
            Endpoint(
                method: .get, path: "w/\(path: \.value)", parameters: [.query("v", path: \.value)])
        }
        let value: Value
    }

    @Test("A generic request is one request type for each type it stands for")
    func generic() throws {
        let users = Page<String>(pathComponents: .init(name: "users"), parameters: .init(page: 1))
        let request = try users.urlRequest(in: .production)
        #expect(request.url?.absoluteString == "https://api.example.com/v1/users?page=1")
        #expect(request.allHTTPHeaderFields == ["Accept": "application/json"])
        let again = Page<Int>(pathComponents: .init(name: ""), parameters: .init(page: 1))
        let error = #expect(throws: EndpointError.self) { try again.urlRequest(in: .production) }
        #expect(error?.requestType == "Page<Int>")
        #expect(try url(of: Wrapper(value: "a/b")) == "https://api.example.com/v1/w/a%2Fb?v=a/b")
        #expect(try url(of: Wrapper(value: 2.5)) == "https://api.example.com/v1/w/2.5?v=2.5")
        #expect(try url(of: Wrapper(value: Int?.none)) == "https://api.example.com/v1/w")
    }

    private func url<Value>(of request: Wrapper<Value>) throws -> String? {
        try request.urlRequest(in: .production).url?.absoluteString
    }

    @Test("Headers of a property replace declared ones, whatever the case of their names")
    func houseProtocol() throws {
        struct Own: APIRequest, FlatRequest {
            typealias Response = Void
            static let endpoint = Endpoint<Own>(

                method: .get, path: "o",
                headers: HeaderList(
                    ["x-version": .fieldValue(value: "declared")], contentsOf: \.versionHeaders))
            var version: Int { 4 }
        }
        let own = try Own().urlRequest(in: .production)
        #expect(own.allHTTPHeaderFields == ["Accept": "application/json", "x-version": "4"])
        #expect(Own.TaskError.self == EndpointTaskError<ServerError>.self)
    }

    struct GitHub: EnvironmentType {
        let baseUrl: URL
        static let production = GitHub(baseUrl: URL(fileURLWithPath: "/"))
        static func at(_ address: String) throws -> GitHub {
            GitHub(baseUrl: try #require(URL(string: address)))
        }
    }

    struct Repos: FlatRequest {
        typealias Environment = GitHub
        typealias Response = Void
        static let endpoint = Endpoint<Repos>(method: .get, path: "users/\(path: \.user)/repos")
        let user: String
    }

    @Test("A second server can be an environment type with a .production of its own")
    func twoEnvironments() throws {
        let repos = Repos(user: "zac")
        let request = try repos.urlRequest(in: .at("https://api.github.com"))
        #expect(request.url?.absoluteString == "https://api.github.com/users/zac/repos")
        let error = #expect(throws: EndpointError.self) { try repos.urlRequest(in: .production) }
        #expect(error?.field == .baseUrl)
        #expect(GitHub.production.requestProcessor == nil)
    }

    @Test("A request goes to the environment that it is made for")
    func productionAndStaging() throws {
        let probe = Probe()
        let production = try probe.urlRequest(in: .production).url?.absoluteString
        let staging = try probe.urlRequest(in: .staging).url?.absoluteString
        #expect(production == "https://api.example.com/v1/probe")
        #expect(staging == "https://staging.example.com:8443/probe")
    }
}

extension RequestShapeTests.APIRequest {
    var version: Int { 3 }
    var versionHeaders: [Headers: String] { ["X-Version": "\(version)"] }
    var commonHeaders: [Headers: String] { versionHeaders }
}
