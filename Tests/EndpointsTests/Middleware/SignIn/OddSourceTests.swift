import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Sources that return something unusual", .timeLimit(.minutes(5)))
struct OddSourceTests {
    /// Responds with a 401 to the tokens for which a function says so, and writes all down.
    private func server(
        _ sent: Journal<String?>, refusing refused: @escaping @Sendable (String?) -> Bool
    ) -> ClosureTransport {
        ClosureTransport { request in
            let header = request.urlRequest.value(forHTTPHeaderField: "Authorization")
            sent.add(header)
            return try .stub(refused(header) ? 401 : 200)
        }
    }

    @Test("A refresh without a new refresh token keeps the old one (RFC 6749, section 6)")
    func refreshTokenKept() async throws {
        let tokens = MemoryCredentials(
            for: ServerEnvironment(baseUrl: url("https://api.example.com")),
            AccessToken(.bearer("a"), refreshToken: "r1")
        ) { _ in AccessToken(.bearer("b")) }
        let first = try #require(tokens.token())
        let new = try await tokens.refresh(after: first)
        #expect(new.credentials == .bearer("b") && new.refreshToken == "r1")
        #expect(tokens.token() == new)
    }

    /// A source that computes at each call when its token expires.
    struct Computing: CredentialSource {
        let baseUrl = url("https://api.example.com")
        let name = Guarded("a")
        let calls = Journal<Void>()

        func token() -> AccessToken? {
            let seconds = 4e9 + Double(calls.add(())) / 1000
            return AccessToken(
                .bearer(name.withLock { $0 }), expires: Date(timeIntervalSince1970: seconds))
        }

        func refresh(after refused: AccessToken) -> AccessToken {
            name.withLock { $0 = "b" }
            return AccessToken(.bearer("b"))
        }
    }

    @Test("A token whose date changes at each call is the same token, and is refreshed after a 401")
    func computedDate() async throws {
        let sent = Journal<String?>()
        let transport = server(sent) { $0 == "Bearer a" }.authorized(by: Computing())
        #expect(try await transport.send(Item.request("POST")).httpResponse.statusCode == 200)
        #expect(sent.entries == ["Bearer a", "Bearer b"])
    }

    @Test("If a refresh fails after the same account has signed in again, its new token is used")
    func signedInMeanwhile() async throws {
        let (sent, gate) = (Journal<String?>(), Gate())
        let tokens = MemoryCredentials(
            for: ServerEnvironment.production, AccessToken(.bearer("a"), account: "A")
        ) { _ in
            await gate.pass()
            throw URLError(.timedOut)
        }
        let transport = server(sent) { $0 == "Bearer a" }.authorized(by: tokens)
        let task = Task { try await transport.send(Item.request()).httpResponse.statusCode }
        await gate.wait(for: 1)
        tokens.signIn(AccessToken(.bearer("a2"), account: "A"))
        gate.open()
        #expect(try await task.value == 200)
        #expect(sent.entries == ["Bearer a", "Bearer a2"])
    }

    @Test("A token that was replaced is sent after somebody has signed in with it again")
    func replacedToken() async throws {
        let (sent, refused) = (Journal<String?>(), Guarded("Bearer a"))
        let tokens = MemoryCredentials(
            for: ServerEnvironment.production, AccessToken(.bearer("a"))
        ) { _ in AccessToken(.bearer("b")) }
        let transport = server(sent) { $0 == refused.withLock { $0 } }.authorized(by: tokens)
        #expect(try await transport.send(Item.request()).httpResponse.statusCode == 200)
        tokens.signOut()
        refused.withLock { $0 = "Bearer b" }
        tokens.signIn(AccessToken(.bearer("a")))
        #expect(try await transport.send(Item.request()).httpResponse.statusCode == 200)
        #expect(sent.entries == ["Bearer a", "Bearer b", "Bearer a"])
    }

    static let dates: [(date: Double, refreshes: Int)] = [
        (.nan, 0), (.infinity, 0), (4e9, 0), (0, 1), (-.infinity, 1),
    ]

    @Test(
        "A token whose date isn't a number, lies far ahead, or had passed when it came, is sent",
        arguments: dates)
    func unusualDate(row: (date: Double, refreshes: Int)) async throws {
        let (sent, calls) = (Journal<String?>(), Journal<Void>())
        let date = Date(timeIntervalSince1970: row.date)
        var first = AccessToken(.bearer("a"), expires: date)
        first.expires = date
        let tokens = MemoryCredentials(for: ServerEnvironment.production, first) { _ in
            calls.add(())
            return AccessToken(.bearer("b\(calls.entries.count)"), expires: date)
        }
        #expect(first == first && (first.expires == nil) == row.date.isNaN)
        let transport = server(sent) { _ in false }.authorized(by: tokens)
        for _ in 0..<2 { _ = try await transport.send(Item.request()) }
        #expect(calls.entries.count == row.refreshes && sent.entries.count == 2)
    }

    /// A source with a set of trusted URLs.
    struct Trusting: CredentialSource {
        let baseUrl = url("https://api.example.com")
        let trustedUrls: Set<URL>

        func token() -> AccessToken? { AccessToken(.bearer("a")) }
        func refresh(after refused: AccessToken) -> AccessToken { refused }
    }

    @Test(
        "The trusted URLs may be a set",
        arguments: [
            ([], nil), (["https://upload.example.com"], "Bearer a"),
            (["https://other.example.com"], nil),
        ] as [([String], String?)])
    func trustedSet(row: (urls: [String], token: String?)) async throws {
        let sent = Journal<String?>()
        let transport = server(sent) { _ in false }
            .authorized(by: Trusting(trustedUrls: Set(row.urls.map(url))))
        _ = try await transport.send(Item.request(at: "https://upload.example.com/a"))
        #expect(sent.entries == [row.token])
    }

    @Test(
        "A trusted URL that is none of a server is an error that names it",
        arguments: [
            "upload.example.com", "wss://upload.example.com", "https:upload.example.com",
            "https://*.example.com", "https://*",
        ])
    func trustedURL(text: String) async throws {
        let sent = Journal<String?>()
        let tokens = MemoryCredentials(
            for: ServerEnvironment.production, trusting: [url(text)], AccessToken(.bearer("a"))
        ) { $0 }
        let transport = server(sent) { _ in false }.authorized(by: tokens)
        let error = await #expect(throws: EndpointError.self) {
            _ = try await transport.send(Item.request())
        }
        #expect(
            error?.description == """
                Item: the transport has a sign-in whose URL \(text) is not one of a server; \
                correct its `baseUrl` or `trustedUrls`, as in https://api.example.com
                """)
        #expect(sent.entries == [])
    }
}
