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

/// Responds to GETs by their URLs, and notes these.
final class Pages: Transport {
    let pages: [String: String]
    let asked = Locked<[String]>([])

    init(_ pages: [String: String]) { self.pages = pages }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let url = try #require(request.urlRequest.url)
        asked.withLock { $0.append(url.absoluteString) }
        let page = pages[url.absoluteString]
        let head = try #require(
            HTTPURLResponse(
                url: url, statusCode: page == nil ? 404 : 200, httpVersion: "HTTP/1.1",
                headerFields: ["Content-Type": "application/json"]))
        return TransportResponse(Data((page ?? "no").utf8), head)
    }
}

@Suite("Discovering authorization servers")
struct DiscoveryTests {
    @Test("All metadata is read, and its places are asked in order")
    func places() async throws {
        let json = """
            {"issuer": "https://h.example/t", "authorization_endpoint": "https://h.example/a",
            "token_endpoint": "https://other.example/t", "revocation_endpoint": "https://h.example/r",
            "device_authorization_endpoint": "https://h.example/d", "scopes_supported": ["a"],
            "registration_endpoint": "https://h.example/reg",
            "client_id_metadata_document_supported": true,
            "token_endpoint_auth_methods_supported": ["none"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": true}
            """
        let places = [
            "https://h.example/.well-known/oauth-authorization-server/t",
            "https://h.example/.well-known/openid-configuration/t",
            "https://h.example/t/.well-known/openid-configuration",
        ]
        for (index, place) in places.enumerated() {
            let pages = Pages([place: json])
            let server = try await OAuthServer.discover("https://h.example/t", transport: pages)
            #expect(server.tokenURL?.absoluteString == "https://other.example/t")
            #expect(server.authorizationURL?.absoluteString == "https://h.example/a")
            #expect(server.deviceAuthorizationURL?.absoluteString == "https://h.example/d")
            #expect(server.revocationURL?.absoluteString == "https://h.example/r")
            #expect(server.scopes == ["a"])
            #expect(server.registrationURL?.absoluteString == "https://h.example/reg")
            #expect(server.takesMetadataURLs)
            #expect(server.authenticationMethods == ["none"])
            #expect(server.namesItselfInRedirects)
            #expect(pages.asked.withLock { $0 } == Array(places[...index]))
        }
    }

    static let hostile: [(issuer: String, json: String, OAuthError.Code?)] = [
        (
            "https://h.example",
            #"{"issuer": "https://h.example", "token_endpoint": "https://h/t"}"#, nil
        ),
        ("https://h.example", #"{"issuer": "https://h.example/"}"#, .wrongIssuer),
        ("https://h.example", #"{"issuer": "https://evil.example"}"#, .wrongIssuer),
        ("https://h.example", "{}", .wrongIssuer),
        ("http://h.example", "{}", .insecureURL),
        ("https://h.example?a", "{}", .insecureURL),
        ("https://u@h.example", "{}", .insecureURL),
        (
            "https://h.example",
            #"{"issuer": "https://h.example", "token_endpoint": "http://h.example/t"}"#,
            .unusableMetadata
        ),
        (
            "https://h.example",
            #"{"issuer": "https://h.example", "token_endpoint": "http://127.0.0.1/t"}"#,
            .unusableMetadata
        ),
        (
            "https://h.example",
            #"{"issuer": "https://h.example", "authorization_endpoint": "javascript:alert(1)"}"#,
            .unusableMetadata
        ),
        (
            "https://h.example",
            #"{"issuer": "https://h.example", "revocation_endpoint": "file:///etc/passwd"}"#,
            .unusableMetadata
        ),
        (
            "https://h.example",
            #"{"issuer": "https://h.example", "token_endpoint": "https://u@h.example/t"}"#,
            .unusableMetadata
        ),
        (
            "https://h.example",
            #"{"issuer": "https://h.example", "token_endpoint": "https://h.example/\#(String(repeating: "x", count: 2000))"}"#,
            .unusableMetadata
        ),
        (
            "https://h.example",
            #"{"issuer": "https://h.example", "registration_endpoint": "http://h.example/r"}"#,
            .unusableMetadata
        ),
        (
            "http://127.0.0.1:1",
            #"{"issuer": "http://127.0.0.1:1", "token_endpoint": "http://127.0.0.1:1/t"}"#, nil
        ),
    ]

    @Test(
        "Metadata is used only if it is of the server that was asked, and has https",
        arguments: hostile)
    func refused(row: (issuer: String, json: String, code: OAuthError.Code?)) async throws {
        let pages = Pages(["\(row.issuer)/.well-known/oauth-authorization-server": row.json])
        do {
            _ = try await OAuthServer.discover(row.issuer, transport: pages)
            #expect(row.code == nil)
        } catch let error as OAuthError {
            #expect(error.code == row.code)
        }
    }

    @Test("Metadata of more than 1 MB isn't read")
    func size() async throws {
        let pages = Pages([
            "https://h.example/.well-known/oauth-authorization-server":
                #"{"issuer": "https://h.example", "x": "\#(String(repeating: "x", count: 1 << 20))"}"#
        ])
        await #expect(throws: EndpointTaskError<EmptyResponse>.self) {
            try await OAuthServer.discover("https://h.example", transport: pages)
        }
    }

    @Test("Without metadata, the first place's error is thrown")
    func none() async throws {
        let error = await #expect(throws: EndpointTaskError<EmptyResponse>.self) {
            try await OAuthServer.discover("https://h.example", transport: Pages([:]))
        }
        #expect(error?.httpResponse?.statusCode == 404)
    }

    static let resources: [(url: String, named: String?, at: String, json: String, servers: Int?)] =
        [
            (
                "https://api.example/mcp", nil,
                "https://api.example/.well-known/oauth-protected-resource/mcp",
                #"{"resource": "https://api.example/mcp", "authorization_servers": ["https://a", "https://b"]}"#,
                2
            ),
            (
                "https://api.example/mcp/x", nil,
                "https://api.example/.well-known/oauth-protected-resource",
                #"{"resource": "https://api.example/mcp", "authorization_servers": ["https://a"]}"#,
                1
            ),
            (
                "https://api.example/mcp", "https://api.example/meta", "https://api.example/meta",
                #"{"resource": "https://api.example/", "authorization_servers": ["https://a", "http://b"]}"#,
                1
            ),
            (
                "https://api.example/mcp", "https://evil.example/meta", "https://evil.example/meta",
                #"{"resource": "https://api.example/mcp", "authorization_servers": ["https://a"]}"#,
                nil
            ),
            (
                "https://api.example/mcp", nil,
                "https://api.example/.well-known/oauth-protected-resource/mcp",
                #"{"resource": "https://evil.example/mcp", "authorization_servers": ["https://a"]}"#,
                nil
            ),
            (
                "https://api.example/mcp", nil,
                "https://api.example/.well-known/oauth-protected-resource/mcp",
                #"{"resource": "https://api.example/mcp", "authorization_servers": ["http://127.0.0.1:1"]}"#,
                nil
            ),
            (
                "https://api.example/mcp", nil,
                "https://api.example/.well-known/oauth-protected-resource/mcp",
                #"{"resource": "https://api.example/mcp#x", "authorization_servers": ["https://a"]}"#,
                nil
            ),
            (
                "https://api.example/mcp", nil,
                "https://api.example/.well-known/oauth-protected-resource/mcp",
                #"{"resource": "https://api.example/mc", "authorization_servers": ["https://a"]}"#,
                nil
            ),
            (
                "https://api.example/mcp", nil,
                "https://api.example/.well-known/oauth-protected-resource/mcp",
                #"{"resource": "https://api.example/mcp", "authorization_servers": ["http://a"]}"#,
                nil
            ),
            (
                "https://api.example/mcp", nil,
                "https://api.example/.well-known/oauth-protected-resource/mcp",
                #"{"resource": "https://api.example/mcp?x", "authorization_servers": ["https://a"]}"#,
                nil
            ),
            ("http://api.example/mcp", nil, "", "{}", nil),
        ]

    @Test("The metadata of an API is used only if it is that API's", arguments: resources)
    func resource(
        row: (url: String, named: String?, at: String, json: String, servers: Int?)
    ) async throws {
        let url = try #require(URL(string: row.url))
        let challenge = row.named.flatMap {
            OAuthChallenge(field: #"Bearer resource_metadata="\#($0)""#)
        }
        do {
            let resource = try await OAuthResource.discover(
                url, challenge: challenge, transport: Pages([row.at: row.json]))
            #expect(resource.servers.count == row.servers)
        } catch is OAuthError {
            #expect(row.servers == nil)
        }
    }

    static let challenges: [(field: String, error: String?, scopes: [String], isOne: Bool)] = [
        ("Bearer", nil, [], true),
        (#"Bearer realm="a, b", error="invalid_token""#, "invalid_token", [], true),
        (
            #"Basic realm="x", bearer error="insufficient_scope", scope="a b", DPoP scope=c"#,
            "insufficient_scope", ["a", "b"], true
        ),
        (#"DPoP error=insufficient_scope,scope=a"#, "insufficient_scope", ["a"], true),
        (#"Negotiate abc==, Bearer scope="a""#, nil, ["a"], true),
        (#"Bearer error="one", error="two""#, "one", [], true),
        (#"Basic realm="Bearer error=x""#, nil, [], false),
        ("", nil, [], false), (",,,", nil, [], false), ("=", nil, [], false),
        ("\"", nil, [], false),
    ]

    @Test("A challenge for a token is found among others", arguments: challenges)
    func challenge(row: (field: String, error: String?, scopes: [String], isOne: Bool)) {
        let challenge = OAuthChallenge(field: row.field)
        #expect((challenge != nil) == row.isOne)
        #expect(challenge?.error == row.error)
        #expect((challenge?.scopes ?? []) == row.scopes)
    }

    @Test(
        "A sign-in for a challenge asks for the scopes that there are, and the missing ones, once")
    func stepUp() async throws {
        var stored = Fixture.signedIn
        stored.scopes = ["read"]
        let fixture = Fixture(store: MemoryOAuthStore(stored))
        fixture.stub.on(TokenRequest.self, .json(#"{"access_token": "a"}"#))
        let challenge = try #require(
            OAuthChallenge(field: #"Bearer error="insufficient_scope", scope="read write""#))
        try await fixture.credentials.signIn(.clientCredentials, for: challenge)
        #expect(fixture.forms.last?["scope"] == "read write")
        let error = await #expect(throws: OAuthError.self) {
            try await fixture.credentials.signIn(.clientCredentials, for: challenge)
        }
        #expect(error?.code == .invalidScope)
        #expect(fixture.forms.count == 1)
    }

    @Test("A token is exchanged with its type, the audience and the resource")
    func exchange() async throws {
        let fixture = Fixture()
        fixture.stub.on(
            TokenRequest.self,
            .json(
                #"{"access_token": "a", "token_type": "N_A", "issued_token_type": "x"}"#),
            .json(#"{"access_token": "a", "token_type": "Bearer"}"#))
        let resource = try #require(URL(string: "https://api.example.com/mcp"))
        let tokens = OAuthCredentials(
            for: ServerEnvironment.api, server: .example, client: OAuthClient("a"),
            resources: [resource], transport: fixture.stub)
        try await tokens.signIn(.exchange(.idToken, audience: "api") { "subject" })
        #expect(
            fixture.forms == [
                [
                    "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
                    "subject_token": "subject", "audience": "api",
                    "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
                    "resource": "https://api.example.com/mcp", "client_id": "a",
                ]
            ])
    }

    static let origins: [(url: String, json: String?, token: String?, register: String?)] = [
        (
            "https://h.example/mcp",
            #"{"issuer": "https://h.example", "token_endpoint": "https://h.example/x"}"#,
            "https://h.example/x", nil
        ),
        (
            "https://h.example/mcp/y?z",
            #"{"issuer": "https://h.example/", "token_endpoint": "https://h.example/x"}"#,
            "https://h.example/x", nil
        ),
        ("https://h.example/mcp", #"{"issuer": "https://evil.example"}"#, nil, nil),
        ("https://h.example/mcp", "<html>", nil, nil),
        ("https://h.example/mcp", nil, "https://h.example/token", "https://h.example/register"),
        (
            "http://127.0.0.1:1/mcp", nil, "http://127.0.0.1:1/token", "http://127.0.0.1:1/register"
        ),
        ("http://h.example/mcp", nil, nil, nil),
    ]

    @Test("The server of an API without metadata is at the API's origin", arguments: origins)
    func origin(
        row: (url: String, json: String?, token: String?, register: String?)
    ) async throws {
        let url = try #require(URL(string: row.url))
        let place = "https://h.example/.well-known/oauth-authorization-server"
        let pages = Pages(row.json.map { [place: $0] } ?? [:])
        do {
            let server = try await OAuthServer.discover(atOriginOf: url, transport: pages)
            #expect(server.tokenURL?.absoluteString == row.token)
            #expect(server.registrationURL?.absoluteString == row.register)
            #expect(row.register == nil || server.authorizationURL?.path == "/authorize")
        } catch {
            #expect(row.token == nil)
        }
    }

    @Test(
        "Only a server that knows the scope is asked for offline access",
        arguments: [
            ([String]?.none, [String]()), (["a"], []),
            (["a", "offline_access"], ["offline_access"]),
        ])
    func offline(row: (known: [String]?, asked: [String])) {
        var server = OAuthServer.example
        server.scopes = row.known
        #expect(server.offlineScopes == row.asked)
    }

    @Test("A server that fails, or was asked too often, isn't taken for one without metadata")
    func failing() async throws {
        let url = try #require(URL(string: "https://h.example"))
        for (status, count) in [(503, 1), (429, 1)] {
            let asked = Locked(0)
            let transport = Respond { _ in
                asked.withLock { $0 += 1 }
                return TransportResponse(Data(), try Message.head(status))
            }
            await #expect(throws: EndpointTaskError<EmptyResponse>.self) {
                try await OAuthServer.discover(atOriginOf: url, transport: transport)
            }
            #expect(asked.withLock { $0 } == count)
        }
        let asked = Locked(0)
        let transport = Respond { _ in
            asked.withLock { $0 += 1 }
            return TransportResponse(Data(), try Message.head(503))
        }
        await #expect(throws: EndpointTaskError<EmptyResponse>.self) {
            try await OAuthServer.discover("https://h.example", transport: transport)
        }
        #expect(asked.withLock { $0 } == 1)
    }

    @Test("A challenge of more than 16 KB isn't read")
    func longChallenge() throws {
        for (count, isRead) in [(16_000, true), (17_000, false)] {
            let realm = String(repeating: "x", count: count)
            let head = try Message.head(401, ["WWW-Authenticate": "Bearer realm=\(realm)"])
            #expect((OAuthChallenge(head) != nil) == isRead)
        }
    }

    @Test("An assertion is sent as it is")
    func assertion() async throws {
        let fixture = Fixture()
        fixture.stub.on(TokenRequest.self, .json(#"{"access_token": "a"}"#))
        try await fixture.credentials.signIn(.assertion { "j.w.t" }, scopes: ["a"])
        #expect(
            fixture.forms == [
                [
                    "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
                    "assertion": "j.w.t", "scope": "a", "client_id": "s6BhdRkqt3",
                ]
            ])
    }

    private static let idJAG = "urn:ietf:params:oauth:token-type:id-jag"

    @Test("A company's ID token is exchanged for an assertion, and that for a token")
    func identity() async throws {
        let fixture = Fixture()
        fixture.stub.on(
            TokenRequest.self,
            .json(
                #"{"access_token": "jag", "token_type": "N_A", "issued_token_type": "\#(Self.idJAG)"}"#
            ), .json(#"{"access_token": "a", "token_type": "Bearer"}"#))
        let resource = try #require(URL(string: "https://api.example.com/mcp"))
        let tokens = OAuthCredentials(
            for: ServerEnvironment.api, server: .example, client: OAuthClient("api-client"),
            resources: [resource], transport: fixture.stub)
        let company = OAuthServer(tokenURL: URL(string: "https://idp.example.com/token"))
        try await tokens.signIn(
            .identity(from: company, as: OAuthClient("company-client")) { "id.to.ken" },
            scopes: ["read"])
        #expect(
            fixture.forms == [
                [
                    "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
                    "requested_token_type": Self.idJAG, "audience": "https://server.example.com",
                    "subject_token": "id.to.ken", "scope": "read",
                    "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
                    "resource": "https://api.example.com/mcp", "client_id": "company-client",
                ],
                [
                    "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
                    "assertion": "jag", "scope": "read",
                    "resource": "https://api.example.com/mcp", "client_id": "api-client",
                ],
            ])
        #expect(try await tokens.token()?.credentials == .bearer("a"))
    }

    @Test(
        "What isn't an assertion isn't sent to the API's server",
        arguments: [
            #"{"access_token": "a", "issued_token_type": "urn:ietf:params:oauth:token-type:jwt"}"#,
            #"{"access_token": "a"}"#,
            #"{"issued_token_type": "urn:ietf:params:oauth:token-type:id-jag"}"#,
        ])
    func noIdentity(json: String) async throws {
        let fixture = Fixture()
        fixture.stub.on(TokenRequest.self, .json(json))
        let company = OAuthServer(tokenURL: URL(string: "https://idp.example.com/token"))
        let error = await #expect(throws: OAuthError.self) {
            try await fixture.credentials.signIn(
                .identity(from: company, as: OAuthClient("c")) { "i" })
        }
        #expect(error?.code == .unusableToken)
        #expect(fixture.forms.count == 1)
    }

    @Test("Signing out removes the tokens, and revokes both")
    func signOut() async throws {
        let fixture = Fixture(store: MemoryOAuthStore(Fixture.signedIn))
        fixture.stub.on(
            RevocationRequest.self, .status(200),
            .json(#"{"error": "unsupported_token_type"}"#, status: 400))
        try await fixture.credentials.signOut()
        #expect(try await fixture.store.load() == nil)
        #expect(
            fixture.stub.sent(RevocationRequest.self).map { $0.fields.prefix(2).map(\.value) }
                == [
                    ["tGzv3JOkF0XG5Qx2TlKWIA", "refresh_token"],
                    ["2YotnFZFEjr1zCsicMWpAA", "access_token"],
                ])
    }

    @Test("If revoking fails, the tokens are removed all the same, and the error is thrown")
    func failedSignOut() async throws {
        let fixture = Fixture(store: MemoryOAuthStore(Fixture.signedIn))
        fixture.stub.on(RevocationRequest.self, .status(503))
        await #expect(throws: (any Error).self) { try await fixture.credentials.signOut() }
        #expect(try await fixture.store.load() == nil)
    }
}
