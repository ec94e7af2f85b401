import Endpoints
import EndpointsAuth
import EndpointsTesting
import Foundation
import Testing

/// A case's name in a log, and what differs from the usual servers.
struct Row<Expected: Sendable>: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let setup: World.Setup
    let expected: Expected

    init(
        _ name: String, _ expected: Expected,
        _ change: (inout World.Setup) -> Void = { _ in }
    ) {
        var setup = World.Setup()
        change(&setup)
        (testDescription, self.setup, self.expected) = (name, setup, expected)
    }
}

/// The rows have the names of the scenarios of the Model Context Protocol's own suite:
/// https://github.com/modelcontextprotocol/conformance
@Suite("Tools")
struct ToolTests {
    static let tools = "https://tools.example/.well-known/oauth-protected-resource"
    static let login = "https://login.example"

    func server(_ world: World, _ client: OAuthClient = OAuthClient("tool")) throws -> ToolServer {
        ToolServer(
            try #require(URL(string: "https://tools.example/mcp")),
            signingIn: .browser(redirect: try #require(URL(string: "http://127.0.0.1:7/done"))) {
                try await world.redirect(from: $0)
            }, transport: world, client: { _ in client })
    }

    @Test("The tools are listed and called after one sign-in")
    func listAndCall() async throws {
        let world = World(World.Setup())
        let server = try server(world)
        #expect(try await server.tools().map(\.name) == ["test-tool"])
        #expect(try await server.call("test-tool", ["text": "a"]) == ["test"])
        #expect(
            await world.calls == [
                "tools/list ", "tools/list login.example-1", "tools/call login.example-1",
            ])
        #expect(await world.pages.count == 1)
    }

    static let discoveries = [
        Row(
            "auth/metadata-default",
            ["\(tools)/mcp", "\(login)/.well-known/oauth-authorization-server"]),
        Row(
            "auth/metadata-var1",
            [
                "\(tools)/mcp", "\(login)/.well-known/oauth-authorization-server",
                "\(login)/.well-known/openid-configuration",
            ]
        ) {
            $0.namesPlace = false
            $0.serverPlace = "\(login)/.well-known/openid-configuration"
        },
        Row(
            "auth/metadata-var2",
            ["\(tools)/mcp", tools, "\(login)/.well-known/oauth-authorization-server/tenant1"]
        ) {
            $0.namesPlace = false
            $0.resourcePlace = tools
            $0.resource = "https://tools.example"
            $0.issuer = "\(login)/tenant1"
            $0.serverPlace = "\(login)/.well-known/oauth-authorization-server/tenant1"
        },
        Row(
            "auth/metadata-var3",
            [
                "https://tools.example/custom/metadata/location.json",
                "\(login)/.well-known/oauth-authorization-server/tenant1",
                "\(login)/.well-known/openid-configuration/tenant1",
                "\(login)/tenant1/.well-known/openid-configuration",
            ]
        ) {
            $0.resourcePlace = "https://tools.example/custom/metadata/location.json"
            $0.issuer = "\(login)/tenant1"
            $0.serverPlace = "\(login)/tenant1/.well-known/openid-configuration"
        },
    ]

    @Test(
        "Metadata is asked for where the challenge says, or else in the protocol's order",
        arguments: discoveries)
    func discovery(row: Row<[String]>) async throws {
        let world = World(row.setup)
        _ = try await server(world).tools()
        #expect(await world.places == row.expected)
    }

    static let scopes: [Row<String?>] = [
        Row("auth/scope-from-www-authenticate", "mcp:basic") {
            $0.scopeInChallenge = "mcp:basic"
            $0.scopesInMetadata = ["mcp:other"]
        },
        Row("auth/scope-from-scopes-supported", "mcp:basic mcp:read mcp:write") {
            $0.scopesInMetadata = ["mcp:basic", "mcp:read", "mcp:write"]
        },
        Row("auth/scope-omitted-when-undefined", nil),
        Row("auth/offline-access-not-supported", "mcp:basic") {
            $0.scopesInMetadata = ["mcp:basic"]
            $0.more += #","scopes_supported": ["mcp:basic"]"#
        },
    ]

    @Test("The challenge's scopes are asked for, or else those of the metadata", arguments: scopes)
    func scope(row: Row<String?>) async throws {
        let world = World(row.setup)
        _ = try await server(world).tools()
        #expect(await world.pages.map { $0["scope"] } == [row.expected])
    }

    @Test("A sign-in uses PKCE with S256, and names the server for which the token is")
    func proof() async throws {
        let world = World(World.Setup())
        _ = try await server(world).tools()
        let page = try #require(await world.pages.first)
        let form = try #require(await world.forms.first)
        #expect(page["code_challenge_method"] == "S256")
        #expect(page["code_challenge"]?.count == 43)
        #expect((form["code_verifier"]?.count ?? 0) >= 43)
        #expect(form["code_verifier"] != page["code_challenge"])
        #expect(page["resource"] == "https://tools.example/mcp")
        #expect(form["resource"] == "https://tools.example/mcp")
        #expect(form["code"] == "c1")
    }

    static let clients: [(name: String, client: OAuthClient, form: [String: String])] = [
        ("auth/token-endpoint-auth-none", OAuthClient("tool"), ["client_id": "tool"]),
        (
            "auth/token-endpoint-auth-post", OAuthClient("tool", .post(secret: "s3cret")),
            ["client_id": "tool", "client_secret": "s3cret"]
        ),
        (
            "auth/token-endpoint-auth-basic, auth/pre-registration",
            OAuthClient("tool", .basic(secret: "s3cret")),
            ["Authorization": "Basic dG9vbDpzM2NyZXQ="]
        ),
        (
            "auth/basic-cimd", OAuthClient("https://tool.example/client.json"),
            ["client_id": "https://tool.example/client.json"]
        ),
    ]

    @Test("A client proves who it is in the way in which it is registered", arguments: clients)
    func client(row: (name: String, client: OAuthClient, form: [String: String])) async throws {
        let world = World(World.Setup())
        _ = try await server(world, row.client).tools()
        let names = ["client_id", "client_secret", "Authorization"]
        let form = try #require(await world.forms.first)
        #expect(form.filter { names.contains($0.key) } == row.form, "\(row.name)")
        #expect(await world.pages.first?["client_id"] == row.client.id, "\(row.name)")
    }

    static let ownClients: [(name: String, client: OAuthClient, field: String, value: String)] = [
        (
            "auth/client-credentials-basic", OAuthClient("tool", .basic(secret: "s3cret")),
            "Authorization", "Basic dG9vbDpzM2NyZXQ="
        ),
        (
            "auth/client-credentials-jwt",
            OAuthClient("tool", .signedJWT(algorithm: "ES256") { _ in Data("signature".utf8) }),
            "client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        ),
    ]

    @Test("A program signs in for itself, without a browser", arguments: ownClients)
    func itself(
        row: (name: String, client: OAuthClient, field: String, value: String)
    ) async throws {
        let world = World(World.Setup())
        let server = ToolServer(
            try #require(URL(string: "https://tools.example/mcp")),
            signingIn: .clientCredentials, transport: world, client: { _ in row.client })
        _ = try await server.tools()
        let form = try #require(await world.forms.first)
        #expect(await world.pages.isEmpty, "\(row.name)")
        #expect(form["grant_type"] == "client_credentials", "\(row.name)")
        #expect(form["resource"] == "https://tools.example/mcp", "\(row.name)")
        #expect(form[row.field] == row.value, "\(row.name)")
    }

    static let issSupported = #","authorization_response_iss_parameter_supported": true"#
    static let issuers: [Row<OAuthError.Code?>] = [
        Row("auth/iss-supported", nil) {
            $0.more += issSupported
            $0.issuerInRedirect = login
        },
        Row("auth/iss-not-advertised", nil),
        Row("auth/iss-supported-missing", .wrongIssuer) { $0.more += issSupported },
        Row("auth/iss-wrong-issuer", .wrongIssuer) {
            $0.more += issSupported
            $0.issuerInRedirect = "https://evil.example"
        },
        Row("auth/iss-unexpected", .wrongIssuer) { $0.issuerInRedirect = "https://evil.example" },
        Row("auth/iss-normalized", .wrongIssuer) {
            $0.more += issSupported
            $0.issuerInRedirect = "\(login)/"
        },
        Row("auth/metadata-issuer-mismatch", .wrongIssuer) {
            $0.issuerInMetadata = "https://evil.example"
        },
        Row("auth/resource-mismatch", .unusableMetadata) {
            $0.resource = "https://evil.example/mcp"
        },
        Row("a server without S256", .unusableMetadata) {
            $0.more = #","code_challenge_methods_supported": ["plain"]"#
        },
        Row("metadata at another server", .unusableMetadata) {
            $0.resourcePlace = "https://evil.example/metadata"
        },
    ]

    @Test("No code is exchanged for a server that isn't the one that was asked", arguments: issuers)
    func issuer(row: Row<OAuthError.Code?>) async throws {
        let world = World(row.setup)
        do {
            _ = try await server(world).tools()
            #expect(row.expected == nil)
        } catch let error as OAuthError {
            #expect(error.code == row.expected)
        }
        #expect(await world.forms.count == (row.expected == nil ? 1 : 0))
    }

    @Test("auth/scope-step-up: A call that needs more scopes signs in for them, besides the others")
    func stepUp() async throws {
        var setup = World.Setup()
        setup.scopeInChallenge = "mcp:basic"
        setup.scopesInMetadata = ["mcp:profile"]
        setup.needs = ["tools/list": "mcp:basic", "tools/call": "mcp:write"]
        let world = World(setup)
        let server = try server(world)
        _ = try await server.tools()
        #expect(try await server.call("test-tool") == ["test"])
        _ = try await server.tools()
        #expect(await world.pages.map { $0["scope"] } == ["mcp:basic", "mcp:basic mcp:write"])
    }

    @Test("auth/scope-retry-limit: A server that is never content doesn't open page after page")
    func retryLimit() async throws {
        for (always, scope, pages) in [("mcp:admin", "mcp:admin", 1), ("mcp:more", "mcp:admin", 2)]
        {
            var setup = World.Setup()
            setup.scopeInChallenge = scope
            setup.always = always
            let world = World(setup)
            await #expect(throws: (any Error).self) { try await server(world).tools() }
            #expect(await world.pages.count == pages)
        }
    }

    @Test("A server that takes no token doesn't open page after page")
    func refused() async throws {
        let world = World(World.Setup())
        let server = ToolServer(
            try #require(URL(string: "https://tools.example/mcp")),
            signingIn: .browser(redirect: try #require(URL(string: "http://127.0.0.1:7/done"))) {
                try await world.redirect(from: $0)
            }, transport: Forgetting(world: world), client: { _ in OAuthClient("tool") })
        await #expect(throws: (any Error).self) { try await server.tools() }
        #expect(await world.pages.count == 1)
    }

    /// A server that forgets each token before it is used.
    struct Forgetting: Transport {
        let world: World

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            if request.urlRequest.url?.path == "/mcp" { await world.revoke() }
            return try await world.send(request)
        }
    }

    @Test(
        "auth/authorization-server-migration: If another server issues the tokens, the client that is registered there is used"
    )
    func migration() async throws {
        let world = World(World.Setup())
        let server = ToolServer(
            try #require(URL(string: "https://tools.example/mcp")),
            signingIn: .browser(redirect: try #require(URL(string: "http://127.0.0.1:7/done"))) {
                try await world.redirect(from: $0)
            }, transport: world,
            client: { OAuthClient($0 == Self.login ? "first" : "second") })
        _ = try await server.tools()
        await world.revoke()
        await world.change {
            $0.issuer = "https://new.example"
            $0.serverPlace = "https://new.example/.well-known/oauth-authorization-server"
        }
        #expect(try await server.tools().count == 1)
        #expect(await world.pages.map { $0["client_id"] } == ["first", "second"])
        #expect(await world.calls.last == "tools/list new.example-2")
    }

    @Test("A reply is read as JSON or as the last event of a stream")
    func events() throws {
        let json = #"{"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "No tool."}}"#
        for text in [json, "event: message\r\ndata: \(json)\r\n\r\n"] {
            let reply = try ReplyDecoder().decode(CallTool.Response.self, from: Data(text.utf8))
            #expect(throws: ToolError.self) { try reply.get() }
            #expect(reply.error?.code == -32602)
        }
    }

    @Test("No declaration has a problem")
    func declarations() { #expect(problems(of: ListTools.self, CallTool.self).isEmpty) }
}
