import Endpoints
import EndpointsAuth
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// GitHub's pages for signing in, without a network. It answers polls one after the other.
actor SignInPages: Transport {
    private var polls: [String]
    private(set) var forms: [String] = []
    private(set) var waits: [TimeInterval] = []

    init(_ polls: String...) { self.polls = polls }

    /// A clock whose waits take no time, and are noted.
    nonisolated var clock: TransportClock {
        TransportClock(
            date: { Date() }, uptime: { 0 }, sleep: { await self.note($0) }, random: { 0 })
    }

    private func note(_ wait: TimeInterval) { waits.append(wait) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let url = try #require(request.urlRequest.url)
        #expect(request.urlRequest.value(forHTTPHeaderField: "Accept") == "application/json")
        forms.append(String(decoding: request.urlRequest.httpBody ?? Data(), as: UTF8.self))
        let json: String
        switch url.absoluteString {
        case "https://github.com/login/device/code":
            json = """
                {"device_code": "3584d83530557fdd1f46af8289938c8ef79f9dc5", "user_code": "WDJB-MJHT",
                "verification_uri": "https://github.com/login/device", "expires_in": 900,
                "interval": 5}
                """
        case "https://github.com/login/oauth/access_token":
            json = try #require(polls.first)
            polls.removeFirst()
        default: throw URLError(.badURL)
        }
        // GitHub's errors have the status 200, too.
        let head = try #require(
            HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: "HTTP/1.1",
                headerFields: ["Content-Type": "application/json"]))
        return TransportResponse(Data(json.utf8), head)
    }
}

@Suite("Signing in to GitHub with a code")
struct DeviceTests {
    static let token = #"{"access_token": "gho_16C7e42F", "scope": "repo", "token_type": "bearer"}"#

    let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("device-\(UUID().uuidString)/tokens.json")

    @Test("A person enters the code, and from then on requests are signed in")
    func signIn() async throws {
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let pages = SignInPages(
            #"{"error": "authorization_pending"}"#, #"{"error": "slow_down", "interval": 10}"#,
            Self.token)
        let stub = StubTransport()
        stub.on(GetViewer.self) { _, urlRequest in
            let token = urlRequest.value(forHTTPHeaderField: "Authorization")
            return token == "Bearer gho_16C7e42F" ? .json(#"{"login": "ann"}"#) : .status(401)
        }
        let tool = Tool(clientID: "Iv1.1", file: file, api: stub, signIn: pages, clock: pages.clock)

        try await tool.signIn { code in
            #expect(code.userCode == "WDJB-MJHT")
            #expect(code.verificationURI.absoluteString == "https://github.com/login/device")
        }
        #expect(try await tool.api(GetViewer()).login == "ann")
        #expect(await pages.waits == [5, 5, 10])
    }

    @Test("The client's id and the scopes are sent, and no secret")
    func forms() async throws {
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let pages = SignInPages(Self.token)
        let tool = Tool(clientID: "Iv1.1", file: file, signIn: pages, clock: pages.clock)
        try await tool.signIn { _ in }
        let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
        let code = "3584d83530557fdd1f46af8289938c8ef79f9dc5"
        #expect(
            await pages.forms == [
                "scope=repo&client_id=Iv1.1",
                "grant_type=\(grant)&device_code=\(code)&client_id=Iv1.1",
            ])
    }

    @Test("The next run of the tool is signed in by its file, and asks nobody")
    func nextRun() async throws {
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let pages = SignInPages(Self.token)
        for _ in 1...2 {
            let tool = Tool(clientID: "Iv1.1", file: file, signIn: pages, clock: pages.clock)
            try await tool.signIn { _ in }
            #expect(try await tool.tokens.tokens?.scopes == ["repo"])
        }
        #expect(await pages.forms.count == 2)
    }

    static let refusals: [(json: String, code: OAuthError.Code)] = [
        (#"{"error": "access_denied"}"#, .accessDenied),
        (#"{"error": "expired_token"}"#, .expiredToken),
        (#"{"error": "device_flow_disabled"}"#, "device_flow_disabled"),
    ]

    @Test("A sign-in that ends without a token is an error with GitHub's code", arguments: refusals)
    func refused(row: (json: String, code: OAuthError.Code)) async throws {
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let pages = SignInPages(row.json)
        let tool = Tool(clientID: "Iv1.1", file: file, signIn: pages, clock: pages.clock)
        let error = await #expect(throws: OAuthError.self) { try await tool.signIn { _ in } }
        #expect(error?.code == row.code)
        #expect(try await !tool.tokens.isSignedIn)
    }

    @Test("No declaration has a problem")
    func declarations() { #expect(problems(of: GetViewer.self).isEmpty) }
}
