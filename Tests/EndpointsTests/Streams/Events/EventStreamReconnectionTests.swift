import Endpoints
import EndpointsStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Event streams that connect again", .timeLimit(.minutes(5)))
struct EventStreamReconnectionTests {
    struct Watch: FlatRequest {
        var seen: String?
        static let endpoint = Endpoint<Self>(
            method: .get, path: "events", headers: ["Last-Event-ID": .field(path: \.seen)])
        typealias Response = EventStream<ServerSentEvent>
    }

    /// Responds with events, then with a 204, and adds each request's `Last-Event-ID` to a journal.
    private static func server(_ text: String, _ ids: Journal<String?>) -> ClosureTransport {
        ClosureTransport { request in
            let id = request.urlRequest.value(forHTTPHeaderField: "Last-Event-ID")
            guard ids.add(id) == 1 else { return try .stub(204) }
            return try .stub(200, ["Content-Type": "text/event-stream"], "retry: 1\n" + text)
        }
    }

    static let connections: [(seen: String?, text: String, next: String?)] = [
        (nil, "data: a\n\n", nil), (nil, "data: a\nid: 8\n\n", "8"), ("7", "", "7"),
        ("7", "data: a\n\n", "7"), ("7", "data: a\nid: 8\n\n", "8"),
        ("7", "data: a\nid\n\n", nil),
    ]

    @Test("The next request has the last id that was received or declared", arguments: connections)
    func id(row: (seen: String?, text: String, next: String?)) async throws {
        let ids = Journal<String?>()
        let stream = try await Self.server(row.text, ids)
            .response(in: .production, with: Watch(seen: row.seen))
        for try await event in stream { #expect(event.id == row.next) }
        #expect(ids.entries == [row.seen, row.next])
    }

    @Test(
        "A stream waits by its clock before it connects again: 3 seconds, then twice as long",
        arguments: [(3, [3, 6, 12]), (0, [])] as [(Int, [TimeInterval])])
    func waits(limit: Int, expected: [TimeInterval]) async throws {
        let (waits, attempts) = (Journal<TimeInterval>(), Journal<Void>())
        let transport = ClosureTransport { _ in
            guard attempts.add(()) == 1 else { throw URLError(.cannotConnectToHost) }
            return try .stub(200, ["Content-Type": "text/event-stream"], "data: a\n\n")
        }
        let stream = try await transport.response(in: .production, with: Watch())
            .reconnecting(atMost: limit, clock: .journal(waits))
        var events = stream.makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        _ = try? await events.next()
        #expect(waits.entries == expected)
    }

    @Test(
        "A server that ends each connection after an event is asked again after a least time",
        arguments: [("retry: 0\n", 0.1), ("retry: 1\n", 0.1), ("retry: 250\n", 0.25), ("", 3)])
    func leastWait(retry: String, wait: TimeInterval) async throws {
        let waits = Journal<TimeInterval>()
        let transport = ClosureTransport { _ in
            try .stub(200, ["Content-Type": "text/event-stream"], retry + "data: a\n\n")
        }
        let stream = try await transport.response(in: .production, with: Watch())
            .reconnecting(atMost: 10, clock: .journal(waits))
        var events = stream.makeAsyncIterator()
        for _ in 0..<50 { _ = try await events.next() }
        #expect(waits.entries == Array(repeating: wait, count: 49))
    }

    @Test(
        "An id that no header holds is an error that says so",
        arguments: [8_000, 8_001, 10_000_000])
    func longID(count: Int) async throws {
        let ids = Journal<String?>()
        let id = String(repeating: "a", count: count)
        let stream = try await Self.server("id: \(id)\ndata: 1\n\n", ids)
            .response(in: .production, with: Watch())
        var events = stream.makeAsyncIterator()
        #expect(try await events.next()?.data == "1")
        guard count > 8_000 else {
            #expect(try await events.next() == nil)
            return #expect(ids.entries == [nil, id])
        }
        let error = await #expect(throws: StreamError.self) { try await events.next() }
        #expect(error?.description.contains("the id of the last event has \(count) bytes") == true)
        #expect(try await events.next() == nil)
        #expect(ids.entries.count == 1)
    }

    @Test("A stream's time limit is counted by its clock while it connects again")
    func limitByClock() async throws {
        let now = Locked(0.0)
        let limits = Journal<TimeInterval?>()
        let clock = TransportClock(
            date: { Date() }, uptime: { now.withLock { $0 } },
            sleep: { wait in now.withLock { $0 += wait } }, random: { 0 })
        struct Limited: FlatRequest {
            static let endpoint = Endpoint<Self>(method: .get, path: "events")
            static let loadPolicy = LoadPolicy(timeLimit: 100)
            typealias Response = EventStream<ServerSentEvent>
        }
        let transport = ClosureTransport { request in
            limits.add(request.policy.timeLimit)
            return try .stub(200, ["Content-Type": "text/event-stream"], "retry: 40000\n\n")
        }
        let stream = try await transport.response(in: .production, with: Limited())
            .reconnecting(atMost: 10, clock: clock)
        var events = stream.makeAsyncIterator()
        await #expect(throws: StreamError.self) { try await events.next() }
        #expect(limits.entries.map { ($0 ?? 0).rounded(.up) } == [100, 60])
    }

    @Test("A stream ends at the first event that one of its ends accepts")
    func ends() async throws {
        for (first, second) in [("b", "c"), ("c", "b")] {
            let text = "data: a\n\ndata: b\n\ndata: c\n\n"
            let stream = try await Self.server(text, Journal())
                .response(in: .production, with: Watch())
                .ending(at: first).ending { $0.data == second }
            var events: [String] = []
            for try await event in stream { events.append(event.data) }
            #expect(events == ["a"])
        }
    }
}
