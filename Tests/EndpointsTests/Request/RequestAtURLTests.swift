import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A request at a URL that a server has named")
struct RequestAtURLTests {
    struct Upload: FlatRequest {
        let id: Int
        let key: Credentials
        let body: Data
        static let endpoint = Endpoint<Upload>(
            method: .put, path: "files/\(path: \.id)",
            headers: [
                .authorization: .fieldValue(value: Credentials.bearer("t0k3n")),
                "X-Key": .field(path: \.key), "X-Token": .fieldValue(value: "s3cr3t"),
                .cookie: .fieldValue(value: "a=b"), .userAgent: .fieldValue(value: "tool"),
            ])
        static let loadPolicy = LoadPolicy(sensitiveHeaders: ["X-Token"])
        typealias Response = Void
    }

    static let server = ServerEnvironment(baseUrl: url("https://api.example.com/v1")) { request in
        request.setValue("signature", forHTTPHeaderField: "X-Signature")
    }

    static let upload = Upload(id: 7, key: .bearer("k3y"), body: Data("x".utf8))

    static let addresses: [(String, String?)] = [
        ("https://api.example.com/other?a=b", "https://api.example.com/other?a=b"),
        ("HTTPS://API.example.com:443/x", "HTTPS://API.example.com:443/x"),
        ("?page=2", "https://api.example.com/v1/files/7?page=2"),
        ("/x", "https://api.example.com/x"),
        ("8", "https://api.example.com/v1/files/8"),
        ("//api.example.com/y", "https://api.example.com/y"),
        ("ftp://api.example.com/x", nil), ("https:///x", nil), ("mailto:a@b.example", nil),
        ("https://user:pw@api.example.com/x", nil), ("https://u@other.example/", nil),
        ("https://api.example.com:99999/", nil), ("http://api.example.com/x", nil),
    ]

    @Test(
        "A server's URL replaces the request's own, or is refused if no client should follow it",
        arguments: addresses)
    func address(row: (address: String, expected: String?)) throws {
        let address = try #require(URL(string: row.address))
        let request = try? Self.upload.urlRequest(in: Self.server, at: address)
        #expect(request?.url?.absoluteString == row.expected)
    }

    @Test("A request at another URL of its server is the same, and its environment signs it")
    func sameOrigin() throws {
        let request = try Self.upload.urlRequest(
            in: Self.server, at: url("https://api.example.com/x"))
        var own = try Self.upload.urlRequest(in: Self.server)
        own.url = request.url
        #expect(request == own)
        #expect(request.httpBody == Data("x".utf8) && request.httpMethod == "PUT")
        #expect(request.value(forHTTPHeaderField: "X-Signature") == "signature")
    }

    @Test(
        "A request at a URL of another origin has no credentials, and its environment doesn't sign it",
        arguments: [
            "https://other.example/x", "https://api.example.com:8443/x",
            "https://api.example.com.evil.example/",
        ])
    func otherOrigin(address: String) throws {
        let request = try Self.upload.urlRequest(in: Self.server, at: url(address))
        #expect(request.url?.absoluteString == address)
        #expect(request.httpBody == Data("x".utf8) && request.httpMethod == "PUT")
        #expect(
            request.allHTTPHeaderFields == [
                "User-Agent": "tool", "Content-Type": "application/octet-stream",
            ])
    }

    struct Bound: FlatRequest {
        static let endpoint = Endpoint<Bound>(method: .get, path: "a")
        static let loadPolicy = LoadPolicy(redirects: .followSameOrigin)
        typealias Response = Void
    }

    struct Insecure: FlatRequest {
        static let endpoint = Endpoint<Insecure>(method: .get, path: "a")
        static let loadPolicy = LoadPolicy(allowsInsecureRedirects: true)
        typealias Response = Void
    }

    @Test("A URL of another origin is refused if the policy doesn't follow redirects there")
    func refused() throws {
        let error = #expect(throws: EndpointError.self) {
            try Bound().urlRequest(in: Self.server, at: url("https://other.example/s3cr3t"))
        }
        #expect(
            error?.description
                == "Bound: the URL to be loaded has another origin than the environment, and the load policy "
                + "forbids that; use a URL of the environment, or set the policy's redirects to "
                + ".follow")
        #expect(throws: Never.self) {
            try Bound().urlRequest(in: Self.server, at: url("https://api.example.com/b"))
        }
    }

    @Test("A URL without encryption is refused unless the policy allows insecure redirects")
    func insecure() throws {
        let insecure = url("http://api.example.com/x")
        #expect(throws: EndpointError.self) {
            try Self.upload.urlRequest(in: Self.server, at: insecure)
        }
        #expect(try Insecure().urlRequest(in: Self.server, at: insecure).url == insecure)
    }

    @Test("An EndpointClient loads a request at a URL, with its type's decoding")
    func client() async throws {
        let stub = ClosureTransport { request in
            #expect(request.urlRequest.url?.absoluteString == "https://api.example.com/v1/users/9")
            return try .stub(200, [:], #"{"id": 9, "name": "Ann"}"#)
        }
        let api = EndpointClient(stub, in: .production)
        let user = try await api.response(
            to: TransportTests.GetUser(id: 7), at: url("/v1/users/9"))
        #expect(user.id == 9)
        let bound = EndpointClient(stub, in: Self.server)
        await #expect(throws: Bound.TaskError.self) {
            try await bound.response(to: Bound(), at: url("https://other.example/"))
        }
    }

    struct Search: FlatRequest {
        var term: String?
        var page = 1
        static let endpoint = Endpoint<Search>(
            method: .get, path: "search",
            parameters: [
                .query("q", path: \.term), .query("page", path: \.page),
                .queryValue("v", value: "2"),
            ])
        typealias Response = String
    }

    static let queries: [(address: String, expected: String)] = [
        ("/x", "/x?q=a%26b&page=1&v=2"), ("/x?", "/x?q=a%26b&page=1&v=2"),
        ("?page=2&z", "/v1/search?page=2&z&q=a%26b&v=2"),
        ("/x?%71=z&v=3&page#end", "/x?%71=z&v=3&page#end"),
        ("/x?a=1#end", "/x?a=1&q=a%26b&page=1&v=2#end"),
    ]

    @Test(
        "Declared query items that the URL of a response(to:at:) doesn't have are added to it",
        arguments: queries)
    func query(row: (address: String, expected: String)) async throws {
        let server = ServerEnvironment(baseUrl: url("https://api.example.com/v1?key=k3y"))
        let stub = ClosureTransport {
            .init(Data("\($0.urlRequest.url?.absoluteString ?? "")".utf8), try .stub(200))
        }
        let sent = try await EndpointClient(stub, in: server).response(
            to: Search(term: "a&b"), at: url(row.address))
        #expect(sent == "https://api.example.com" + row.expected)
    }

    @Test("A declared query item isn't sent to another origin, and the error names it")
    func queryAtOtherOrigin() async throws {
        let api = EndpointClient(ClosureTransport { _ in try .stub(200) }, in: Self.server)
        let error = await #expect(throws: Search.TaskError.self) {
            try await api.response(to: Search(), at: url("https://other.example/?page=1"))
        }
        #expect(
            error?.description == """
                Search: the query item "v" isn't added to a URL of another origin; leave it out, \
                or add it to the URL
                """)
        let text = try await api.response(
            to: Search(), at: url("https://other.example/?page=1&v=2"))
        #expect(text.isEmpty)
    }
}
