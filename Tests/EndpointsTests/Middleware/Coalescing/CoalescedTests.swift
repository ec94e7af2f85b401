import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Equal requests in flight", .timeLimit(.minutes(5)))
struct CoalescedTests {
    /// A server that responds when its gate is open, and notes which requests were cancelled.
    struct Server: Transport {
        let gate = Gate()
        let sent = Guarded<[TransportRequest]>([])
        let cancelled = Guarded(0)
        var error: (any Error)?

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            sent.withLock { $0.append(request) }
            try await withTaskCancellationHandler {
                await gate.pass()
                try Task.checkCancellation()
            } onCancel: {
                cancelled.withLock { $0 += 1 }
                gate.open()
            }
            if let error { throw error }
            let parts = Guarded([Data("a".utf8), Data("b".utf8)])
            return TransportResponse(
                body: ResponseBody { parts.withLock { $0.isEmpty ? nil : $0.removeFirst() } },
                try HTTPURLResponse.stub(200))
        }

        var count: Int { sent.withLock { $0.count } }
    }

    @Test("1,000 callers of one request make one request, and each reads the whole body")
    func oneRequest() async throws {
        let server = Server()
        let transport = server.coalesced()
        let tasks = try (0..<1000).map { _ in
            let request = try Item.request()
            return Task { try await transport.send(request).body.data(upTo: 9) }
        }
        await server.gate.wait(for: 1)
        await settled(tasks)
        server.gate.open()
        for task in tasks { #expect(try await task.value == Data("ab".utf8)) }
        #expect(server.count == 1)
    }

    /// Lets tasks run until they wait.
    private func settled<Value>(_ tasks: [Task<Value, any Error>]) async {
        for _ in 0..<20 * tasks.count { await Task.yield() }
    }

    /// Starts loads of one request through a transport, and waits until all of them wait.
    private func started(
        _ count: Int, _ server: Server, _ transport: some Transport
    ) async throws -> [Task<Void, any Error>] {
        let request = try Item.request()
        let tasks = (0..<count).map { _ in Task { _ = try await transport.send(request) } }
        await server.gate.wait(for: 1)
        await settled(tasks)
        return tasks
    }

    @Test("999 of 1,000 callers are cancelled alone, and the last one still gets the response")
    func cancelledAlone() async throws {
        let server = Server()
        let tasks = try await started(1000, server, server.coalesced())
        for (number, task) in tasks.enumerated() where number != 500 { task.cancel() }
        for (number, task) in tasks.enumerated() where number != 500 {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(server.cancelled.withLock { $0 } == 0)
        server.gate.open()
        try await tasks[500].value
        #expect(server.count == 1)
    }

    @Test("The last caller that is cancelled ends the load, and the next one begins a new load")
    func lastCancelled() async throws {
        let server = Server()
        let transport = server.coalesced()
        let tasks = try await started(3, server, transport)
        for (number, task) in tasks.enumerated() {
            #expect(server.cancelled.withLock { $0 } == 0)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(server.cancelled.withLock { $0 } == (number == 2 ? 1 : 0))
        }
        _ = try await transport.send(Item.request())
        #expect(server.count == 2)
    }

    @Test("A caller's time limit is its own")
    func timeLimits() async throws {
        let (server, alarm, uptime) = (Server(), Gate(), Guarded(0.0))
        let clock = TransportClock(
            date: { Date() }, uptime: { uptime.withLock { $0 } },
            sleep: { seconds in
                guard seconds == 3 else { return try await Task.sleep(nanoseconds: 1 << 60) }
                await alarm.pass()
                uptime.withLock { $0 += seconds }
            }, random: { 1 })
        let transport = server.coalesced(clock: clock)
        let tasks = try [3.0, 20, nil].map { limit in
            let request = try Item.request(policy: LoadPolicy(timeLimit: limit))
            return Task { _ = try await transport.send(request) }
        }
        await server.gate.wait(for: 1)
        await settled(tasks)
        alarm.open()
        let error = await #expect(throws: URLError.self) { try await tasks[0].value }
        #expect(error?.code == .timedOut)
        server.gate.open()
        for task in tasks.dropFirst() { try await task.value }
        #expect(server.sent.withLock { $0.map(\.policy.timeLimit) } == [nil])
    }

    @Test("An error is thrown to all callers")
    func errors() async throws {
        var server = Server()
        server.error = URLError(.timedOut)
        let transport = server.coalesced()
        let request = try Item.request()
        let tasks = (0..<3).map { _ in Task { _ = try await transport.send(request) } }
        await server.gate.wait(for: 1)
        await settled(tasks)
        server.gate.open()
        for task in tasks {
            await #expect(throws: URLError(.timedOut)) { try await task.value }
        }
        #expect(server.count == 1)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let requests: @Sendable () throws -> [TransportRequest]
        /// How many requests are sent.
        let count: Int
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "equal GETs", requests: { [try Item.request(), try Item.request()] }, count: 1),
        Row(
            name: "equal HEADs",
            requests: { [try Item.request("HEAD"), try Item.request("HEAD")] }, count: 1),
        Row(
            name: "POSTs", requests: { [try Item.request("POST"), try Item.request("POST")] },
            count: 2),
        Row(
            name: "another method", requests: { [try Item.request(), try Item.request("HEAD")] },
            count: 2),
        Row(
            name: "another URL",
            requests: {
                try ["https://a.example/1", "https://a.example/2"].map { try Item.request(at: $0) }
            },
            count: 2),
        Row(
            name: "another account's token",
            requests: {
                try ["a", "b"].map { try Item.request(headers: ["Authorization": $0]) }
            }, count: 2),
        Row(
            name: "another cookie",
            requests: { try ["a", "b"].map { try Item.request(headers: ["Cookie": $0]) } },
            count: 2),
        Row(
            name: "another policy",
            requests: {
                [try Item.request(), try Item.request(policy: LoadPolicy(redirects: .doNotFollow))]
            }, count: 2),
        Row(
            name: "another time limit",
            requests: {
                [try Item.request(), try Item.request(policy: LoadPolicy(timeLimit: 60))]
            },
            count: 1),
        Row(name: "QUERY", requests: { [try query("1"), try query("1")] }, count: 1),
        Row(name: "QUERY, another body", requests: { [try query("1"), try query("2")] }, count: 2),
        Row(
            name: "streams",
            requests: {
                var request = try Item.request()
                request.streamsResponse = true
                return [request, request]
            }, count: 2),
    ]

    private static func query(_ body: String) throws -> TransportRequest {
        var request = try Item.request("QUERY")
        request.urlRequest.httpBody = Data(body.utf8)
        return request
    }

    @Test("Only equal requests that read are sent once", arguments: rows)
    func equal(_ row: Row) async throws {
        let server = Server()
        let transport = server.coalesced()
        let tasks = try row.requests().map { request in
            Task { _ = try await transport.send(request) }
        }
        await server.gate.wait(for: row.count)
        await settled(tasks)
        server.gate.open()
        for task in tasks { try await task.value }
        #expect(server.count == row.count)
    }

    @Test("Requests of two accounts that sign in one after the other aren't shared")
    func accounts() async throws {
        let server = Server()
        let environment = ServerEnvironment(baseUrl: url("https://api.example.com/v1"))
        let tokens = MemoryCredentials(
            for: environment, AccessToken(.bearer("a"), account: "a")
        ) { $0 }
        let transport = server.authorized(by: tokens).coalesced()
        let request = try Item.request()
        let first = Task { _ = try await transport.send(request) }
        await server.gate.wait(for: 1)
        tokens.signIn(AccessToken(.bearer("b"), account: "b"))
        let other = try Item.request()
        let second = Task { _ = try await transport.send(other) }
        await server.gate.wait(for: 1)
        server.gate.open()
        try await first.value
        try await second.value
        let sent = server.sent.withLock { $0 }
            .map { $0.urlRequest.value(forHTTPHeaderField: "Authorization") }
        #expect(sent == ["Bearer a", "Bearer b"])
    }
}
