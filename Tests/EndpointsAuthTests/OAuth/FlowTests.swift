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

@Suite("Signing in on another device")
struct DeviceFlowTests {
    // RFC 8628, section 3.2.
    private static let codes = """
        {
          "device_code": "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS",
          "user_code": "WDJB-MJHT",
          "verification_uri": "https://example.com/device",
          "verification_uri_complete": "https://example.com/device?user_code=WDJB-MJHT",
          "expires_in": 1800,
          "interval": 5
        }
        """
    private static let token = #"{"access_token": "a", "token_type": "bearer"}"#

    private static func error(_ name: String) -> StubResponse<TokenRequest> {
        .json(#"{"error": "\#(name)"}"#, status: 400)
    }

    @Test("The server is asked at its interval, 5 seconds more after slow_down, until it answers")
    func polling() async throws {
        let fixture = Fixture()
        fixture.stub.on(DeviceAuthorizationRequest.self, .json(Self.codes))
        fixture.stub.on(
            TokenRequest.self, Self.error("authorization_pending"), Self.error("slow_down"),
            .throwing(URLError(.timedOut)), Self.error("authorization_pending"), .json(Self.token))
        let shown = Locked<[OAuthDeviceCode]>([])
        try await fixture.credentials.signIn(
            .device { code in shown.withLock { $0.append(code) } }, scopes: ["read"])
        #expect(fixture.time.waits == [5, 5, 10, 20, 20])
        #expect(
            fixture.forms.last == [
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
                "device_code": "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS",
                "client_id": "s6BhdRkqt3",
            ])
        let code = try #require(shown.withLock { $0 }.first)
        #expect(code.userCode == "WDJB-MJHT")
        #expect(code.verificationURI.absoluteString == "https://example.com/device")
        #expect(code.expires == Date(timeIntervalSince1970: 1_700_001_800))
        #expect(!"\(code)".contains("WDJB"))
        #expect(try await fixture.credentials.isSignedIn)
        #expect(try await fixture.store.load()?.scopes == ["read"])
    }

    @Test("A server that fails or was asked too often is asked again, at most once a second")
    func failing() async throws {
        let fixture = Fixture()
        fixture.stub.on(
            DeviceAuthorizationRequest.self,
            .json(
                #"{"device_code": "d", "user_code": "u", "interval": 0, "#
                    + #""verification_url": "https://example.com/device"}"#))
        fixture.stub.on(
            TokenRequest.self, .status(503), .status(429),
            .json(#"{"error": "x"}"#, status: 429), .json(Self.token))
        try await fixture.credentials.signIn(.device { _ in })
        #expect(fixture.time.waits == [1, 2, 4, 8])
    }

    static let ends: [(String, OAuthError.Code)] = [
        ("access_denied", .accessDenied), ("expired_token", .expiredToken),
        ("invalid_grant", .invalidGrant),
    ]

    @Test("The sign-in ends when the server says so", arguments: ends)
    func ended(row: (name: String, code: OAuthError.Code)) async throws {
        let fixture = Fixture(store: MemoryOAuthStore(Fixture.signedIn))
        fixture.stub.on(DeviceAuthorizationRequest.self, .json(Self.codes))
        fixture.stub.on(TokenRequest.self, Self.error(row.name))
        let error = await #expect(throws: OAuthError.self) {
            try await fixture.credentials.signIn(.device { _ in })
        }
        #expect(error?.code == row.code)
        #expect(try await fixture.store.load() == Fixture.signedIn)
    }

    @Test("The sign-in ends when the code has expired, even if the server never says so")
    func expired() async throws {
        let fixture = Fixture()
        fixture.stub.on(DeviceAuthorizationRequest.self, .json(Self.codes))
        fixture.stub.on(TokenRequest.self, Self.error("authorization_pending"))
        let error = await #expect(throws: OAuthError.self) {
            try await fixture.credentials.signIn(.device { _ in })
        }
        #expect(error?.code == .expiredToken)
        #expect(fixture.time.waits.reduce(0, +) == 1800)
    }

    @Test("Cancelling the task ends the wait")
    func cancelled() async throws {
        let fixture = Fixture()
        fixture.stub.on(DeviceAuthorizationRequest.self, .json(Self.codes))
        let task = Task {
            try await fixture.credentials.signIn(
                .device { _ in withUnsafeCurrentTask { $0?.cancel() } })
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(fixture.forms.isEmpty)
    }

    static let unusable = [
        #"{"device_code": "d", "user_code": "u", "verification_uri": "javascript:alert(1)"}"#,
        #"{"device_code": "d", "user_code": "u", "verification_uri": "file:///etc"}"#,
        #"{"user_code": "u", "verification_uri": "https://example.com"}"#, "{}",
        #"{"device_code": "d", "user_code": "", "verification_uri": "https://example.com"}"#,
        #"{"device_code": "d", "user_code": "u\u001b[2J", "verification_uri": "https://a.example"}"#,
        #"{"device_code": "d", "user_code": "u\u202e", "verification_uri": "https://a.example"}"#,
    ]

    @Test(
        "A response without codes, or with a page that isn't one of the web, is an error",
        arguments: unusable)
    func noCodes(json: String) async throws {
        let fixture = Fixture()
        fixture.stub.on(DeviceAuthorizationRequest.self, .json(json))
        await #expect(throws: OAuthError.self) {
            try await fixture.credentials.signIn(.device { _ in Issue.record("shown") })
        }
    }
}

@Suite("Signing in with a browser")
struct BrowserFlowTests {
    private static let redirect = "com.example.app:/signed-in"

    /// Signs in with a browser that is redirected to the URL which a function makes.
    private func signIn(
        _ fixture: Fixture, _ answer: @escaping @Sendable (_ state: String) -> String
    ) async throws {
        let redirect = try #require(URL(string: Self.redirect))
        try await fixture.credentials.signIn(
            .browser(redirect: redirect) { url in
                let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
                let state = items?.first { $0.name == "state" }?.value
                return try #require(URL(string: answer(state ?? "")))
            }, scopes: ["read", "write"])
    }

    @Test("The code is exchanged with the verifier of the challenge")
    func exchange() async throws {
        var fixture = Fixture()
        fixture.server.authorizationURL = URL(string: "https://server.example.com/authorize?p=1")
        fixture.stub.on(TokenRequest.self, .json(#"{"access_token": "a"}"#))
        let opened = Locked<URL?>(nil)
        let redirect = try #require(URL(string: Self.redirect))
        try await fixture.credentials.signIn(
            .browser(redirect: redirect, adding: [URLQueryItem(name: "state", value: "evil")]) {
                url in
                opened.withLock { $0 = url }
                let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
                let state = items?.first { $0.name == "state" }?.value ?? ""
                return try #require(
                    URL(string: "\(Self.redirect)?code=SplxlOBeZQQYbYS6WxSbIA&state=\(state)"))
            }, scopes: ["read", "write"])
        let url = try #require(opened.withLock { $0 })
        let items = try #require(
            URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems)
        let values = Dictionary(grouping: items, by: \.name).mapValues { $0.map { $0.value ?? "" } }
        let verifier = try #require(fixture.forms.first?["code_verifier"])
        #expect(values["p"] == ["1"])
        #expect(values["response_type"] == ["code"])
        #expect(values["client_id"] == ["s6BhdRkqt3"])
        #expect(values["redirect_uri"] == [Self.redirect])
        #expect(values["scope"] == ["read write"])
        #expect(values["state"]?.count == 1)
        #expect(values["code_challenge"] == [CodeChallenge(verifier: verifier).challenge])
        #expect(values["code_challenge_method"] == ["S256"])
        #expect(
            fixture.forms == [
                [
                    "grant_type": "authorization_code", "code": "SplxlOBeZQQYbYS6WxSbIA",
                    "redirect_uri": Self.redirect, "code_verifier": verifier,
                    "client_id": "s6BhdRkqt3",
                ]
            ])
    }

    static let redirects: [(String, names: Bool, OAuthError.Code?)] = [
        ("com.example.app:/signed-in?code=c&state=%S", false, nil),
        ("COM.example.app:/signed-in?code=c&state=%S&iss=https://server.example.com", true, nil),
        ("com.example.app:/signed-in?code=c&state=x", false, .wrongRedirect),
        ("com.example.app:/signed-in?code=c", false, .wrongRedirect),
        ("com.example.app:/signed-in?code=c&state=%S&state=%S", false, .wrongRedirect),
        ("com.example.app:/other?code=c&state=%S", false, .wrongRedirect),
        ("com.example.evil:/signed-in?code=c&state=%S", false, .wrongRedirect),
        ("com.example.app:/signed-in?state=%S", false, .wrongRedirect),
        ("com.example.app:/signed-in?code=&state=%S", false, .wrongRedirect),
        ("com.example.app:/signed-in?code=c&code=d&state=%S", false, .wrongRedirect),
        (
            "com.example.app:/signed-in?code=c&state=%S&iss=https://evil.example", false,
            .wrongIssuer
        ),
        (
            "com.example.app:/signed-in?error=access_denied&state=%S&iss=https://evil.example",
            false, .wrongIssuer
        ),
        ("com.example.app:/signed-in?code=c&state=%S", true, .wrongIssuer),
        ("com.example.app:/signed-in?error=access_denied&state=%S", false, .accessDenied),
        ("com.example.app:/signed-in?error=access_denied&state=x", false, .wrongRedirect),
    ]

    @Test("Only the right redirect of the right server is used", arguments: redirects)
    func redirected(row: (url: String, names: Bool, code: OAuthError.Code?)) async throws {
        var fixture = Fixture()
        fixture.server.namesItselfInRedirects = row.names
        fixture.stub.on(TokenRequest.self, .json(#"{"access_token": "a"}"#))
        do {
            try await signIn(fixture) { row.url.replacingOccurrences(of: "%S", with: $0) }
            #expect(row.code == nil)
        } catch let error as OAuthError {
            #expect(error.code == row.code)
            #expect(fixture.forms.isEmpty)
        }
    }

    private static let addresses: [(redirect: String, url: String, isOne: Bool)] = [
        ("http://127.0.0.1:1/c", "http://127.0.0.1:1/c?state=%S", true),
        ("http://127.0.0.1:1/c", "http://127.0.0.1:2/c?state=%S", false),
        ("http://127.0.0.1:1/c", "http://ann@127.0.0.1:1/c?state=%S", false),
        ("http://127.0.0.1:1/c", "http://:pw@127.0.0.1:1/c?state=%S", false),
        ("https://app.example", "https://APP.example/?state=%S", true),
        ("https://app.example/c", "http://app.example/c?state=%S", false),
        ("https://app.example/c", "https://app.example/C?state=%S", false),
    ]

    @Test("A redirect has the scheme, host, port and path of its URL", arguments: addresses.indices)
    func address(row: Int) throws {
        let row = Self.addresses[row]
        let attempt = BrowserAttempt(redirect: try #require(URL(string: row.redirect)))
        let url = row.url.replacingOccurrences(of: "%S", with: attempt.state)
        #expect(attempt.isRedirect(try #require(URL(string: url))) == row.isOne)
    }

    @Test("A server without PKCE, or whose name can't be checked, gets no sign-in")
    func unusable() async throws {
        var plain = Fixture()
        plain.server.codeChallengeMethods = ["plain"]
        var nameless = Fixture()
        nameless.server.issuer = nil
        nameless.server.namesItselfInRedirects = true
        for fixture in [plain, nameless] {
            let error = await #expect(throws: OAuthError.self) {
                try await signIn(fixture) { _ in
                    Issue.record("a page was shown")
                    return Self.redirect
                }
            }
            #expect(error?.code == .unusableMetadata)
        }
    }

    @Test("The text of an error in a redirect is shown")
    func errorText() async throws {
        let error = await #expect(throws: OAuthError.self) {
            try await signIn(Fixture()) {
                "\(Self.redirect)?error=access_denied&error_description=Not+today&state=\($0)"
            }
        }
        #expect(
            error?.description
                == "the authorization server refused with `access_denied` (Not today); nobody has signed in"
        )
    }
}
