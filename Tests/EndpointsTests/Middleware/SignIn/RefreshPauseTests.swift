import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Pauses between refreshes")
struct RefreshPauseTests {
    /// A source whose tokens are `t1`, `t2` …, unless its server is down.
    private struct Source: CredentialSource {
        let baseUrl = url("https://api.example.com/v1")
        let state = Guarded((present: 0, refreshes: 0, failure: (any Error)?.none))
        var expires: Date?

        var refreshes: Int { state.withLock { $0.refreshes } }

        private func token(_ number: Int) -> AccessToken {
            AccessToken(.bearer("t\(number)"), expires: number == 0 ? expires : nil)
        }

        func token() -> AccessToken? { token(state.withLock { $0.present }) }

        func refresh(after refused: AccessToken) throws -> AccessToken {
            try state.withLock { state in
                state.refreshes += 1
                if let failure = state.failure { throw failure }
                state.present += 1
                return token(state.present)
            }
        }
    }

    /// Sends a request at each second, and returns how many refreshes there were by then.
    private func refreshes(
        at seconds: [TimeInterval], _ method: String = "GET", isOnce: Bool = false,
        statuses: @escaping @Sendable (TimeInterval) -> Int = { _ in 401 }
    ) async throws -> [Int] {
        let (time, source, now) = (SettableClock(), Source(), Guarded(0.0))
        let transport = ClosureTransport { _ in try .stub(statuses(now.withLock { $0 })) }
            .authorized(by: source, clock: time.clock)
        var counts: [Int] = []
        for second in seconds {
            time.set(second)
            now.withLock { $0 = second }
            var request = try Item.request(method)
            if isOnce { request.urlRequest.httpBodyStream = InputStream(data: Data("a".utf8)) }
            let status = try await transport.send(request).httpResponse.statusCode
            #expect(status == statuses(second))
            counts.append(source.refreshes)
        }
        return counts
    }

    @Test("An API that refuses each token causes few refreshes, and its 401 comes back")
    func refusal() async throws {
        #expect(
            try await refreshes(at: [0, 0, 1, 29, 30, 31, 60, 89, 90, 91, 209, 210])
                == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4])
        // The pause is never longer than 10 minutes.
        let late = stride(from: 0.0, to: 86_400, by: 10)
        #expect(try await refreshes(at: Array(late)).last ?? 0 < 160)
    }

    @Test(
        "If the request that is sent again is accepted, the new token is refreshed without a pause")
    func acceptance() async throws {
        let (time, source, sent) = (SettableClock(), Source(), Journal<String?>())
        let transport = ClosureTransport { request in
            let token = request.urlRequest.value(forHTTPHeaderField: "Authorization")
            sent.add(token)
            let uses = sent.entries.count { $0 == token }
            return try .stub(token != "Bearer t0" && uses == 1 ? 200 : 401)
        }.authorized(by: source, clock: time.clock)
        for count in [1, 2, 3] {
            let response = try await transport.send(try Item.request())
            #expect(response.httpResponse.statusCode == 200)
            #expect(source.refreshes == count)
        }
    }

    @Test("Bodies that can be read only once cause few refreshes, too")
    func streams() async throws {
        let counts = try await refreshes(at: [0, 1, 2, 3, 29, 32, 33], "POST", isOnce: true)
        #expect(counts == [0, 1, 1, 1, 1, 1, 2])
    }

    @Test("If this device's clock is set back, a refused token is refreshed all the same")
    func clockSetBack() async throws {
        #expect(try await refreshes(at: [1000, 1001, 0, 1]) == [1, 1, 2, 2])
    }

    @Test("After a sign-in, a refused token is refreshed at once")
    func signIn() async throws {
        let (time, refreshes) = (SettableClock(), Journal<Void>())
        let tokens = MemoryCredentials(
            for: ServerEnvironment.production, AccessToken(.bearer("a"), account: "ann")
        ) { _ in AccessToken(.bearer("a\(refreshes.add(()))"), account: "ann") }
        let transport = ClosureTransport { _ in try .stub(401) }
            .authorized(by: tokens, clock: time.clock)
        for count in [1, 1] {
            _ = try await transport.send(try Item.request())
            #expect(refreshes.entries.count == count)
        }
        tokens.signIn(AccessToken(.bearer("b"), account: "ann"))
        _ = try await transport.send(try Item.request())
        #expect(refreshes.entries.count == 2)
    }

    private static func response(
        _ status: Int, _ fields: [String: String] = [:]
    ) -> any Error {
        do {
            return EndpointTaskError<EmptyResponse>.errorResponse(
                httpResponse: try .stub(status, fields), response: EmptyResponse())
        } catch { return error }
    }

    /// What a refresh throws, and after how many seconds the next ones are tried.
    private static let failures: [(any Error, pauses: [TimeInterval])] = [
        (response(503), [1, 2, 4, 8, 16, 32, 60, 60]), (response(500), [1, 2]),
        (response(429), [1, 2]), (response(400), [0, 0]), (response(401), [0]),
        (response(503, ["Retry-After": "10"]), [10, 10, 10, 10, 16]),
        (response(400, ["Retry-After": "7"]), [7, 7]),
        (response(503, ["Retry-After": "99999999"]), [3600]),
        (response(503, ["Retry-After": "0"]), [1, 2]),
        (response(503, ["Retry-After": "Tue, 14 Nov 2023 22:13:35 GMT"]), [15]),
        (URLError(.timedOut), [1, 2]), (URLError(.cannotConnectToHost), [1, 2]),
        (EndpointTaskError<EmptyResponse>.urlLoadError(URLError(.timedOut)), [1, 2]),
        (
            EndpointTaskError<EmptyResponse>.transportError(
                TransportError(cause: URLError(.networkConnectionLost))), [1, 2]
        ),
        (URLError(.notConnectedToInternet), [0, 0]),
        (
            EndpointTaskError<EmptyResponse>.internetConnectionOffline(
                URLError(.notConnectedToInternet)), [0, 0]
        ),
        (TokenServer.Refused(), [0, 0]), (SignInError(), [0]),
    ]

    @Test(
        "While the server of the tokens is down, requests fail at once, and it is asked now and then",
        arguments: failures.indices)
    func outage(row: Int) async throws {
        let (failure, pauses) = Self.failures[row]
        let time = SettableClock()
        let source = Source(expires: time.start)
        source.state.withLock { $0.failure = failure }
        let transport = ClosureTransport { _ in try .stub(200) }
            .authorized(by: source, clock: time.clock)
        func fail() async throws -> Date? {
            let error = await #expect(throws: SignInError.self) {
                try await transport.send(try Item.request())
            }
            return error?.nextRefresh
        }
        var now = 0.0
        for (index, pause) in pauses.enumerated() {
            time.set(now)
            let date = try await fail()
            #expect(source.refreshes == index + 1)
            #expect(date?.timeIntervalSince(time.start) == (pause > 0 ? now + pause : nil))
            guard pause > 0 else { continue }
            time.set(now + pause - 0.5)
            #expect(try await fail() == date)
            #expect(source.refreshes == index + 1)
            now += pause
        }
        source.state.withLock { $0.failure = nil }
        time.set(now)
        #expect(try await transport.send(try Item.request()).httpResponse.statusCode == 200)
    }

    @Test("The error says when the next refresh is tried, and no more is sent to the API")
    func text() async throws {
        let time = SettableClock()
        let source = Source(expires: time.start)
        source.state.withLock { $0.failure = URLError(.timedOut) }
        let transport = ClosureTransport { _ in try .stub(200) }
            .authorized(by: source, clock: time.clock)
        for _ in 0..<2 {
            let error = await #expect(throws: SignInError.self) {
                try await transport.send(try Item.request())
            }
            #expect(
                error.map { "\($0)" }?.hasSuffix(
                    "; the next refresh is tried after 2023-11-14T22:13:21Z") == true)
        }
    }

    @Test("If this device's clock is set back, the next refresh isn't waited for")
    func outageBeforeClockSetBack() async throws {
        let time = SettableClock()
        let source = Source(expires: time.start - 1_000_000)
        source.state.withLock { $0.failure = URLError(.timedOut) }
        let transport = ClosureTransport { _ in try .stub(200) }
            .authorized(by: source, clock: time.clock)
        for second in [0.0, -100_000] {
            time.set(second)
            _ = try? await transport.send(try Item.request())
        }
        #expect(source.refreshes == 2)
    }
}
