import Endpoints
import EndpointsMiddleware
import EndpointsStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests of a session that stores the cookie `stored=yes` for the host.
@Suite("Cookies of a request", .needsServers, .timeLimit(.minutes(1)))
struct CookieTests {
    fileprivate struct Get: FlatRequest {
        var cookie: String?
        var handlesCookies = true
        static let endpoint = Endpoint<Self>(
            method: .get, path: "", headers: [.cookie: .field(path: \.cookie)])
        typealias Response = Data
        func prepare(_ request: inout URLRequest) {
            request.httpShouldHandleCookies = handlesCookies
        }
    }

    fileprivate struct GetWithout: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "", headers: [.cookie: nil])
        typealias Response = Data
    }

    private struct Watch: FlatRequest {
        let cookie: String
        static let endpoint = Endpoint<Self>(
            method: .get, path: "", headers: ["cookie": .field(path: \.cookie)])
        typealias Response = ByteStream
    }

    private static func session() throws -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        let storage = try #require(configuration.httpCookieStorage)
        storage.setCookie(
            try #require(
                HTTPCookie(properties: [
                    .name: "stored", .value: "yes", .domain: "127.0.0.1", .path: "/",
                ])))
        return URLSession(configuration: configuration)
    }

    typealias Load = @Sendable (EndpointClient<ServerEnvironment>, URL) async throws -> Void

    static let loads: [(name: String, cookie: String?, load: Load)] = [
        (
            "a request without a Cookie", "stored=yes",
            { _ = try await $0.response(to: Get(), at: $1) }
        ),
        (
            "a declared Cookie", "own=1",
            { _ = try await $0.response(to: Get(cookie: "own=1"), at: $1) }
        ),
        ("a Cookie that is nil", nil, { _ = try await $0.response(to: GetWithout(), at: $1) }),
        (
            "a request that handles no cookies", nil,
            { _ = try await $0.response(to: Get(handlesCookies: false), at: $1) }
        ),
        (
            "a stream with a declared Cookie", "own=2",
            { for try await _ in try await $0.response(to: Watch(cookie: "own=2"), at: $1) {} }
        ),
        (
            "a Cookie that `authorized(by:)` adds", "Bearer own=3",
            { api, url in
                let credentials = MemoryCredentials(
                    for: api.environment, AccessToken(.bearer("own=3"))
                ) { $0 }
                let transport = api.transport.authorized(by: credentials, header: .cookie)
                _ = try await EndpointClient(transport, in: api.environment)
                    .response(to: Get.Plain(), at: url)
            }
        ),
    ]

    @Test(
        "A request's own Cookie is sent instead of those of the session, also after a redirect",
        arguments: loads.indices)
    func cookie(_ index: Int) async throws {
        let row = Self.loads[index]
        let (origins, session) = (try Origins(), try Self.session())
        defer { session.finishTasksAndInvalidate() }
        let api = EndpointClient(session, in: ServerEnvironment(baseUrl: origins.first))
        let key = UUID().uuidString
        let echo = origins.first.absoluteString + "/-/echo?key=\(key)"
        try await row.load(api, try Origins.redirect(at: origins.first, to: echo, key: key))
        let line = row.cookie.map { "cookie: \($0)\n" } ?? ""
        #expect(
            try await origins.arrivals(key) == [
                "first: GET /-/redirect\n\(line)host: first\n\n",
                "first: GET /-/echo\n\(line)host: first\n\n",
            ], "\(row.name)")
    }

    @Test("At another origin, the session's cookies are sent, and not the request's own")
    func otherOrigin() async throws {
        let (origins, session) = (try Origins(), try Self.session())
        defer { session.finishTasksAndInvalidate() }
        let api = EndpointClient(session, in: ServerEnvironment(baseUrl: origins.first))
        let key = UUID().uuidString
        let echo = origins.other.absoluteString + "/-/echo?key=\(key)"
        let url = try Origins.redirect(at: origins.first, to: echo, key: key)
        _ = try await api.response(to: Get(cookie: "own=1"), at: url)
        #expect(
            try await origins.arrivals(key) == [
                "first: GET /-/redirect\ncookie: own=1\nhost: first\n\n",
                "other: GET /-/echo\ncookie: stored=yes\nhost: other\n\n",
            ])
    }

    @Test("A response to a request with its own Cookie sets the session's cookies")
    func stored() async throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let server = try Server.httpbin.environment
        let url = server.baseUrl.appendingPathComponent("cookies/set/flavour/oat")
        _ = try await EndpointClient(session, in: server)
            .response(to: Get(cookie: "own=1"), at: url)
        let cookies = session.configuration.httpCookieStorage?.cookies ?? []
        #expect(cookies.map(\.name) == ["flavour"])
    }
}

extension CookieTests.Get {
    /// A request that leaves its headers to the transport.
    fileprivate struct Plain: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "")
        typealias Response = Data
    }
}
