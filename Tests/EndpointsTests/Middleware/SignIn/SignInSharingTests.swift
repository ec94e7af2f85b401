import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Requests that wait for the same token", .timeLimit(.minutes(5)))
struct SignInSharingTests {
    /// How many of the requests that all got a 401 ended in each way.
    private func outcomes(
        of count: Int, cancelling cancelled: Set<Int>,
        refresh: @escaping @Sendable () throws -> Void
    ) async throws -> (outcomes: [String], refreshes: Int) {
        let (sent, refreshing) = (Gate(), Gate())
        let server = TokenServer(
            sending: { await sent.pass() },
            refreshing: {
                await refreshing.pass()
                try refresh()
            })
        server.state.withLock { $0.isRevoked = true }
        let transport = server.authorized(by: server)
        let request = try Item.request()
        let tasks = (0..<count).map { _ in
            Task { try await transport.send(request).httpResponse.statusCode }
        }
        await sent.wait(for: count)
        sent.open()
        await refreshing.wait(for: 1)
        for index in cancelled { tasks[index].cancel() }
        var results = [String](repeating: "", count: count)
        for index in cancelled { results[index] = await Self.text(tasks[index].result) }
        refreshing.open()
        for index in 0..<count where !cancelled.contains(index) {
            results[index] = await Self.text(tasks[index].result)
        }
        return (results, server.state.withLock { $0.refreshes })
    }

    private static func text(_ result: Result<Int, any Error>) -> String {
        switch result {
        case .success(let status): "\(status)"
        case .failure(let error): "\(type(of: error))"
        }
    }

    @Test("Fifty requests that get a 401 cause one refresh, and each is sent once more")
    func oneRefresh() async throws {
        let (outcomes, refreshes) = try await outcomes(of: 50, cancelling: []) {}
        #expect(outcomes == Array(repeating: "200", count: 50))
        #expect(refreshes == 1)
    }

    @Test("Requests that are cancelled while they wait end at once, and the others go on")
    func cancelled() async throws {
        let (outcomes, refreshes) = try await outcomes(of: 6, cancelling: [0, 3, 5]) {}
        #expect(
            outcomes == [
                "CancellationError", "200", "200", "CancellationError", "200", "CancellationError",
            ])
        #expect(refreshes == 1)
    }

    @Test("If the refresh fails, all requests that wait fail with the same error")
    func failed() async throws {
        let (outcomes, refreshes) = try await outcomes(of: 20, cancelling: [7]) {
            throw TokenServer.Refused()
        }
        #expect(
            outcomes.enumerated().allSatisfy { index, outcome in
                outcome == (index == 7 ? "CancellationError" : "SignInError")
            })
        #expect(refreshes == 1)
    }

    @Test("A 401 that arrives after a failed refresh of the same token starts no other refresh")
    func lateRefusal() async throws {
        let gate = Gate()
        let server = TokenServer(refreshing: { throw TokenServer.Refused() })
        server.state.withLock { $0.isRevoked = true }
        let stub = ClosureTransport { request in
            let response = try await server.send(request)
            if request.urlRequest.httpMethod == "HEAD" { await gate.pass() }
            return response
        }
        let transport = stub.authorized(by: server)
        let request = try Item.request("HEAD")
        let late = Task { try await transport.send(request) }
        await gate.wait(for: 1)
        await #expect(throws: SignInError.self) { try await transport.send(Item.request()) }
        gate.open()
        await #expect(throws: SignInError.self) { try await late.value }
        #expect(server.state.withLock { $0.refreshes } == 1)
    }

    @Test("A token that the source returns late doesn't replace a newer one")
    func lateToken() async throws {
        let gate = Gate()
        let reads = Journal<Void>()
        let server = TokenServer(reading: { if reads.add(()) == 1 { await gate.pass() } })
        server.state.withLock { $0.isRevoked = true }
        let transport = server.authorized(by: server)
        let request = try Item.request()
        let late = Task { try await transport.send(request).httpResponse.statusCode }
        await gate.wait(for: 1)
        #expect(try await transport.send(request).httpResponse.statusCode == 200)
        gate.open()
        #expect(try await late.value == 200)
        #expect(server.state.withLock { $0.refreshes } == 1)
        #expect(server.state.withLock { $0.faults } == [])
    }
}
