import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Retrying by a condition")
struct RetryConditionTests {
    /// What a GraphQL server sends with status 200 when it is busy.
    static let busy = #"{"errors":[{"extensions":{"code":"TRY_AGAIN"}}]}"#

    typealias Condition = @Sendable (TransportRequest, AttemptOutcome) -> Bool

    /// What the server sends, one after the other, and which attempts there are.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var method = "GET"
        var load = LoadPolicy.default
        var policy = RetryPolicy.standard
        var condition: Condition = { _, outcome in
            outcome.body?.range(of: Data("TRY_AGAIN".utf8)) != nil
        }
        let server: [@Sendable () throws -> TransportResponse]
        let attempts: Int
        /// The numbers of the attempts after which the condition was asked.
        let asked: [Int]
        let outcome: String

        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(
            name: "A 200 whose body says so, then a success",
            server: [{ try .stub(200, [:], busy) }, { try .stub(200, [:], "{}") }],
            attempts: 2, asked: [1, 2], outcome: "200 {}"),
        Row(
            name: "A 403 that is a rate limit",
            condition: { _, outcome in
                outcome.status == 403
                    && outcome.httpResponse?.value(forHTTPHeaderField: "X-Left") == "0"
            },
            server: [
                { try .stub(403, ["X-Left": "0"]) }, { try .stub(403, ["X-Left": "1"], "no") },
            ],
            attempts: 2, asked: [1, 2], outcome: "403 no"),
        Row(
            name: "An error that the policy doesn't list",
            condition: { _, outcome in (outcome.error as? URLError)?.code == .badServerResponse },
            server: [{ throw URLError(.badServerResponse) }, { try .stub(200, [:], "a") }],
            attempts: 2, asked: [1, 2], outcome: "200 a"),
        Row(
            name: "An error of a transport's own",
            condition: { _, outcome in outcome.error is Busy },
            server: [{ throw Busy() }, { try .stub(200, [:], "a") }],
            attempts: 2, asked: [1, 2], outcome: "200 a"),
        Row(
            name: "A status of the policy isn't asked about",
            condition: { _, _ in false },
            server: [{ try .stub(503) }, { try .stub(200, [:], "a") }],
            attempts: 2, asked: [2], outcome: "200 a"),
        Row(
            name: "Without statuses, it decides about each",
            policy: RetryPolicy(statuses: []), condition: { _, outcome in outcome.status == 500 },
            server: [{ try .stub(500) }, { try .stub(503, [:], "b") }],
            attempts: 2, asked: [1, 2], outcome: "503 b"),
        Row(
            name: "The last attempt isn't asked about",
            server: [{ try .stub(200, [:], busy) }],
            attempts: 3, asked: [1, 2], outcome: "200 \(busy)"),
        Row(
            name: "A POST may have been carried out", method: "POST",
            server: [{ try .stub(200, [:], busy) }],
            attempts: 1, asked: [], outcome: "200 \(busy)"),
        Row(
            name: "A POST that may be repeated", method: "POST",
            load: LoadPolicy(repetition: .always),
            server: [{ try .stub(200, [:], busy) }, { try .stub(200, [:], "{}") }],
            attempts: 2, asked: [1, 2], outcome: "200 {}"),
        Row(
            name: "A request that may never be repeated", load: LoadPolicy(repetition: .never),
            server: [{ try .stub(200, [:], busy) }],
            attempts: 1, asked: [], outcome: "200 \(busy)"),
        Row(
            name: "The budget is as for a status",
            policy: RetryPolicy(budget: RetryBudget(retriesPerMinute: 1, retriesPerRequest: 0)),
            server: [{ try .stub(200, [:], busy) }],
            attempts: 2, asked: [1, 2], outcome: "200 \(busy)"),
        Row(
            name: "A Retry-After is as for a status",
            server: [{ try .stub(200, ["Retry-After": "61"], busy) }],
            attempts: 1, asked: [1], outcome: "200 \(busy)"),
        Row(
            name: "A cancellation isn't asked about", condition: { _, _ in true },
            server: [{ throw URLError(.cancelled) }],
            attempts: 1, asked: [], outcome: "URLError"),
        Row(
            name: "A request that can't be made isn't asked about", condition: { _, _ in true },
            server: [{ throw EndpointError(requestType: "Item", field: .url, reason: "is odd") }],
            attempts: 1, asked: [], outcome: "EndpointError"),
    ]

    struct Busy: Error {}

    @Test("A request is sent again when its condition says so", arguments: rows)
    func attempts(row: Row) async throws {
        let (sent, asked) = (Journal<Void>(), Journal<Int>())
        let stub = ClosureTransport { _ in
            try row.server[min(sent.add(()), row.server.count) - 1]()
        }
        var policy = row.policy
        policy.retries = { request, outcome in
            asked.add(request.attempt)
            return row.condition(request, outcome)
        }
        let transport = stub.retrying(policy, clock: RetrySharingTests.atOnce)
        let outcome: String
        do {
            let response = try await transport.send(Item.request(row.method, policy: row.load))
            let body = try await response.body.data(upTo: 1000)
            outcome = "\(response.httpResponse.statusCode) \(String(decoding: body, as: UTF8.self))"
        } catch { outcome = "\(type(of: error))" }
        #expect(sent.entries.count == row.attempts)
        #expect(asked.entries == row.asked)
        #expect(outcome == row.outcome)
    }

    /// A body that arrives in chunks, and notes which of them are read.
    static func body(_ chunks: [String], read: Journal<String>) -> ResponseBody {
        let index = Journal<Void>()
        return ResponseBody(chunks: {
            let number = index.add(())
            guard number <= chunks.count else { return nil }
            read.add(chunks[number - 1])
            return Data(chunks[number - 1].utf8)
        })
    }

    @Test("A body that arrives in chunks is shown whole to the condition, and returned whole")
    func chunks() async throws {
        let (read, shown) = (Journal<String>(), Journal<String?>())
        let stub = ClosureTransport { _ in
            TransportResponse(body: Self.body(["ab", "cd"], read: read), try .stub(404))
        }
        let policy = RetryPolicy(retries: { _, outcome in
            shown.add(outcome.body.map { String(decoding: $0, as: UTF8.self) })
            return false
        })
        let response = try await stub.retrying(policy).send(Item.request())
        #expect(shown.entries == ["abcd"])
        #expect(try await response.body.data(upTo: 4) == Data("abcd".utf8))
    }

    @Test(
        "A stream is returned unread, and the condition sees only its head", arguments: [200, 404])
    func stream(status: Int) async throws {
        let (read, shown) = (Journal<String>(), Journal<Bool>())
        let stub = ClosureTransport { request in
            guard request.attempt > 1 else { return try .stub(429, [:], "in memory") }
            return TransportResponse(body: Self.body(["ab", "cd"], read: read), try .stub(status))
        }
        let policy = RetryPolicy(
            statuses: [],
            retries: { request, outcome in
                shown.add(outcome.body == nil)
                return outcome.status == 429
            })
        var request = try Item.request()
        request.streamsResponse = true
        let response = try await stub.retrying(policy, clock: RetrySharingTests.atOnce).send(
            request)
        #expect(shown.entries == [true, true] && read.entries == [])
        var chunks: [Data] = []
        for try await chunk in response.body { chunks.append(chunk) }
        #expect(chunks == [Data("ab".utf8), Data("cd".utf8)])
    }

    @Test("An outcome prints nothing of its response")
    func dumped() async throws {
        let text = Journal<String>()
        let policy = RetryPolicy { _, outcome in
            var output = ""
            dump(outcome, to: &output)
            text.add(output)
            return false
        }
        let stub = ClosureTransport { _ in try .stub(200, ["X-Token": "s3cr3t"], "t0k3n") }
        _ = try await stub.retrying(policy).send(Item.request())
        let output = try #require(text.entries.first)
        #expect(!output.contains("s3cr3t") && !output.contains("t0k3n"), "\(output)")
    }

    @Test("An attempt that takes longer than its limit is cancelled, and sent again")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func attemptTimeLimit() throws {
        let (time, events) = (VirtualTime(), Journal<String>())
        let stub = ClosureTransport { request in
            events.add("sent at \(time.now)")
            do { try await time.sleep(request.attempt < 3 ? 60 : 1) } catch {
                events.add("cancelled at \(time.now)")
                throw error
            }
            return try .stub(200)
        }
        let policy = RetryPolicy(firstDelay: 0, longestDelay: 0, attemptTimeLimit: 5)
        let transport = stub.retrying(policy, clock: time.clock)
        let request = try Item.request()
        time.start {
            let status = try await transport.send(request).httpResponse.statusCode
            events.add("\(status) at \(time.now)")
        }
        time.run()
        #expect(
            events.entries == [
                "sent at 0.0", "cancelled at 5.0", "sent at 5.0", "cancelled at 10.0",
                "sent at 10.0", "200 at 11.0",
            ])
    }

    @Test("The reading of a body is a part of an attempt, unless it is a stream")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func slowBody() throws {
        for isStream in [false, true] {
            let (time, events) = (VirtualTime(), Journal<String>())
            let stub = ClosureTransport { _ in
                let body = ResponseBody(chunks: {
                    try await time.sleep(3)
                    return time.now < 8 ? Data([1]) : nil
                })
                return TransportResponse(body: body, try .stub(200))
            }
            let policy = RetryPolicy(attempts: 1, attemptTimeLimit: 5)
            let transport = stub.retrying(policy, clock: time.clock)
            var request = try Item.request()
            request.streamsResponse = isStream
            time.start { [request] in
                do {
                    let body = try await transport.send(request).body
                    events.add("\(try await body.data(upTo: 9).count) bytes at \(time.now)")
                } catch let error as URLError { events.add("\(error.errorCode) at \(time.now)") }
            }
            time.run()
            #expect(events.entries == [isStream ? "2 bytes at 9.0" : "-1001 at 5.0"])
        }
    }

    @Test("Attempts that are too long end with an error that names the limit, if none may follow")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func tooLong() throws {
        let (time, texts) = (VirtualTime(), Journal<String>())
        for (method, codes) in [
            ("POST", RetryPolicy.usualErrorCodes), ("GET", RetryPolicy.usualErrorCodes),
            ("GET", []),
        ] {
            let sent = Journal<Void>()
            let stub = ClosureTransport { _ in
                sent.add(())
                try await time.sleep(60)
                return try .stub(200)
            }
            let policy = RetryPolicy(firstDelay: 0, attemptTimeLimit: 0.5, errorCodes: codes)
            let transport = stub.retrying(policy, clock: time.clock)
            let request = try Item.request(method)
            time.start {
                do { _ = try await transport.response(to: request, as: Item.self) } catch {
                    texts.add("\(sent.entries.count): \(error)")
                }
            }
        }
        time.run()
        let text = """
            Item: the load failed: the attempt took longer than the retry policy's \
            `attemptTimeLimit`, 0.5 s (URLError -1001)
            """
        #expect(texts.entries.sorted() == ["1: \(text)", "1: \(text)", "3: \(text)"])
    }

    @Test("An attempt whose limit is longer than it takes leaves no timer behind")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func noTimer() throws {
        let (time, ended) = (VirtualTime(), Journal<TimeInterval>())
        let stub = ClosureTransport { _ in
            try await time.sleep(1)
            return try .stub(200)
        }
        let transport = stub.retrying(RetryPolicy(attemptTimeLimit: 50), clock: time.clock)
        let request = try Item.request()
        time.start {
            _ = try await transport.send(request)
            ended.add(time.now)
        }
        time.run()
        #expect(ended.entries == [1] && time.now == 1)
    }
}
