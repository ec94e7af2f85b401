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
    private static func server(_ text: String, _ ids: Journal<String?>) -> StubTransport {
        StubTransport { request in
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
        let transport = StubTransport { _ in
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
