import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

@Suite("A refresh while the token is valid", .timeLimit(.minutes(5)))
struct EarlyRefreshTests {
    @Test("Requests are sent with the valid token while an early refresh hangs, or after it failed")
    func hanging() async throws {
        let (time, gate, failed) = (SettableClock(), Gate(), Gate())
        let server = TokenServer(refreshing: {
            await gate.pass()
            defer { failed.open() }
            throw TokenServer.Refused()
        })
        server.state.withLock { $0.expires = time.start + 100 }
        let transport = server.authorized(by: server, clock: time.clock)
        let request = try Item.request()
        for age in [0.0, 89, 90, 95, 99] {
            time.set(age)
            #expect(try await transport.send(request).httpResponse.statusCode == 200)
        }
        await gate.wait(for: 1)
        #expect(server.state.withLock { $0.refreshes } == 1)
        gate.open()
        await failed.pass()
        time.set(99.5)
        #expect(try await transport.send(request).httpResponse.statusCode == 200)
        #expect(server.state.withLock { $0.refreshes } == 1)
        time.set(100)
        await #expect(throws: SignInError.self) { try await transport.send(request) }
    }

    @Test("A request whose token expires during its early refresh waits for the new token")
    func expired() async throws {
        let (time, gate) = (SettableClock(), Gate())
        let server = TokenServer(refreshing: { await gate.pass() })
        server.state.withLock { $0.expires = time.start + 100 }
        let transport = server.authorized(by: server, clock: time.clock)
        let request = try Item.request()
        for age in [0.0, 95] {
            time.set(age)
            _ = try await transport.send(request)
        }
        await gate.wait(for: 1)
        time.set(100)
        let late = Task { try await transport.send(request).httpResponse.statusCode }
        gate.open()
        #expect(try await late.value == 200)
        #expect(server.state.withLock { $0.refreshes } == 1)
        #expect(server.state.withLock { $0.newest } == 1)
    }

    @Test("After a sign-out during an early refresh, no token is sent")
    func signOut() async throws {
        let (time, gate) = (SettableClock(), Gate())
        let headers = Journal<String?>()
        let stub = ClosureTransport { request in
            headers.add(request.urlRequest.value(forHTTPHeaderField: "Authorization"))
            return try .stub(200)
        }
        let token = AccessToken(.bearer("t0"), expires: time.start + 100)
        let tokens = MemoryCredentials(for: ServerEnvironment.production, token) { _ in
            await gate.pass()
            return AccessToken(.bearer("t1"))
        }
        let transport = stub.authorized(by: tokens, clock: time.clock)
        for age in [0.0, 95] {
            time.set(age)
            _ = try await transport.send(Item.request())
        }
        await gate.wait(for: 1)
        tokens.signOut()
        _ = try await transport.send(Item.request())
        gate.open()
        _ = try await transport.send(Item.request())
        #expect(headers.entries == ["Bearer t0", "Bearer t0", nil, nil])
        #expect(tokens.token() == nil)
    }
}
