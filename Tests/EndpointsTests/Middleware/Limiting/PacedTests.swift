@testable import Endpoints
@testable import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Waiting for a rate limit")
struct PacedTests {
    /// The headers of the first response, its status, and when the second request is sent.
    static let rows: [(status: Int, fields: [String: String], sent: TimeInterval)] = [
        (200, [:], 0),
        (200, ["RateLimit": #""hour";r=0;t=30"#], 30),
        (200, ["RateLimit": #""hour";r=1;t=30"#], 0),
        (200, ["RateLimit": #""hour";r=0;t=61"#], 0),
        (200, ["RateLimit": #""hour";r=0"#], 0),
        (200, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000012"], 12),
        (200, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1699999999"], 0),
        (429, ["Retry-After": "5"], 5),
        (503, ["Retry-After": "5"], 5),
        (429, ["Retry-After": "Tue, 14 Nov 2023 22:13:50 GMT"], 30),
        (202, ["Retry-After": "5"], 0),
        (429, ["Retry-After": "soon"], 0),
        (429, ["Retry-After": "5", "RateLimit": #""hour";r=0;t=9"#], 5),
    ]

    @Test(
        "A request waits as long as the rate limit of the previous response says", arguments: rows)
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func wait(row: (status: Int, fields: [String: String], sent: TimeInterval)) throws {
        let (time, sent) = (VirtualTime(), Journal<TimeInterval>())
        let stub = ClosureTransport { _ in
            sent.add(time.now) == 1 ? try .stub(row.status, row.fields) : try .stub(200)
        }
        let transport = stub.paced(waitingAtMost: 60, clock: time.clock)
        let request = try Item.request()
        time.start {
            let first = try await transport.send(request)
            #expect(first.httpResponse.statusCode == row.status)
            _ = try await transport.send(request)
        }
        time.run()
        #expect(sent.entries == [0, row.sent])
    }

    /// The responses to requests that are in flight together, and how long the next one waits.
    static let responses: [(responses: [(status: Int, fields: [String: String])], wait: Double?)] =
        [
            ([(200, ["RateLimit": #""h";r=500;t=2400"#]), (429, ["Retry-After": "5"])], 5),
            ([(429, ["Retry-After": "5"]), (200, ["RateLimit": #""h";r=40;t=1800"#])], 5),
            ([(429, ["Retry-After": "9"]), (429, ["Retry-After": "5"])], 5),
            ([(503, ["Retry-After": "86400"]), (429, ["Retry-After": "5"])], 5),
            ([(503, ["Retry-After": "86400"]), (200, ["RateLimit": #""h";r=0;t=30"#])], 30),
            ([(200, ["RateLimit": #""h";r=0;t=30"#]), (429, ["Retry-After": "5"])], 30),
            ([(200, ["RateLimit": #""h";r=0;t=90"#]), (429, ["Retry-After": "5"])], nil),
            ([(429, ["Retry-After": "61"])], nil),
        ]

    @Test("A Retry-After holds, whatever rate limit another response has", arguments: responses)
    func retryAfter(
        row: (responses: [(status: Int, fields: [String: String])], wait: Double?)
    ) throws {
        let now = Date(timeIntervalSince1970: 0)
        var pace = Pace()
        for _ in row.responses { #expect(pace.start(now, 60) == nil) }
        for response in row.responses {
            pace.end()
            pace.read(try .stub(response.status, response.fields), at: now)
        }
        #expect(pace.start(now, 60) == row.wait)
        guard let wait = row.wait else { return }
        #expect(pace.start(now + wait, 60) == nil)
    }

    @Test(
        "The state of an origin is kept until its rate limit is reset and its requests have ended")
    func idle() throws {
        let now = Date(timeIntervalSince1970: 0)
        var pace = Pace()
        #expect(pace.isIdle(at: now))
        #expect(pace.start(now, 60) == nil)
        #expect(!pace.isIdle(at: now + 100))
        pace.end()
        pace.read(try .stub(429, ["Retry-After": "10"]), at: now)
        #expect(!pace.isIdle(at: now + 9))
        #expect(pace.isIdle(at: now + 10))
    }

    @Test("A rate limit of one origin doesn't delay requests to another")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func otherOrigin() throws {
        let time = VirtualTime()
        let stub = ClosureTransport { _ in try .stub(429, ["Retry-After": "50"]) }
        let transport = stub.paced(clock: time.clock)
        let requests = try ["https://a.example", "https://b.example", "https://a.example:8443"]
            .map { try Item.request(at: $0) }
        time.start { for request in requests { _ = try await transport.send(request) } }
        time.run()
        #expect(time.now == 0)
    }

    @Test("Cancelling a request that waits for a rate limit ends it at once")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func cancelled() throws {
        let (time, events) = (VirtualTime(), Journal<String>())
        let stub = ClosureTransport { _ in try .stub(429, ["Retry-After": "50"]) }
        let transport = stub.paced(clock: time.clock)
        let request = try Item.request()
        let task = time.start {
            _ = try await transport.send(request)
            do { _ = try await transport.send(request) } catch is CancellationError {
                events.add("cancelled at \(time.now)")
            }
        }
        time.start {
            try await time.sleep(7)
            task.cancel()
        }
        time.run()
        #expect(events.entries == ["cancelled at 7.0"])
    }

    @Test(
        "After a redirect to another origin, the rate limit is that of the origin",
        arguments: [302, 307])
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func redirected(status: Int) throws {
        let (time, sent) = (VirtualTime(), Journal<String>())
        let server = Following { request in
            sent.add("\(request.url?.host ?? "") \(time.now)")
            return request.url?.host == "b.example"
                ? (200, ["RateLimit": "\"b\";r=0;t=30"])
                : (status, ["Location": "https://b.example/"])
        }
        let transport = server.paced(clock: time.clock)
        let (first, second) = (
            try Item.request(at: "https://a.example/"), try Item.request(at: "https://b.example/")
        )
        time.start {
            _ = try await transport.send(first)
            _ = try await transport.send(first)
            _ = try await transport.send(second)
        }
        time.run()
        #expect(
            sent.entries == [
                "a.example 0.0", "b.example 0.0", "a.example 0.0", "b.example 0.0",
                "b.example 30.0",
            ])
    }

    @Test("Requests in flight are subtracted from the requests that a server still allows")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func inFlight() throws {
        let (time, sent) = (VirtualTime(), Journal<TimeInterval>())
        let stub = ClosureTransport { request in
            sent.add(time.now)
            let address = request.urlRequest.url?.absoluteString ?? ""
            try await time.sleep(address.hasSuffix("/slow") ? 10 : 1)
            return try .stub(200, ["RateLimit": #""hour";r=1;t=30"#], at: address)
        }
        let transport = stub.paced(clock: time.clock)
        for (path, start) in [("slow", 0.0), ("quick", 0.5), ("late", 2)] {
            let request = try Item.request(at: "https://a.example/\(path)")
            time.start {
                try await time.sleep(start)
                _ = try await transport.send(request)
            }
        }
        time.run()
        #expect(sent.entries == [0, 0.5, 31.5])
    }

    /// A server that allows 50 requests in a minute, and counts those that were too many.
    @Test("None of 500 paced requests is refused by a server that allows 50 a minute")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func wall() throws {
        let (time, refused, done) = (VirtualTime(), Journal<Void>(), Journal<Void>())
        let counts = Guarded<[Int: Int]>([:])
        let stub = ClosureTransport { _ in
            let minute = Int(time.now / 60)
            let count = counts.withLock { counts in
                counts[minute, default: 0] += 1
                return counts[minute] ?? 0
            }
            try await time.sleep(time.number(in: 0.01...0.5))
            if count > 50 { refused.add(()) }
            let reset = Double(minute + 1) * 60 - time.now
            return try .stub(
                count > 50 ? 429 : 200,
                [
                    "X-RateLimit-Limit": "50", "X-RateLimit-Remaining": "\(max(0, 50 - count))",
                    "X-RateLimit-Reset": "\(Int(reset.rounded(.up)))",
                ])
        }
        let transport = stub.paced(clock: time.clock).limited(perOrigin: 4)
        let request = try Item.request()
        for _ in 0..<500 {
            time.start {
                _ = try await transport.send(request)
                done.add(())
            }
        }
        time.run()
        #expect(done.entries.count == 500)
        #expect(refused.entries.isEmpty)
        #expect((540...660).contains(time.now))
    }
}
