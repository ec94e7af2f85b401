import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Signing in")
struct SignInTests {
    struct GetItem: RequestType {
        static let endpoint = Endpoint<GetItem>(method: .get, path: "items")
        typealias Response = Void
    }

    /// The headers of the requests that arrive.
    private func header(
        _ request: TransportRequest, _ source: some CredentialSource,
        _ name: Headers = .authorization
    ) async throws -> (value: String?, policy: LoadPolicy) {
        let sent = Journal<TransportRequest>()
        let stub = ClosureTransport { request in
            sent.add(request)
            return try .stub(200)
        }
        _ = try await stub.authorized(by: source, header: name).send(request)
        let last = try #require(sent.entries.first)
        return (last.urlRequest.value(forHTTPHeaderField: name.name), last.policy)
    }

    static let addresses: [(String, Bool)] = [
        ("https://api.example.com/v1/items", true),
        ("https://api.example.com", true),
        ("https://api.example.com?a=b", true),
        ("https://api.example.com/other/path", true),
        ("https://api.example.com:443/v1", true),
        ("HTTPS://API.example.com/v1", true),
        ("https://api.example.com:8443/v1", false),
        ("http://api.example.com/v1", false),
        ("https://example.com/v1", false),
        ("https://api.example.com.evil.example/v1", false),
        ("https://api.example.com@evil.example/v1", false),
        ("https://evil.example/?https://api.example.com/v1", false),
        ("file:///v1/items", false),
    ]

    @Test("Only requests to the source's origin get its credentials", arguments: addresses)
    func origin(row: (address: String, isSigned: Bool)) async throws {
        let request = try Item.request(at: row.address)
        let value = try await header(request, TokenServer()).value
        #expect(value == (row.isSigned ? "Bearer t0" : nil))
    }

    @Test("A request that has the header already keeps it")
    func ownHeader() async throws {
        let request = try Item.request(headers: ["authorization": "Basic eDp5"])
        #expect(try await header(request, TokenServer()).value == "Basic eDp5")
    }

    @Test("Without a token a request is sent as it is, and its 401 is the response")
    func signedOut() async throws {
        let server = TokenServer()
        server.state.withLock { $0.stored = nil }
        let response = try await server.authorized(by: server).send(try Item.request())
        #expect(response.httpResponse.statusCode == 401)
        #expect(server.state.withLock { $0.refreshes } == 0)
    }

    @Test("Another header than Authorization holds the credentials, and follows no redirect")
    func otherHeader() async throws {
        let (value, policy) = try await header(Item.request(), TokenServer(), "X-Token")
        #expect(value == "Bearer t0")
        #expect(policy.sensitiveHeaders == ["X-Token"])
    }

    @Test("Credentials that no header can hold are an error that doesn't show them")
    func invalidCredentials() async throws {
        let source = MemoryCredentials(
            for: ServerEnvironment.production, AccessToken(.bearer("S3CR3T\r\nX: y"))
        ) { $0 }
        let error = await #expect(throws: EndpointError.self) {
            try await header(Item.request(), source)
        }
        #expect(error?.field == .header("Authorization"))
        #expect(error.map { "\($0)".contains("S3CR3T") } == false)
    }

    @Test("After a 401 the token is refreshed and the request is sent once more")
    func replay() async throws {
        let server = TokenServer()
        server.state.withLock { $0.isRevoked = true }
        let response = try await server.authorized(by: server).send(try Item.request())
        #expect(response.httpResponse.statusCode == 200)
        #expect(server.state.withLock { $0.refreshes } == 1)
    }

    @Test("After a refresh, a second 401 is the response")
    func secondRefusal() async throws {
        let sent = Journal<String?>()
        let stub = ClosureTransport { request in
            sent.add(request.urlRequest.value(forHTTPHeaderField: "Authorization"))
            return try .stub(401)
        }
        let response = try await stub.authorized(by: TokenServer()).send(try Item.request())
        #expect(response.httpResponse.statusCode == 401)
        #expect(sent.entries == ["Bearer t0", "Bearer t1"])
    }

    @Test("A time limit is for the wait for a token and for both requests together")
    func timeLimit() async throws {
        let (uptime, limits) = (Guarded(0.0), Journal<TimeInterval?>())
        var clock = TransportClock.system
        clock.uptime = { uptime.withLock { $0 } }
        let pass: @Sendable (Double) -> Void = { seconds in uptime.withLock { $0 += seconds } }
        let server = TokenServer(reading: { pass(1) }, refreshing: { pass(4) })
        server.state.withLock { $0.isRevoked = true }
        let transport = ClosureTransport { request in
            limits.add(request.policy.timeLimit)
            pass(2)
            return try await server.send(request)
        }
        var request = try Item.request()
        request.policy.timeLimit = 10
        let response = try await transport.authorized(by: server, clock: clock).send(request)
        #expect(response.httpResponse.statusCode == 200)
        #expect(limits.entries == [9, 2])
        // The refresh takes the rest of the time, after the source was asked twice.
        request.policy.timeLimit = 7
        server.state.withLock { $0.isRevoked = true }
        let error = await #expect(throws: URLError.self) {
            try await transport.authorized(by: server, clock: clock).send(request)
        }
        #expect(error?.code == .timedOut)
        #expect(limits.entries == [9, 2, 6])
    }

    @Test("A 401 from another origin, after a redirect, doesn't refresh the token")
    func redirectedRefusal() async throws {
        let stub = ClosureTransport { _ in try .stub(401, at: "https://other.example.com/") }
        let server = TokenServer()
        let response = try await stub.authorized(by: server).send(try Item.request())
        #expect(response.httpResponse.statusCode == 401)
        #expect(server.state.withLock { $0.refreshes } == 0)
    }

    @Test("The body of the 401 is dropped before the refresh")
    func droppedBody() async throws {
        let events = Journal<String>()
        let source = TokenServer(refreshing: { events.add("refresh") })
        let stub = ClosureTransport { _ in
            let load = Released { events.add("released") }
            let body = ResponseBody(chunks: {
                _ = load
                return Data()
            })
            return TransportResponse(body: body, try .stub(events.entries.isEmpty ? 401 : 200))
        }
        let response = try await stub.authorized(by: source).send(try Item.request())
        #expect(events.entries == ["released", "refresh"])
        withExtendedLifetime(response) {}
    }

    @Test("A body that can be read only once isn't sent again, but the next request is signed anew")
    func bodyStream() async throws {
        let server = TokenServer()
        server.state.withLock { $0.isRevoked = true }
        let transport = server.authorized(by: server)
        var request = try Item.request("PUT")
        request.urlRequest.httpBodyStream = InputStream(data: Data("once".utf8))
        #expect(try await transport.send(request).httpResponse.statusCode == 401)
        request.urlRequest.httpBodyStream = InputStream(data: Data("again".utf8))
        #expect(try await transport.send(request).httpResponse.statusCode == 200)
    }

    @Test("A refresh that fails is a transport error, with the cause in its text")
    func failure() async throws {
        let server = TokenServer(refreshing: { throw TokenServer.Refused() })
        server.state.withLock { $0.isRevoked = true }
        let api = EndpointClient(server.authorized(by: server), in: .production)
        do {
            try await api(GetItem())
            Issue.record("no error")
        } catch .transportError(let error) {
            let cause = (error.cause as? SignInError)?.cause
            #expect(cause as? TokenServer.Refused == TokenServer.Refused())
            #expect(
                "\(GetItem.TaskError.transportError(error))"
                    == "GetItem: the load failed: the credentials could not be read or refreshed: Refused was thrown"
            )
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("The debug description of a failed sign-in shows the refresh's URL, status and body")
    func refreshInText() async throws {
        struct Refresh: FlatRequest {
            let refreshToken: String
            static let endpoint = Endpoint<Self>(
                method: .post, path: "token", parameters: [.form("token", path: \.refreshToken)])
            typealias Response = [String: String]
            typealias ErrorResponse = [String: String]
        }
        let stub = ClosureTransport { request in
            guard request.urlRequest.url?.lastPathComponent == "token" else {
                return try .stub(401)
            }
            return try .stub(
                400, ["Content-Type": "application/json"], #"{"error": "invalid_grant"}"#,
                at: request.urlRequest.url?.absoluteString ?? "")
        }
        let source = MemoryCredentials(
            for: ServerEnvironment.production, AccessToken(.bearer("t0k3n"))
        ) { _ in
            let refresh = Refresh(refreshToken: "r3fr3sh")
            let response = try await stub.response(in: .production, with: refresh)
            return AccessToken(.bearer(response["access_token"] ?? ""))
        }
        let api = EndpointClient(stub.authorized(by: source), in: .production)
        let error = await #expect(throws: GetItem.TaskError.self) { try await api(GetItem()) }
        guard case .transportError(let failure) = error,
            let signIn = failure.cause as? SignInError
        else {
            Issue.record("\(String(describing: error))")
            return
        }
        func untimed(_ text: String) -> String {
            text.replacing(/, [0-9.e-]+ s(?=;|$)/, with: ", T")
        }
        let sentence = """
            the credentials could not be read or refreshed: Refresh: the server responded with an \
            error, status 400
            """
        let refresh = """
            POST https://api.example.com/v1/token -> 400, T; the body begins with \
            "{\\"error\\": \\"invalid_grant\\"}"
            """
        #expect(untimed(signIn.debugDescription) == "\(sentence); \(refresh)")
        #expect(
            untimed(error?.debugDescription ?? "")
                == "GetItem: the load failed: \(sentence); GET https://api.example.com/v1/items, T; "
                + "caused by \(refresh)")
        #expect(!"\(signIn.debugDescription)".contains("r3fr3sh"))
        #expect(SignInError().debugDescription == "there are no credentials; sign in")
    }

    @Test("A source may refresh through the transport that it signs")
    func nestedRefresh() async throws {
        let server = TokenServer()
        server.state.withLock { $0.isRevoked = true }
        let row = Guarded<(any Transport)?>(nil)
        let headers = Journal<String?>()
        let source = MemoryCredentials(
            for: ServerEnvironment.production, AccessToken(.bearer("t0"))
        ) { old in
            let transport = try #require(row.withLock { $0 })
            _ = try await transport.send(try Item.request("POST"))
            return try await server.refresh(after: old)
        }
        let stub = ClosureTransport { request in
            headers.add(request.urlRequest.value(forHTTPHeaderField: "Authorization"))
            return try await server.send(request)
        }
        let transport = stub.authorized(by: source)
        row.withLock { $0 = transport }
        #expect(try await transport.send(try Item.request()).httpResponse.statusCode == 200)
        #expect(headers.entries == ["Bearer t0", nil, "Bearer t1"])
        row.withLock { $0 = nil }
    }

    /// A source that asks a server for each token.
    struct Asking: CredentialSource {
        let baseUrl = url("https://api.example.com")
        let row = Guarded<(any Transport)?>(nil)

        func token() async throws -> AccessToken? {
            let transport = try #require(row.withLock { $0 })
            _ = try await transport.send(try Item.request("POST"))
            return AccessToken(.bearer("asked"))
        }

        func refresh(after refused: AccessToken) throws -> AccessToken { refused }
    }

    @Test("A source may ask for a token through the transport that it signs")
    func nestedToken() async throws {
        let (source, headers) = (Asking(), Journal<String?>())
        let stub = ClosureTransport { request in
            headers.add(request.urlRequest.value(forHTTPHeaderField: "Authorization"))
            return try .stub(200)
        }
        let transport = stub.authorized(by: source)
        source.row.withLock { $0 = transport }
        _ = try await transport.send(try Item.request())
        #expect(headers.entries == [nil, "Bearer asked"])
        source.row.withLock { $0 = nil }
    }

    /// A source that can't read its token.
    struct Failing: CredentialSource {
        let baseUrl = url("https://api.example.com")
        let gate: Gate

        func token() async throws -> AccessToken? {
            await gate.pass()
            throw TokenServer.Refused()
        }

        func refresh(after refused: AccessToken) throws -> AccessToken { refused }
    }

    @Test(
        "A token that can't be read is a SignInError, unless the request was cancelled",
        arguments: [false, true])
    func failingToken(isCancelled: Bool) async throws {
        let source = Failing(gate: Gate())
        let stub = ClosureTransport { _ in try .stub(200) }
        let api = EndpointClient(stub.authorized(by: source), in: .production)
        let task = Task {
            do throws(GetItem.TaskError) { try await api(GetItem()) } catch .cancelled {
                return "cancelled"
            } catch .transportError(let error) where error.cause is SignInError {
                return "\(error)"
            } catch {
                return "another error: \(error)"
            }
            return "no error"
        }
        await source.gate.wait(for: 1)
        if isCancelled { task.cancel() }
        source.gate.open()
        let text =
            isCancelled
            ? "cancelled" : "the credentials could not be read or refreshed: Refused was thrown"
        #expect(await task.value == text)
    }

    @Test("No description of a token shows its secrets")
    func secrets() {
        let token = AccessToken(.bearer("S3CR3T"), expires: nil, refreshToken: "R3FR3SH")
        var dumped = String(describing: token) + String(reflecting: token)
        dump(token, to: &dumped)
        #expect(!dumped.contains("S3CR3T") && !dumped.contains("R3FR3SH"))
    }

    struct GetNumber: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "number")
        typealias Response = Int
    }

    @Test("No text of a load shows a token that a refresh has got meanwhile, or a refresh token")
    func tokensOfOthers() async throws {
        let tokens = MemoryCredentials(
            for: ServerEnvironment.production,
            AccessToken(.bearer("0ld-t0ken"), refreshToken: "r3fr3sh-1")
        ) { _ in AccessToken(.bearer("n3w-t0ken"), refreshToken: "r3fr3sh-2") }
        // The server repeats what it knows, while another request gets a new token.
        let server = ClosureTransport { request in
            let old = try #require(tokens.token())
            if old.credentials == .bearer("0ld-t0ken") { _ = try await tokens.refresh(after: old) }
            return try .stub(200, [:], "0ld-t0ken n3w-t0ken r3fr3sh-2")
        }
        for _ in 0..<2 {
            let error = await #expect(throws: GetNumber.TaskError.self) {
                try await server.authorized(by: tokens)
                    .response(in: ServerEnvironment.production, with: GetNumber())
            }
            let text = error?.debugDescription ?? ""
            #expect(text.contains("the body begins with"))
            for secret in ["n3w-t0ken", "r3fr3sh-2"] { #expect(!text.contains(secret), "\(text)") }
        }
    }
}
