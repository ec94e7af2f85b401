import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("What the attempts of a request share, and what they give back")
struct RetrySharingTests {
    static let atOnce = TransportClock(
        date: { Date(timeIntervalSince1970: 0) }, uptime: { 0 }, sleep: { _ in }, random: { 1 })

    @Test("An Idempotency-Key is made once for each request and is the same in its attempts")
    func idempotencyKey() async throws {
        let keys = Journal<String?>()
        let stub = ClosureTransport { request in
            keys.add(request.urlRequest.value(forHTTPHeaderField: "Idempotency-Key"))
            return try .stub(503)
        }
        let policy = RetryPolicy(attempts: 2, addsIdempotencyKeys: true)
        let transport = stub.retrying(policy, clock: Self.atOnce)
        for method in ["POST", "POST", "PUT"] {
            let policy = LoadPolicy(repetition: keys.entries.isEmpty ? .ifIdempotent : .always)
            _ = try await transport.send(try Item.request(method, policy: policy))
        }
        _ = try await transport.send(
            try Item.request("POST", headers: ["idempotency-key": "of the caller"]))
        let sent = keys.entries
        #expect(sent.count == 8)
        #expect(sent[0] == sent[1] && sent[2] == sent[3] && sent[0] != sent[2])
        #expect(sent[0].flatMap(UUID.init(uuidString:)) != nil)
        #expect(sent[4...] == [nil, nil, "of the caller", "of the caller"])
    }

    @Test(
        "An Idempotency-Key is the same in the request that follows a 401",
        arguments: [[401], [503, 401], [503, 503, 401, 503], [401, 503]])
    func keyAfterRefresh(statuses: [Int]) async throws {
        let keys = Journal<String?>()
        let stub = ClosureTransport { request in
            let key = request.urlRequest.value(forHTTPHeaderField: "Idempotency-Key")
            let number = keys.add(key)
            return try .stub(number <= statuses.count ? statuses[number - 1] : 200)
        }
        let tokens = MemoryCredentials(
            for: ServerEnvironment.production, AccessToken(.bearer("t0"))
        ) { _ in AccessToken(.bearer("t1")) }
        let policy = RetryPolicy(attempts: 3, addsIdempotencyKeys: true)
        let transport = stub.retrying(policy, clock: Self.atOnce).authorized(by: tokens)
        let response = try await transport.send(try Item.request("POST"))
        #expect(response.httpResponse.statusCode == 200)
        #expect(keys.entries.count == statuses.count + 1)
        #expect(Set(keys.entries).count == 1 && keys.entries.first != .some(nil))
        // Another request has another key.
        _ = try await transport.send(try Item.request("POST"))
        #expect(Set(keys.entries).count == 2)
    }

    @Test("The attempts of a request share its time limit")
    func timeLimit() async throws {
        let waits = Journal<TimeInterval>()
        let limits = Journal<TimeInterval?>()
        let stub = ClosureTransport { request in
            limits.add(request.policy.timeLimit)
            return try .stub(503)
        }
        _ = try await stub.retrying(.standard, clock: RetryTests.clock(waits))
            .send(try Item.request(policy: LoadPolicy(timeLimit: 10)))
        #expect(limits.entries == [10, 9.5, 8.5])
    }

    @Test("The body of a response that is not returned is dropped before the wait")
    func droppedBody() async throws {
        let events = Journal<String>()
        let stub = ClosureTransport { _ in
            let load = Released { events.add("released") }
            let body = ResponseBody(chunks: {
                _ = load
                return Data()
            })
            return TransportResponse(body: body, try .stub(events.entries.isEmpty ? 503 : 200))
        }
        var clock = Self.atOnce
        clock.sleep = { _ in events.add("wait") }
        var request = try Item.request()
        request.streamsResponse = true
        let response = try await stub.retrying(.standard, clock: clock).send(request)
        #expect(events.entries == ["released", "wait"])
        withExtendedLifetime(response) {}
    }

    @Test("The body of a streamed response is returned in chunks")
    func chunkedBody() async throws {
        let stub = ClosureTransport { _ in
            let chunks = Journal<Void>()
            let body = ResponseBody(chunks: {
                let number = chunks.add(())
                return number > 3 ? nil : Data([UInt8(number)])
            })
            return TransportResponse(body: body, try .stub(200))
        }
        var request = try Item.request()
        request.streamsResponse = true
        let response = try await stub.retrying().send(request)
        var chunks: [Data] = []
        for try await chunk in response.body { chunks.append(chunk) }
        #expect(chunks == [Data([1]), Data([2]), Data([3])])
    }

    @Test("A connection that is lost within the body is a failed attempt")
    func lostBody() async throws {
        let attempts = Journal<Int>()
        let stub = ClosureTransport { request in
            let isFirst = attempts.add(request.attempt) == 1
            let chunks = Journal<Void>()
            let body = ResponseBody(chunks: {
                guard chunks.add(()) > 1 else { return Data("whole".utf8) }
                if isFirst { throw URLError(.networkConnectionLost) }
                return nil
            })
            return TransportResponse(body: body, try .stub(200))
        }
        let transport = stub.retrying(clock: Self.atOnce)
        let response = try await transport.send(try Item.request())
        #expect(try await response.body.data(upTo: 9) == Data("whole".utf8))
        #expect(attempts.entries == [1, 2])
    }

    @Test("Cancelling a request while it waits for its next attempt ends it at once")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func cancelled() throws {
        let time = VirtualTime()
        let events = Journal<String>()
        let stub = ClosureTransport { _ in
            events.add("sent at \(time.now)")
            return try .stub(503, ["Retry-After": "50"])
        }
        let transport = stub.retrying(.standard, clock: time.clock)
        let request = try Item.request()
        let task = time.start {
            do { _ = try await transport.send(request) } catch is CancellationError {
                events.add("cancelled at \(time.now)")
            }
        }
        time.start {
            try await time.sleep(10)
            task.cancel()
        }
        time.run()
        #expect(events.entries == ["sent at 0.0", "cancelled at 10.0"])
    }

    @Test("When the budget is used up, a failed request is returned at its first attempt")
    func budget() async throws {
        let uptime = Journal<TimeInterval>()
        var clock = Self.atOnce
        clock.uptime = { uptime.entries.reduce(0, +) }
        let sent = Journal<Void>()
        let stub = ClosureTransport { _ in
            sent.add(())
            return try .stub(503)
        }
        let policy = RetryPolicy(
            attempts: 2, budget: RetryBudget(retriesPerMinute: 2, retriesPerRequest: 0.1))
        let transport = stub.retrying(policy, clock: clock)
        // The 30th request allows a third retry. After a minute the count begins anew.
        for (seconds, requests, attempts) in [
            (0.0, 29, 31), (0, 1, 2), (59, 9, 9), (1, 3, 5), (60, 3, 5),
        ] {
            uptime.add(seconds)
            let before = sent.entries.count
            for _ in 0..<requests { _ = try await transport.send(try Item.request()) }
            #expect(sent.entries.count - before == attempts, "after \(seconds) s")
        }
    }
}
