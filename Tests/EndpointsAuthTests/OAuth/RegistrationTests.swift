import Endpoints
import EndpointsMiddleware
import EndpointsShared
import EndpointsTesting
import Foundation
import Testing

@testable import EndpointsAuth

@Suite("Registering a client")
struct RegistrationTests {
    private static let redirect = "com.example.app:/signed-in"
    private static let token = #"{"access_token": "a", "refresh_token": "r"}"#

    private static func fixture(
        _ client: OAuthClient = .registered(as: "Tool"), methods: [String]? = nil,
        store: any OAuthStore = MemoryOAuthStore()
    ) -> Fixture {
        var fixture = Fixture(client: client, store: store)
        fixture.server.registrationURL = URL(string: "https://server.example.com/register")
        fixture.server.authenticationMethods = methods
        return fixture
    }

    /// Signs in with a browser that is redirected at once, and returns the page's `client_id`.
    @discardableResult
    private static func signIn(
        _ tokens: OAuthCredentials, redirect: String = redirect, scopes: [String]? = nil
    ) async throws -> String? {
        let id = Locked<String?>(nil)
        try await tokens.signIn(
            .browser(redirect: try #require(URL(string: redirect))) { page in
                let items = URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems
                func item(_ name: String) -> String? { items?.first { $0.name == name }?.value }
                id.withLock { $0 = item("client_id") }
                return try #require(
                    URL(string: "\(redirect)?code=c&state=\(item("state") ?? "")"))
            }, scopes: scopes)
        return id.withLock { $0 }
    }

    @Test("A client registers at its first sign-in, and is kept with the tokens")
    func first() async throws {
        let store = MemoryOAuthStore()
        let fixture = Self.fixture(store: store)
        fixture.stub.on(RegistrationRequest.self, .json(#"{"client_id": "id1"}"#, status: 201))
        fixture.stub.on(TokenRequest.self, .json(Self.token))
        #expect(try await Self.signIn(fixture.credentials, scopes: ["read"]) == "id1")
        #expect(
            fixture.stub.sent(RegistrationRequest.self).map(\.body) == [
                RegistrationRequest.Body(
                    client_name: "Tool", redirect_uris: [Self.redirect],
                    grant_types: ["authorization_code", "refresh_token"],
                    response_types: ["code"], token_endpoint_auth_method: "none", scope: "read")
            ])
        // Another run of the program refreshes, revokes and signs in with the same client.
        let data = try JSONEncoder().encode(try #require(store.load()))
        let kept = MemoryOAuthStore(try JSONDecoder().decode(OAuthTokens.self, from: data))
        let next = Self.fixture(store: kept)
        next.stub.on(TokenRequest.self, .json(Self.token))
        next.stub.on(RevocationRequest.self, .status(200))
        let tokens = next.credentials
        _ = try await tokens.refresh(after: try #require(try await tokens.token()))
        #expect(try await Self.signIn(tokens) == "id1")
        try await tokens.signOut()
        #expect(next.forms.map { $0["client_id"] } == ["id1", "id1"])
        let revoked = next.stub.sent(RevocationRequest.self)
        #expect(revoked.allSatisfy { $0.fields.contains { $0.value == "id1" } })
        // A sign-in after a sign-out needs no other client, but one with another redirect does.
        #expect(try await Self.signIn(tokens) == "id1")
        #expect(next.stub.sent(RegistrationRequest.self).isEmpty)
        next.stub.on(RegistrationRequest.self, .json(#"{"client_id": "id2"}"#))
        #expect(try await Self.signIn(tokens, redirect: "com.example.app:/other") == "id2")
    }

    private static let methods:
        [(server: [String]?, asked: String, response: String, Credentials?, inBody: String?)] = [
            (nil, "none", "", nil, nil),
            (["none", "client_secret_basic"], "none", "", nil, nil),
            (
                ["client_secret_basic"], "client_secret_basic", #", "client_secret": "s""#,
                .basic(username: "i", password: "s"), nil
            ),
            (
                ["private_key_jwt", "client_secret_post"], "client_secret_post",
                #", "client_secret": "s", "token_endpoint_auth_method": "client_secret_post""#,
                nil, "s"
            ),
            (["private_key_jwt"], "none", "", nil, nil),
            (
                nil, "none", #", "client_secret": "s", "token_endpoint_auth_method": "none""#,
                nil, nil
            ),
            (nil, "none", #", "client_secret": "s""#, .basic(username: "i", password: "s"), nil),
            (["client_secret_post"], "client_secret_post", #", "client_secret": """#, nil, nil),
        ]

    @Test(
        "A registered client proves who it is as the server has registered it",
        arguments: methods.indices)
    func authentication(row: Int) async throws {
        let row = Self.methods[row]
        let fixture = Self.fixture(methods: row.server)
        fixture.stub.on(
            RegistrationRequest.self, .json(#"{"client_id": "i"\#(row.response)}"#, status: 201))
        fixture.stub.on(TokenRequest.self, .json(Self.token))
        let tokens = fixture.credentials
        try await Self.signIn(tokens)
        _ = try await tokens.refresh(after: try #require(try await tokens.token()))
        #expect(
            fixture.stub.sent(RegistrationRequest.self).map(\.body.token_endpoint_auth_method)
                == [row.asked])
        for request in fixture.stub.sent(TokenRequest.self) {
            #expect(request.authorization == row.3)
            #expect(request.fields.first { $0.name == "client_secret" }?.value == row.inBody)
        }
        #expect(fixture.stub.sent(TokenRequest.self).count == 2)
    }

    private static let document = URL(string: "https://tool.example.com/client.json")
    private static let ids: [(OAuthClient, takesURLs: Bool, id: String, registrations: Int)] = [
        (OAuthClient("given"), true, "given", 0),
        (.registered(as: "Tool", orBy: document), true, "https://tool.example.com/client.json", 0),
        (.registered(as: "Tool", orBy: document), false, "id1", 1),
        (.registered(as: "Tool"), true, "id1", 1),
    ]

    @Test(
        "The id is the given one, or the URL of a document, or that of a registration",
        arguments: ids.indices)
    func order(row: Int) async throws {
        let row = Self.ids[row]
        var fixture = Self.fixture(row.0)
        fixture.server.takesMetadataURLs = row.takesURLs
        fixture.stub.on(RegistrationRequest.self, .json(#"{"client_id": "id1"}"#))
        fixture.stub.on(TokenRequest.self, .json(Self.token))
        let tokens = fixture.credentials
        #expect(try await Self.signIn(tokens) == row.id)
        _ = try await tokens.refresh(after: try #require(try await tokens.token()))
        #expect(fixture.forms.map { $0["client_id"] } == [row.id, row.id])
        #expect(fixture.stub.sent(RegistrationRequest.self).count == row.registrations)
    }

    private static let refusals: [(StubResponse<RegistrationRequest>, OAuthError.Code?)] = [
        (.json(#"{"error": "invalid_redirect_uri"}"#, status: 400), .invalidRedirectURI),
        (.json(#"{"error": "invalid_client_metadata"}"#, status: 400), .invalidClientMetadata),
        (.json("{}"), .unknown), (.json(#"{"client_id": ""}"#), .unknown),
        (.status(503), nil), (.status(302, headers: ["Location": "https://evil.example"]), nil),
    ]

    @Test(
        "A registration that fails is an error before a page is shown", arguments: refusals.indices)
    func refused(row: Int) async throws {
        let (response, code) = Self.refusals[row]
        let fixture = Self.fixture()
        fixture.stub.on(RegistrationRequest.self, response)
        do {
            try await fixture.credentials.signIn(
                .loopback { _ in Issue.record("a page was shown") })
            Issue.record("no error")
        } catch {
            #expect((error as? OAuthError)?.code == code)
        }
        #expect(fixture.forms.isEmpty)
    }

    @Test("Without a place to register, and for other ways to sign in, an id must be given")
    func idNeeded() async throws {
        var fixture = Self.fixture()
        let error = await #expect(throws: OAuthError.self) {
            try await fixture.credentials.signIn(.clientCredentials)
        }
        #expect(error?.code == .unauthorizedClient)
        fixture.server.registrationURL = nil
        let credentials = fixture.credentials
        let missing = await #expect(throws: OAuthError.self) { try await Self.signIn(credentials) }
        #expect(missing?.code == .missingURL)
        #expect(fixture.stub.sent(RegistrationRequest.self).isEmpty)
    }

    @Test(
        "A client that the server doesn't know any more registers anew at the next sign-in",
        arguments: [false, true])
    func forgotten(isAnew: Bool) async throws {
        let fixture = Self.fixture()
        fixture.stub.on(
            RegistrationRequest.self, .json(#"{"client_id": "id1"}"#),
            .json(#"{"client_id": "id2"}"#), .json(#"{"client_id": "id3"}"#))
        let refusal = StubResponse<TokenRequest>.json(
            #"{"error": "invalid_client"}"#, status: 401)
        fixture.stub.on(TokenRequest.self, refusal, .json(Self.token), refusal, .json(Self.token))
        let tokens = fixture.credentials
        await #expect(throws: OAuthError.self) { try await Self.signIn(tokens) }
        #expect(try await Self.signIn(tokens) == "id2")
        let token = try #require(try await tokens.token())
        let error = await #expect(throws: SignInError.self) {
            try await tokens.refresh(after: token)
        }
        #expect(error.map { "\($0)" }?.hasSuffix("sign in again") == true)
        #expect(try await !tokens.isSignedIn)
        // Another run of the program doesn't use the old client either.
        #expect(try await Self.signIn(isAnew ? fixture.credentials : tokens) == "id3")
    }

    @Test("A client whose secret has expired registers anew")
    func expiredSecret() async throws {
        let fixture = Self.fixture()
        fixture.stub.on(
            RegistrationRequest.self,
            .json(#"{"client_id": "1", "client_secret": "s", "client_secret_expires_at": 0}"#),
            .json(
                #"{"client_id": "2", "client_secret": "s", "client_secret_expires_at": 1700000100}"#
            ), .json(#"{"client_id": "3"}"#))
        fixture.stub.on(TokenRequest.self, .json(Self.token))
        let tokens = fixture.credentials
        #expect(try await Self.signIn(tokens) == "1")
        fixture.time.pass(1e9)
        #expect(try await Self.signIn(tokens) == "1")
        fixture.time.pass(-1e9)
        #expect(try await Self.signIn(tokens, redirect: "com.example.app:/b") == "2")
        #expect(try await Self.signIn(tokens, redirect: "com.example.app:/b") == "2")
        fixture.time.pass(101)
        #expect(try await Self.signIn(tokens, redirect: "com.example.app:/b") == "3")
    }

    @Test("A device registers without a redirect")
    func device() async throws {
        let fixture = Self.fixture()
        fixture.stub.on(RegistrationRequest.self, .json(#"{"client_id": "id1"}"#))
        fixture.stub.on(
            DeviceAuthorizationRequest.self,
            .json(
                #"{"device_code": "d", "user_code": "u", "verification_uri": "https://e.example"}"#
            ))
        fixture.stub.on(TokenRequest.self, .json(Self.token))
        let tokens = fixture.credentials
        for _ in 0..<2 { try await tokens.signIn(.device { _ in }) }
        let bodies = fixture.stub.sent(RegistrationRequest.self).map(\.body)
        #expect(bodies.map(\.redirect_uris) == [nil])
        #expect(
            bodies.map(\.grant_types)
                == [["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"]])
        #expect(fixture.forms.map { $0["client_id"] } == ["id1", "id1"])
    }

    /// Signs in at a port, and returns the redirect URL.
    private func redirect(_ fixture: Fixture, _ tokens: OAuthCredentials) async throws -> URL {
        let seen = Locked<URL?>(nil)
        try await tokens.signIn(
            .loopback { page in
                let items = URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems
                func item(_ name: String) -> String {
                    items?.first { $0.name == name }?.value ?? ""
                }
                let url = try #require(URL(string: item("redirect_uri")))
                seen.withLock { $0 = url }
                _ = try LoopbackListenerTests.answer(
                    to: "GET \(url.path)?code=c&state=\(item("state")) HTTP/1.1\r\n\r\n", at: url)
            })
        return try #require(seen.withLock { $0 })
    }

    @Test("The redirect to a port differs between servers, and stays the same for each")
    func ports() async throws {
        var paths: Set<String> = []
        for issuer in ["https://a.example", "https://b.example", nil] {
            var fixture = Self.fixture()
            fixture.server.issuer = issuer
            fixture.stub.on(RegistrationRequest.self, .json(#"{"client_id": "id1"}"#))
            fixture.stub.on(TokenRequest.self, .json(Self.token))
            let tokens = fixture.credentials
            let first = try await redirect(fixture, tokens)
            #expect(first.path.hasPrefix("/callback/"))
            paths.insert(first.path)
            // The port is closed by its thread, so that it may be another one.
            let second = try await redirect(fixture, tokens)
            #expect(second.path == first.path)
            let registered = fixture.stub.sent(RegistrationRequest.self).map(\.body.redirect_uris)
            #expect(registered.first == [first.absoluteString])
            #expect((registered.count == 1) == (second == first))
        }
        #expect(paths.count == 3)
        let given = Fixture()
        given.stub.on(TokenRequest.self, .json(Self.token))
        #expect(try await redirect(given, given.credentials).path == "/callback")
    }

    @Test("A sign-in at a port takes the one that the client is registered with")
    func samePort() async throws {
        let fixture = Self.fixture()
        fixture.stub.on(RegistrationRequest.self, .json(#"{"client_id": "other"}"#))
        fixture.stub.on(TokenRequest.self, .json(Self.token))
        let tokens = fixture.credentials
        let path = "/callback/" + Digest("https://server.example.com").hex.prefix(16)
        let known = try LoopbackListener(path: path, port: 0).redirect
        tokens.caller.registrations.keep(
            Registration(
                id: "known", secret: nil, isInBody: false, expires: nil,
                redirect: known.absoluteString))
        #expect(try await redirect(fixture, tokens) == known)
        #expect(fixture.stub.sent(RegistrationRequest.self).isEmpty)
    }

    @Test("No text or dump shows a registered secret")
    func hidden() async throws {
        let fixture = Self.fixture()
        fixture.stub.on(
            RegistrationRequest.self, .json(#"{"client_id": "i", "client_secret": "S3CR3T"}"#))
        fixture.stub.on(
            TokenRequest.self, .json(Self.token),
            .json(#"{"error": "x", "error_description": "S3CR3T"}"#, status: 400))
        let tokens = fixture.credentials
        try await Self.signIn(tokens)
        var text = ""
        dump(tokens, to: &text)
        dump(try await tokens.tokens, to: &text)
        let token = try #require(try await tokens.token())
        do { _ = try await tokens.refresh(after: token) } catch {
            text += "\(error) \(String(reflecting: error))"
        }
        #expect(text.contains("`x`"))
        #expect(!text.contains("S3CR3T"))
    }
}
