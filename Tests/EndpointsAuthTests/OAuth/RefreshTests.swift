import Endpoints
import EndpointsMiddleware
import EndpointsShared
import EndpointsTesting
import Foundation
import Testing

@testable import EndpointsAuth

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Refreshing the tokens of OAuth")
struct OAuthRefreshTests {
    private func fixture(_ tokens: OAuthTokens = Fixture.signedIn) -> Fixture {
        Fixture(store: MemoryOAuthStore(tokens))
    }

    private static let renewed =
        #"{"access_token": "new", "token_type": "bearer", "#
        + #""expires_in": 3600, "refresh_token": "next"}"#

    @Test("A refresh sends the refresh token, and stores both new tokens")
    func rotation() async throws {
        let fixture = fixture()
        fixture.stub.on(TokenRequest.self, .json(Self.renewed))
        let new = try await fixture.credentials.refresh(after: Fixture.signedIn.token)
        #expect(new.credentials == .bearer("new"))
        #expect(new.expires == Date(timeIntervalSince1970: 1_700_003_600))
        #expect(
            fixture.forms == [
                [
                    "grant_type": "refresh_token", "refresh_token": "tGzv3JOkF0XG5Qx2TlKWIA",
                    "client_id": "s6BhdRkqt3",
                ]
            ])
        let stored = try #require(try await fixture.store.load())
        #expect(stored.refreshToken == "next")
        #expect(stored.account == "ann")
        #expect(!stored.isRefreshUnfinished)
    }

    @Test("A server that sends no new refresh token lets the old one stand")
    func kept() async throws {
        let fixture = fixture()
        fixture.stub.on(TokenRequest.self, .json(#"{"access_token": "new"}"#))
        _ = try await fixture.credentials.refresh(after: Fixture.signedIn.token)
        #expect(try await fixture.store.load()?.refreshToken == "tGzv3JOkF0XG5Qx2TlKWIA")
    }

    @Test("The store knows of a refresh before it is sent")
    func begun() async throws {
        let fixture = fixture()
        let store = fixture.store
        let seen = Locked<[Bool?]>([])
        fixture.stub.on(TokenRequest.self) { _ in
            let isUnfinished = try await store.load()?.isRefreshUnfinished
            seen.withLock { $0.append(isUnfinished) }
            return .json(Self.renewed)
        }
        _ = try await fixture.credentials.refresh(after: Fixture.signedIn.token)
        #expect(seen.withLock { $0 } == [true])
    }

    @Test("100 callers of several credentials with one store make one refresh")
    func storm() async throws {
        let fixture = fixture()
        fixture.stub.on(TokenRequest.self, .json(Self.renewed).delayed(by: 0.01))
        let sources = [fixture.credentials, fixture.credentials]
        let tokens = try await withThrowingTaskGroup(of: AccessToken.self) { group in
            for number in 0..<100 {
                group.addTask {
                    try await sources[number % 2].refresh(after: Fixture.signedIn.token)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(tokens.count == 100)
        #expect(Set(tokens.map(\.credentials)) == [.bearer("new")])
        #expect(fixture.forms.count == 1)
    }

    static let failures: [(StubResponse<TokenRequest>, name: String)] = [
        (.throwing(URLError(.timedOut)), "timeout"),
        (.throwing(URLError(.networkConnectionLost)), "lost connection"),
        (.status(503), "503"),
        (.json(#"{"error": "temporarily_unavailable"}"#, status: 503), "503 with a name"),
        (.json(#"{"error": "invalid_grant"}"#, status: 500), "500 that says invalid_grant"),
        (.json(#"{"error": "invalid_client"}"#, status: 401), "invalid_client"),
        (.json("<html>", status: 400), "a web page"),
        (.json("{}", status: 400), "no name"),
        (.status(302, headers: ["Location": "https://evil.example"]), "a redirect"),
        (.json(#"{"token_type": "bearer"}"#), "no token"),
    ]

    @Test(
        "A refresh that fails keeps the tokens, and the next one sends the same",
        arguments: failures)
    func failure(row: (response: StubResponse<TokenRequest>, name: String)) async throws {
        let fixture = fixture()
        fixture.stub.on(TokenRequest.self, row.response, .json(Self.renewed))
        let tokens = fixture.credentials
        await #expect(throws: (any Error).self, "\(row.name)") {
            try await tokens.refresh(after: Fixture.signedIn.token)
        }
        #expect(try await tokens.token()?.credentials == Fixture.signedIn.credentials)
        let new = try await tokens.refresh(after: Fixture.signedIn.token)
        #expect(new.credentials == .bearer("new"))
        #expect(Set(fixture.forms.map { $0["refresh_token"] }) == ["tGzv3JOkF0XG5Qx2TlKWIA"])
    }

    @Test("After invalid_grant each request ends with an error, and nothing more is asked")
    func ended() async throws {
        let fixture = fixture()
        fixture.stub.on(TokenRequest.self, .json(#"{"error": "invalid_grant"}"#, status: 400))
        fixture.stub.on(GetItem.self, .status(401))
        let tokens = fixture.credentials
        let client = EndpointClient(
            fixture.stub.authorized(by: tokens, clock: fixture.time.clock),
            in: ServerEnvironment.api)
        for _ in 0..<5 {
            do {
                try await client(GetItem())
                Issue.record("no error")
            } catch .transportError(let error) {
                let cause = try #require(error.cause as? SignInError)
                #expect((cause.cause as? OAuthError)?.code == .invalidGrant)
                #expect("\(cause)".hasSuffix("sign in again"))
            } catch {
                Issue.record(error)
            }
        }
        #expect(fixture.forms.count == 1)
        #expect(try await !tokens.isSignedIn)
        #expect(fixture.stub.sent(GetItem.self).count == 2)
    }

    @Test("After a lost response, a refused refresh says so")
    func lost() async throws {
        let fixture = fixture()
        fixture.stub.on(
            TokenRequest.self, .throwing(URLError(.networkConnectionLost)),
            .json(#"{"error": "invalid_grant"}"#, status: 400))
        let tokens = fixture.credentials
        _ = try? await tokens.refresh(after: Fixture.signedIn.token)
        let error = await #expect(throws: SignInError.self) {
            try await tokens.refresh(after: Fixture.signedIn.token)
        }
        let text = String(describing: error?.cause)
        #expect(text.contains("an earlier refresh was lost"))
    }

    @Test("Without a refresh token a refused token ends the sign-in")
    func noRefreshToken() async throws {
        let fixture = fixture(OAuthTokens(accessToken: "a", account: "ann"))
        let tokens = fixture.credentials
        let token = try #require(try await tokens.token())
        let error = await #expect(throws: SignInError.self) {
            try await tokens.refresh(after: token)
        }
        #expect((error?.cause as? OAuthError)?.code == .signInNeeded)
        #expect(fixture.forms.isEmpty)
    }

    @Test("New tokens are requested for the same resources, with and without a refresh token")
    func resources() async throws {
        let resource = try #require(URL(string: "https://api.example.com/mcp"))
        for token in [#"{"access_token": "a", "refresh_token": "r"}"#, #"{"access_token": "a"}"#] {
            let fixture = Fixture()
            fixture.stub.on(TokenRequest.self, .json(token))
            let tokens = OAuthCredentials(
                for: ServerEnvironment.api, server: .example, client: OAuthClient("a"),
                resources: [resource], transport: fixture.stub)
            try await tokens.signIn(.clientCredentials)
            _ = try await tokens.refresh(after: try #require(try await tokens.token()))
            #expect(
                fixture.forms.map { $0["resource"] }
                    == [resource.absoluteString, resource.absoluteString])
        }
    }

    @Test("A sign-in counts as long as its token is valid, or can be renewed")
    func isSignedIn() async throws {
        let past = Date(timeIntervalSince1970: 1_600_000_000)
        let rows: [(OAuthTokens?, Bool)] = [
            (nil, false), (Fixture.signedIn, true), (OAuthTokens(accessToken: "a"), true),
            (OAuthTokens(accessToken: "a", expires: past), false),
            (OAuthTokens(accessToken: "a", expires: past, refreshToken: "r"), true),
        ]
        for (tokens, isSignedIn) in rows {
            let fixture = Fixture(store: MemoryOAuthStore(tokens))
            #expect(try await fixture.credentials.isSignedIn == isSignedIn)
        }
    }

    /// A store that never finds the tokens which it has given out.
    struct ForgetfulStore: OAuthStore {
        let base = MemoryOAuthStore(Fixture.signedIn)
        func load() -> OAuthTokens? { base.load() }
        func save(_ tokens: OAuthTokens?) { base.save(tokens) }
        func replace(_ old: OAuthTokens?, with new: OAuthTokens?) -> Bool { false }
        func exclusively<Value: Sendable>(
            _ body: @Sendable () async throws -> Value
        ) async throws -> Value { try await body() }
    }

    @Test("A store whose tokens never compare as equal ends no call in a loop")
    func forgetfulStore() async throws {
        let fixture = Fixture(store: ForgetfulStore())
        fixture.stub.on(RevocationRequest.self, .status(200))
        let token = try await fixture.credentials.refresh(after: Fixture.signedIn.token)
        #expect(token == Fixture.signedIn.token)
        #expect(fixture.forms.isEmpty)
        try await fixture.credentials.signOut()
        #expect(try await fixture.store.load() == nil)
    }

    @Test("Client credentials are requested again with the same scopes")
    func clientCredentials() async throws {
        let fixture = fixture()
        fixture.stub.on(TokenRequest.self, .json(#"{"access_token": "a"}"#), .json(Self.renewed))
        let tokens = fixture.credentials
        try await tokens.signIn(.clientCredentials, scopes: ["read", "write"])
        let token = try #require(try await tokens.token())
        #expect(try await tokens.refresh(after: token).credentials == .bearer("new"))
        #expect(
            fixture.forms.map { $0["grant_type"] } == ["client_credentials", "client_credentials"])
        #expect(fixture.forms.map { $0["scope"] } == ["read write", "read write"])
    }

    @Test("A sign-out during a refresh wins, and the new tokens are revoked")
    func signOut() async throws {
        let fixture = fixture()
        let store = fixture.store
        fixture.stub.on(TokenRequest.self) { _ in
            try await store.save(nil)
            return .json(Self.renewed)
        }
        fixture.stub.on(RevocationRequest.self, .status(200))
        await #expect(throws: SignInError.self) {
            try await fixture.credentials.refresh(after: Fixture.signedIn.token)
        }
        #expect(try await fixture.credentials.token() == nil)
        let revoked = fixture.stub.sent(RevocationRequest.self).map { $0.fields.first?.value }
        #expect(revoked == ["next", "new"])
    }

    /// A store that fails once new tokens come.
    struct FullStore: OAuthStore {
        let base = MemoryOAuthStore(Fixture.signedIn)
        let isFull = Locked(true)
        func load() -> OAuthTokens? { base.load() }
        func save(_ tokens: OAuthTokens?) { base.save(tokens) }
        func replace(_ old: OAuthTokens?, with new: OAuthTokens?) throws -> Bool {
            if new?.refreshToken == "next", isFull.withLock({ $0 }) {
                throw CocoaError(.fileWriteOutOfSpace)
            }
            return base.replace(old, with: new)
        }
        func exclusively<Value: Sendable>(
            _ body: @Sendable () async throws -> Value
        ) async throws -> Value { try await body() }
    }

    @Test("New tokens that can't be stored are stored by the next call, without another refresh")
    func fullDisk() async throws {
        let store = FullStore()
        let fixture = Fixture(store: store)
        fixture.stub.on(TokenRequest.self, .json(Self.renewed))
        let tokens = fixture.credentials
        await #expect(throws: CocoaError.self) {
            try await tokens.refresh(after: Fixture.signedIn.token)
        }
        store.isFull.withLock { $0 = false }
        #expect(try await tokens.token()?.credentials == .bearer("new"))
        #expect(fixture.forms.count == 1)
    }

    /// Credentials with the same store that must not use each other's tokens, and one that may.
    static let homes: [(String, api: String, token: String, client: String, isShared: Bool)] = [
        ("the same", "https://api.example.com", "https://server.example.com/t", "c", true),
        ("another path", "https://api.example.com/v2", "https://server.example.com/u", "c", true),
        ("another API", "https://b.example.com", "https://server.example.com/t", "c", false),
        ("another server", "https://api.example.com", "https://evil.example.com/t", "c", false),
        ("another client", "https://api.example.com", "https://server.example.com/t", "d", true),
    ]

    @Test(
        "Tokens in a store are sent only to the API and the server that they are for",
        arguments: homes)
    func home(
        name: String, api: String, token: String, client: String, isShared: Bool
    ) async throws {
        let stub = StubTransport()
        stub.on(TokenRequest.self, .json(Self.renewed))
        let store = MemoryOAuthStore()
        func credentials(_ api: String, _ token: String, _ client: String) throws
            -> OAuthCredentials
        {
            OAuthCredentials(
                for: ServerEnvironment(baseUrl: try #require(URL(string: api))),
                server: OAuthServer(tokenURL: URL(string: token)), client: OAuthClient(client),
                store: store, transport: stub)
        }
        try await credentials("https://api.example.com", "https://server.example.com/t", "c")
            .signIn(.clientCredentials)
        let other = try credentials(api, token, client)
        #expect(try await other.isSignedIn == isShared)
        #expect((try await other.token() != nil) == isShared)
        #expect((try await other.tokens != nil) == isShared)
    }

    /// A store that keeps what is public of tokens, in columns.
    final class ColumnStore: OAuthStore {
        private let tokens = Locked<OAuthTokens?>(Fixture.signedIn)
        func load() -> OAuthTokens? { tokens.withLock { Self.columns(of: $0) } }
        func save(_ tokens: OAuthTokens?) { self.tokens.withLock { $0 = tokens } }
        func replace(_ old: OAuthTokens?, with new: OAuthTokens?) -> Bool {
            tokens.withLock { tokens in
                guard Self.columns(of: tokens) == old else { return false }
                tokens = new
                return true
            }
        }
        func exclusively<Value: Sendable>(
            _ body: @Sendable () async throws -> Value
        ) async throws -> Value { try await body() }
        private static func columns(of tokens: OAuthTokens?) -> OAuthTokens? {
            tokens.map {
                OAuthTokens(
                    accessToken: $0.accessToken, tokenType: $0.tokenType, expires: $0.expires,
                    refreshToken: $0.refreshToken, scopes: $0.scopes, account: $0.account)
            }
        }
    }

    @Test("A store of what is public of the tokens keeps the new ones, which aren't revoked")
    func columns() async throws {
        let fixture = Fixture(store: ColumnStore())
        fixture.stub.on(TokenRequest.self, .json(Self.renewed))
        fixture.stub.on(RevocationRequest.self, .status(200))
        let tokens = fixture.credentials
        let new = try await tokens.refresh(after: Fixture.signedIn.token)
        #expect(new.credentials == .bearer("new"))
        #expect(try await tokens.token()?.refreshToken == "next")
        #expect(fixture.stub.sent(RevocationRequest.self).isEmpty)
    }

    /// A store that can't be written at times.
    final class BrokenStore: OAuthStore {
        let base = MemoryOAuthStore(Fixture.signedIn)
        let isBroken = Locked(false)
        let willFail = Locked<(@Sendable () -> Void)?>(nil)
        private func check() throws {
            guard isBroken.withLock({ $0 }) else { return }
            willFail.withLock(\.self)?()
            throw CocoaError(.fileWriteOutOfSpace)
        }
        func load() -> OAuthTokens? { base.load() }
        func save(_ tokens: OAuthTokens?) throws {
            try check()
            base.save(tokens)
        }
        func replace(_ old: OAuthTokens?, with new: OAuthTokens?) throws -> Bool {
            if new?.refreshToken == "next" { try check() }
            return base.replace(old, with: new)
        }
        func exclusively<Value: Sendable>(
            _ body: @Sendable () async throws -> Value
        ) async throws -> Value { try await body() }
    }

    @Test("A sign-in that can't be stored doesn't lose the tokens of a refresh")
    func brokenSignIn() async throws {
        let store = BrokenStore()
        let fixture = Fixture(store: store)
        fixture.stub.on(
            TokenRequest.self, .json(Self.renewed), .json(#"{"access_token": "other"}"#))
        let tokens = fixture.credentials
        store.isBroken.withLock { $0 = true }
        await #expect(throws: CocoaError.self) {
            try await tokens.refresh(after: Fixture.signedIn.token)
        }
        await #expect(throws: CocoaError.self) { try await tokens.signIn(.clientCredentials) }
        store.isBroken.withLock { $0 = false }
        #expect(try await tokens.token()?.credentials == .bearer("new"))
    }

    /// What the store has as a new sign-in can't be stored, and the tokens that are revoked.
    static let unkeptTokens: [(OAuthTokens?, revoked: [String])] = [
        (nil, ["r", "a"]),
        (
            OAuthTokens(accessToken: "old", expires: Date(timeIntervalSince1970: 1_600_000_000)),
            ["r", "a"]
        ),
        (Fixture.signedIn, []),
        (
            OAuthTokens(
                accessToken: "old", expires: Date(timeIntervalSince1970: 1_600_000_000),
                refreshToken: "r0"), []
        ),
    ]

    @Test(
        "Tokens of a sign-in that can't be stored are revoked, unless an earlier one is there",
        arguments: unkeptTokens)
    func unkept(stored: OAuthTokens?, revoked: [String]) async throws {
        let store = BrokenStore()
        store.base.save(stored)
        store.isBroken.withLock { $0 = true }
        let fixture = Fixture(store: store)
        fixture.stub.on(
            TokenRequest.self, .json(#"{"access_token": "a", "refresh_token": "r"}"#))
        fixture.stub.on(RevocationRequest.self, .status(503))
        // The server's refusal to revoke isn't what the sign-in has failed for.
        await #expect(throws: CocoaError.self) {
            try await fixture.credentials.signIn(.clientCredentials)
        }
        #expect(store.load() == stored)
        let sent = fixture.stub.sent(RevocationRequest.self).map { $0.fields.first?.value }
        #expect(sent == (revoked.isEmpty ? [] : ["r"]))
        fixture.stub.on(RevocationRequest.self, .status(200))
        await #expect(throws: CocoaError.self) {
            try await fixture.credentials.signIn(.clientCredentials)
        }
        let all = fixture.stub.sent(RevocationRequest.self).map { $0.fields.first?.value }
        #expect(Array(all.dropFirst(sent.count)) == revoked)
    }

    @Test("Tokens of a cancelled sign-in that can't be stored are revoked all the same")
    func unkeptCancelled() async throws {
        let store = BrokenStore()
        store.base.save(nil)
        let fixture = Fixture(store: store)
        fixture.stub.on(TokenRequest.self, .json(#"{"access_token": "a"}"#))
        fixture.stub.on(RevocationRequest.self) { _ in
            try Task.checkCancellation()
            return .status(200)
        }
        store.isBroken.withLock { $0 = true }
        store.willFail.withLock { $0 = { _ = withUnsafeCurrentTask { $0?.cancel() } } }
        await #expect(throws: CocoaError.self) {
            try await Task { try await fixture.credentials.signIn(.clientCredentials) }.value
        }
        #expect(fixture.stub.sent(RevocationRequest.self).count == 1)
    }

    @Test("A store that can't be locked ends a sign-in before anything is requested")
    func unusableStore() async throws {
        struct UnusableStore: OAuthStore {
            func load() -> OAuthTokens? { nil }
            func save(_ tokens: OAuthTokens?) {}
            func replace(_ old: OAuthTokens?, with new: OAuthTokens?) -> Bool { false }
            func exclusively<Value: Sendable>(
                _ body: @Sendable () async throws -> Value
            ) async throws -> Value { throw CocoaError(.fileLocking) }
        }
        let fixture = Fixture(store: UnusableStore())
        await #expect(throws: CocoaError.self) {
            try await fixture.credentials.signIn(.clientCredentials)
        }
        #expect(fixture.forms.isEmpty)
    }

    @Test("The token of a sign-in that has ended is given out until it expires")
    func endedToken() async throws {
        let fixture = fixture()
        var stored = Fixture.signedIn
        stored.ended = "invalid_grant"
        try await fixture.store.save(stored)
        #expect(try await fixture.credentials.token() == stored.token)
        stored.expires = Date(timeIntervalSince1970: 1_600_000_000)
        try await fixture.store.save(stored)
        await #expect(throws: SignInError.self) { try await fixture.credentials.token() }
    }

    @Test("A refresh for one account returns no token of another one")
    func otherAccount() async throws {
        let ben = OAuthTokens(accessToken: "other", refreshToken: "r", account: "ben")
        // Somebody has signed in before the refresh, or does so while it runs.
        for isBefore in [true, false] {
            let fixture = fixture()
            let store = fixture.store
            if isBefore { try await store.save(ben) }
            fixture.stub.on(TokenRequest.self) { _ in
                try await store.save(ben)
                return .json(Self.renewed)
            }
            let error = await #expect(throws: SignInError.self) {
                try await fixture.credentials.refresh(after: Fixture.signedIn.token)
            }
            #expect(error?.accountHasChanged == true)
            #expect(fixture.forms.count == (isBefore ? 0 : 1))
            #expect(try await store.load() == ben)
        }
    }

    @Test("What a server says of an error is cut, and names no other page than one of the web")
    func errorTexts() {
        let long = String(repeating: "x", count: 1000)
        #expect(OAuthError("a", long, nil).serverDescription?.count == 300)
        for (uri, isShown) in [
            ("https://e.example/a", true), ("http://e.example", true),
            ("javascript:alert(1)", false), ("file:///etc", false),
        ] {
            #expect((OAuthError("a", nil, uri).uri != nil) == isShown)
        }
        for (name, code) in [
            (String(repeating: "x", count: 64), nil), (String(repeating: "x", count: 65), .unknown),
            ("", .unknown), ("a b", .unknown),
        ] as [(String, OAuthError.Code?)] {
            let expected = code ?? OAuthError.Code(rawValue: name)
            #expect(OAuthError(name, nil, nil).code == expected)
        }
        for (code, ends) in [
            ("invalid_grant", true), ("bad_refresh_token", true), ("invalid_client", false),
        ] {
            #expect(OAuthError(OAuthError.Code(rawValue: code)).endsSignIn == ends)
        }
    }

    @Test("A server that was asked too often says nothing of the sign-in")
    func tooOften() async throws {
        let fixture = fixture()
        fixture.stub.on(TokenRequest.self, .json(#"{"error": "invalid_grant"}"#, status: 429))
        let tokens = fixture.credentials
        await #expect(throws: EndpointTaskError<OAuthError>.self) {
            try await tokens.refresh(after: Fixture.signedIn.token)
        }
        #expect(try await tokens.isSignedIn)
    }

    @Test("A response with an error of null is a good one")
    func nullError() async throws {
        let fixture = fixture()
        fixture.stub.on(
            TokenRequest.self,
            .json(#"{"access_token": "new", "refresh_token": "next", "error": null}"#))
        let new = try await fixture.credentials.refresh(after: Fixture.signedIn.token)
        #expect(new.refreshToken == "next")
    }

    @Test("A refresh token of 900 KB that is refused is hidden at once")
    func longSecret() async throws {
        let secret = String(repeating: "a", count: 900_000)
        let json = #"{"error": "invalid_grant", "error_description": "\#(secret)"}"#
        let error = try JSONDecoder().decode(OAuthError.self, from: Data(json.utf8))
        #expect(!"\(error.hiding([secret]))".contains("aaaa"))
    }

    @Test("A cancelled task doesn't end the refresh that it has begun")
    func cancelled() async throws {
        let fixture = fixture()
        fixture.stub.on(TokenRequest.self, .json(Self.renewed).delayed(by: 0.01))
        let tokens = fixture.credentials
        let task = Task { try await tokens.refresh(after: Fixture.signedIn.token) }
        task.cancel()
        #expect(try await task.value.credentials == .bearer("new"))
    }

    @Test("A sign-in of the same account during a refresh wins, and its token is used")
    func signedInMeanwhile() async throws {
        let fixture = fixture()
        let store = fixture.store
        fixture.stub.on(TokenRequest.self) { _ in
            try await store.save(OAuthTokens(accessToken: "other", account: "ann"))
            return .json(Self.renewed)
        }
        fixture.stub.on(RevocationRequest.self, .status(200))
        let token = try await fixture.credentials.refresh(after: Fixture.signedIn.token)
        #expect(token.credentials == .bearer("other"))
        #expect(try await store.load()?.accessToken == "other")
    }

    @Test("Caches learn that an account has ended when it signs out or another one signs in")
    func endedAccounts() async throws {
        let fixture = fixture()
        fixture.stub.on(TokenRequest.self, .json(Self.renewed))
        fixture.stub.on(RevocationRequest.self, .status(200))
        let tokens = fixture.credentials
        let ended = Locked<[String]>([])
        tokens.endedAccounts.addListener { id in ended.withLock { $0.append(id) } }
        try await tokens.signIn(.clientCredentials, account: "ann")
        #expect(ended.withLock { $0 }.isEmpty)
        try await tokens.signIn(.clientCredentials, account: "bob")
        try await tokens.signOut()
        #expect(ended.withLock { $0 } == ["ann", "bob"].map { Digest("account " + $0).hex })
    }

    static let accounts: [(OAuthFlow, idToken: String?, given: String?, account: String?)] = [
        (.clientCredentials, nil, nil, "client s6BhdRkqt3"),
        (.clientCredentials, nil, "ann", "ann"),
        (.exchange(.idToken) { "t" }, nil, nil, nil),
        (.exchange(.idToken) { "t" }, nil, "ann", "ann"),
        // {"iss":"https://a.example","sub":"?>7"}
        (
            .exchange(.idToken) { "t" },
            "e30.eyJpc3MiOiJodHRwczovL2EuZXhhbXBsZSIsInN1YiI6Ij8-NyJ9.x", nil,
            "?>7 of https://a.example"
        ),
        (.exchange(.idToken) { "t" }, "e30.e30.x", nil, nil),
        (.exchange(.idToken) { "t" }, "e30.\u{e9}.x", nil, nil),
        (.exchange(.idToken) { "t" }, "e30", nil, nil),
    ]

    @Test(
        "An account has the name that was given, the client's or that of the ID token's person, or none that lasts",
        arguments: accounts)
    func accountNames(
        _ flow: OAuthFlow, idToken: String?, given: String?, account: String?
    ) async throws {
        let fixture = fixture()
        let token = idToken.map { #", "id_token": "\#($0)""# } ?? ""
        fixture.stub.on(
            TokenRequest.self,
            .json(
                """
                {"access_token": "a", "token_type": "Bearer", \
                "issued_token_type": "urn:ietf:params:oauth:token-type:access_token"\(token)}
                """))
        var tokens: [OAuthTokens] = []
        for _ in 0..<2 {
            try await fixture.credentials.signIn(flow, account: given)
            tokens.append(try #require(try await fixture.store.load()))
        }
        #expect((tokens[0].account == tokens[1].account) == (account != nil))
        #expect(tokens[0].token.isAccountOfSignIn == (account == nil))
        if let account { #expect(tokens[1].account == account) }
        let copy = try JSONDecoder().decode(
            OAuthTokens.self, from: JSONEncoder().encode(tokens[1]))
        #expect(copy.token == tokens[1].token)
    }

    @Test("An account is named after its sign-in, also while a refresh is under way")
    func namedLater() async throws {
        let fixture = Fixture()
        fixture.stub.on(TokenRequest.self, .json(Self.renewed))
        let tokens = fixture.credentials
        await #expect(throws: SignInError.self) { try await tokens.nameAccount("ann") }
        try await fixture.store.save(OAuthTokens(accessToken: "a", refreshToken: "r"))
        let first = try #require(try await tokens.token())
        let ended = Locked<[String]>([])
        tokens.endedAccounts.addListener { id in ended.withLock { $0.append(id) } }
        async let refreshed = tokens.refresh(after: first)
        async let named: Void = tokens.nameAccount("ann")
        // The refresh may begin first or second; then it is of another account.
        _ = try? await refreshed
        try await named
        #expect(ended.withLock { $0 } == [first.accountID])
        try await tokens.nameAccount("ann")
        #expect(ended.withLock { $0 } == [first.accountID])
        let stored = try #require(try await fixture.store.load())
        #expect(stored.account == "ann")
        #expect(!stored.token.isAccountOfSignIn)
        #expect(!stored.isRefreshUnfinished)
    }

    static let leaks: [(StubResponse<TokenRequest>, name: String)] = [
        (.json(#"{"access_token": "S3CR3T", "refresh_token": "S3CR3T""#), "broken JSON"),
        (.json(#"{"access_token": {"S3CR3T": "tGzv3JOkF0XG5Qx2TlKWIA"}}"#), "another type"),
        (.json("<html>tGzv3JOkF0XG5Qx2TlKWIA", status: 500), "a page that repeats the token"),
        (
            .json(
                #"{"error": "x", "error_description": "tGzv3JOkF0XG5Qx2TlKWIA"}"#, status: 500),
            "a failure that repeats the token"
        ),
        (
            .json(
                #"{"error": "x", "error_description": "tGzv3JOkF0XG5Qx2TlKWIA"}"#, status: 400),
            "an error that repeats the token"
        ),
        (.json(#"{"error": "tGzv3JOkF0XG5Qx2TlKWIA"}"#, status: 400), "a name that is the token"),
        (.json("{}", status: 302, headers: ["Location": "https://h/S3CR3T"]), "a redirect"),
    ]

    @Test("No text of an error shows a token, whatever the server repeats", arguments: leaks)
    func noLeaks(row: (response: StubResponse<TokenRequest>, name: String)) async throws {
        let fixture = fixture()
        fixture.stub.on(TokenRequest.self, row.response)
        do {
            _ = try await fixture.credentials.refresh(after: Fixture.signedIn.token)
            Issue.record("no error")
        } catch {
            var text = "\(error) \(String(reflecting: error)) \(error.localizedDescription)"
            text += "\(SignInError(cause: error)) \(String(reflecting: SignInError(cause: error)))"
            dump(SignInError(cause: error), to: &text)
            #expect(!text.contains("S3CR3T"), "\(row.name): \(text)")
            #expect(!text.contains("tGzv3"), "\(row.name): \(text)")
        }
    }

    @Test("A life of 0 seconds doesn't make each request ask for another token")
    func noLife() async throws {
        let fixture = fixture()
        fixture.stub.on(
            TokenRequest.self, .json(#"{"access_token": "new", "expires_in": 0}"#))
        let tokens = fixture.credentials
        for _ in 0..<3 { _ = try await tokens.refresh(after: Fixture.signedIn.token) }
        #expect(fixture.forms.count == 1)
    }

    @Test("No description or dump shows a token")
    func hidden() {
        var text = ""
        let fixture = fixture()
        dump(fixture.credentials, to: &text)
        dump(Fixture.signedIn, to: &text)
        dump(MemoryOAuthStore(Fixture.signedIn), to: &text)
        dump(OAuthClient("a", .basic(secret: "tGzv")), to: &text)
        text += "\(fixture.credentials) \(Fixture.signedIn) \(String(reflecting: Fixture.signedIn))"
        #expect(!text.contains("2Yot"))
        #expect(!text.contains("tGzv"))
    }
}
