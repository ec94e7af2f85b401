import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

@Suite("Waits of requests with a time limit", .timeLimit(.minutes(5)))
struct TimeLimitedWaitTests {
    /// What happened, with the time of the virtual clock.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private func events(
        _ body: (VirtualTime, Journal<String>) throws -> Void
    ) rethrows -> [String] {
        let (time, events) = (VirtualTime(), Journal<String>())
        try body(time, events)
        time.run()
        return events.entries
    }

    /// Sends a request after some seconds, and writes down how and when it has ended.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private func send(
        _ name: String, after seconds: TimeInterval = 0, limit: TimeInterval?,
        _ transport: some Transport, _ time: VirtualTime, _ events: Journal<String>
    ) throws {
        let request = try Item.request(policy: LoadPolicy(timeLimit: limit))
        time.start {
            try await time.sleep(seconds)
            do {
                let status = try await transport.send(request).httpResponse.statusCode
                events.add("\(name): \(status) at \(time.now)")
            } catch let error as URLError {
                let url = error.failingURL?.path ?? "no URL"
                events.add("\(name): \(error.code == .timedOut) \(url) at \(time.now)")
            }
        }
    }

    @Test("A request that waits for a slot times out when its limit is over, and takes no slot")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func limited() throws {
        let limits = Journal<TimeInterval?>()
        let events = try events { time, events in
            let stub = ClosureTransport { request in
                limits.add(request.policy.timeLimit)
                try await time.sleep(2)
                return try .stub(200)
            }
            let transport = stub.limited(perOrigin: 1, clock: time.clock)
            try send("a", limit: nil, transport, time, events)
            try send("b", after: 0.25, limit: 1, transport, time, events)
            try send("c", after: 0.5, limit: 8, transport, time, events)
            try send("d", after: 0.75, limit: nil, transport, time, events)
        }
        #expect(
            events == [
                "b: true /v1/items at 1.25", "a: 200 at 2.0", "c: 200 at 4.0", "d: 200 at 6.0",
            ])
        #expect(limits.entries == [nil, 6.5, nil])
    }

    @Test("A request that gets a slot when its limit is over gives the slot back")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func slotAtTheEnd() throws {
        let events = try events { time, events in
            let stub = ClosureTransport { _ in
                try await time.sleep(1)
                return try .stub(200)
            }
            let transport = stub.limited(perOrigin: 1, clock: time.clock)
            try send("a", limit: nil, transport, time, events)
            try send("b", limit: 1, transport, time, events)
            try send("c", after: 3, limit: nil, transport, time, events)
        }
        #expect(events.sorted() == ["a: 200 at 1.0", "b: true /v1/items at 1.0", "c: 200 at 4.0"])
    }

    @Test("A request that waits for the server's rate limit times out when its own limit is over")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func paced() throws {
        let limits = Journal<TimeInterval?>()
        let events = try events { time, events in
            let stub = ClosureTransport { request in
                limits.add(request.policy.timeLimit)
                return try .stub(200, ["RateLimit": "\"a\";r=0;t=4"])
            }
            let transport = stub.paced(clock: time.clock)
            try send("a", limit: 1, transport, time, events)
            try send("b", after: 0.5, limit: 1, transport, time, events)
            try send("c", after: 1, limit: 10, transport, time, events)
        }
        #expect(events == ["a: 200 at 0.0", "b: true /v1/items at 1.5", "c: 200 at 4.0"])
        #expect(limits.entries == [1, 7])
    }

    @Test("All attempts, with their waits for slots, end when the limit is over")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func retried() throws {
        let events = try events { time, events in
            let stub = ClosureTransport { _ in
                try await time.sleep(0.75)
                return try .stub(503)
            }
            let transport = stub.limited(perOrigin: 1, clock: time.clock)
                .retrying(RetryPolicy(firstDelay: 0), clock: time.clock)
            try send("a", limit: 1, transport, time, events)
            try send("b", limit: 1, transport, time, events)
        }
        // The stub heeds no limit.
        #expect(events == ["a: true /v1/items at 1.0", "b: 503 at 1.5"])
    }

    /// A source whose functions never return, and don't heed a cancellation.
    struct Hanging: CredentialSource {
        let baseUrl = url("https://api.example.com")
        let hangsAtOnce: Bool
        let gate = Gate()

        func token() async throws -> AccessToken? {
            if hangsAtOnce { await gate.pass() }
            return AccessToken(.bearer("t0"))
        }

        func refresh(after refused: AccessToken) async throws -> AccessToken {
            await gate.pass()
            return AccessToken(.bearer("t1"))
        }
    }

    @Test("A request that waits for a token that never comes times out when its limit is over")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func token() throws {
        let source = Hanging(hangsAtOnce: true)
        let events = try events { time, events in
            let stub = ClosureTransport { _ in try .stub(200) }
            let transport = stub.authorized(by: source, clock: time.clock)
            try send("a", limit: 1, transport, time, events)
        }
        #expect(events == ["a: true /v1/items at 1.0"])
        source.gate.open()
    }

    @Test("A request that waits for a refresh that never ends times out when its limit is over")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func refresh() throws {
        let gate = Gate()
        let tokens = MemoryCredentials(
            for: ServerEnvironment.production, AccessToken(.bearer("t0"))
        ) { _ in
            await gate.pass()
            return AccessToken(.bearer("t1"))
        }
        let events = try events { time, events in
            let stub = ClosureTransport { _ in
                try await time.sleep(0.5)
                return try .stub(401)
            }
            let transport = stub.authorized(by: tokens, clock: time.clock)
            try send("a", limit: 1, transport, time, events)
        }
        #expect(events == ["a: true /v1/items at 1.0"])
        gate.open()
    }

    @Test(
        "A wait for a slot ends with the slot, whatever limit there is and however a clock waits",
        arguments: [
            (1, TransportClock.immediate), (86_400, impatient), (.infinity, impatient),
            (.infinity, .immediate), (.infinity, .system), (1e300, .system),
        ])
    func standingClock(limit: TimeInterval, clock: TransportClock) async throws {
        let gate = Gate()
        let stub = ClosureTransport { _ in
            await gate.pass()
            return try .stub(200)
        }
        let transport = stub.limited(perOrigin: 1, clock: clock)
        let request = try Item.request(policy: LoadPolicy(timeLimit: limit))
        let tasks = (0..<2).map { _ in
            Task { try await transport.send(request).httpResponse.statusCode }
        }
        await gate.wait(for: 1)
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        for task in tasks { #expect(try await task.value == 200) }
    }

    /// A clock whose time goes on, but that returns from a sleep at once.
    private static let impatient = TransportClock(
        date: { Date() }, uptime: TransportClock.system.uptime, sleep: { _ in }, random: { 0 })
}
