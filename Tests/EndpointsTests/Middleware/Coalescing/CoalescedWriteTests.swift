import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Equal requests around a write", .timeLimit(.minutes(5)))
struct CoalescedWriteTests {
    /// Answers a GET when its gate is open, and any other request at once.
    struct Server: Transport {
        let gate = Gate()
        let sent = Guarded<[String]>([])
        var writeError: (any Error)?

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let method = request.urlRequest.httpMethod ?? "GET"
            sent.withLock { $0.append(method) }
            if method == "GET" { await gate.pass() } else if let writeError { throw writeError }
            return TransportResponse(Data(), try HTTPURLResponse.stub(200))
        }
    }

    @Test(
        "A request that begins after a write isn't joined to a load that began before",
        arguments: [true, false])
    func write(succeeds: Bool) async throws {
        var server = Server()
        if !succeeds { server.writeError = URLError(.timedOut) }
        let transport = server.coalesced()
        let before = Task { _ = try await transport.send(Item.request()) }
        await server.gate.wait(for: 1)
        _ = try? await transport.send(Item.request("POST"))
        let after = (0..<2).map { _ in Task { _ = try await transport.send(Item.request()) } }
        await server.gate.wait(for: 1)
        for _ in 0..<40 { await Task.yield() }
        server.gate.open()
        for task in after + [before] { try await task.value }
        #expect(server.sent.withLock { $0 } == ["GET", "POST", "GET"])
    }

    @Test("A write that is redirected to another server may have changed what that one responds")
    func redirectedWrite() async throws {
        let (gate, sent) = (Gate(), Journal<String>())
        let server = ClosureTransport { request in
            let method = request.urlRequest.httpMethod ?? "GET"
            sent.add(method)
            if method == "GET" { await gate.pass() }
            let isAway = request.urlRequest.url?.host == "other.example"
            return try .stub(
                isAway ? 200 : 307, ["Location": "https://other.example/1"],
                at: request.urlRequest.url?.absoluteString ?? "")
        }
        let transport = Following(base: server).coalesced()
        let away = "https://other.example/1"
        let before = Task { _ = try await transport.send(Item.request(at: away)) }
        await gate.wait(for: 1)
        _ = try await transport.send(Item.request("POST"))
        let after = Task { _ = try await transport.send(Item.request(at: away)) }
        await gate.wait(for: 1)
        gate.open()
        for task in [before, after] { try await task.value }
        #expect(sent.entries == ["GET", "POST", "POST", "GET"])
    }

    @Test("With two sign-ins, a request is shared only if both accounts are the same")
    func twoSignIns() async throws {
        let server = Server()
        let environment = ServerEnvironment(baseUrl: url("https://api.example.com/v1"))
        let (app, user) = (
            MemoryCredentials(for: environment, AccessToken(.bearer("a"), account: "a")) { $0 },
            MemoryCredentials(for: environment, AccessToken(.bearer("u"), account: "u")) { $0 }
        )
        let transport = server.authorized(by: app, header: "X-App").authorized(by: user)
            .coalesced()
        let request = try Item.request()
        let first = Task { _ = try await transport.send(request) }
        await server.gate.wait(for: 1)
        app.signIn(AccessToken(.bearer("b"), account: "b"))
        let other = try Item.request()
        let second = Task { _ = try await transport.send(other) }
        await server.gate.wait(for: 1)
        server.gate.open()
        for task in [first, second] { try await task.value }
        #expect(server.sent.withLock { $0.count } == 2)
    }

    @Test("A write to another server changes nothing")
    func otherServer() async throws {
        let server = Server()
        let transport = server.coalesced()
        let before = Task { _ = try await transport.send(Item.request()) }
        await server.gate.wait(for: 1)
        _ = try await transport.send(Item.request("POST", at: "https://other.example/1"))
        let after = Task { _ = try await transport.send(Item.request()) }
        for _ in 0..<40 { await Task.yield() }
        server.gate.open()
        for task in [before, after] { try await task.value }
        #expect(server.sent.withLock { $0 } == ["GET", "POST"])
    }
}
