import Endpoints
import EndpointsStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The end of an event stream", .timeLimit(.minutes(5)))
struct EventStreamEndTests {
    struct Chunk: Decodable, Equatable, Sendable {
        let choices: [String]
    }

    struct Ask: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .post, path: "ask")
        typealias Response = EventStream<Chunk>
    }

    struct Watch<Item: Decodable>: FlatRequest {
        static var endpoint: Endpoint<Self> { Endpoint(method: .get, path: "watch") }
        typealias Response = EventStream<Item>
    }

    static let fields = ["Content-Type": "text/event-stream"]
    static let chunk = #"data: {"choices": ["a"]}"# + "\n\n"

    private func chunks(_ text: String) async throws -> EventStream<Chunk> {
        try await ClosureTransport { _ in try .stub(200, Self.fields, text) }
            .response(in: .production, with: Ask())
    }

    private static let incomplete = """
        the response with status 200 can't be read: the stream ended before the event that \
        `ending(at:)` or `ending(where:)` describes, so a part of it may be missing; load it again
        """

    @Test("A stream that ends before its mark ends with an error")
    func noMark() async throws {
        var chunks = try await chunks(Self.chunk).ending(at: "[DONE]").makeAsyncIterator()
        #expect(try await chunks.next() == Chunk(choices: ["a"]))
        let error = await #expect(throws: StreamError.self) { try await chunks.next() }
        #expect(error?.description == "Ask: " + Self.incomplete)
        #expect(error?.recoverySuggestion == "Try again.")
        #expect(try await chunks.next() == nil)
    }

    @Test("A stream without a mark, or with the mark that it has named, ends without an error")
    func ends() async throws {
        let text = Self.chunk + "data: [DONE]\n\n"
        #expect(try await chunks(Self.chunk).collected() == [Chunk(choices: ["a"])])
        #expect(
            try await chunks(text).ending(at: "[DONE]").collected() == [Chunk(choices: ["a"])])
    }

    @Test(
        "A GET whose connections end before the mark connects again, then throws; a 204 is an end",
        arguments: [(200, "Watch<ServerSentEvent>: " + Self.incomplete), (204, nil)])
    func reconnecting(row: (status: Int, text: String?)) async throws {
        let attempts = Journal<Void>()
        let transport = ClosureTransport { _ in
            guard attempts.add(()) > 1 else { return try .stub(200, Self.fields, "data: a\n\n") }
            return try .stub(row.status, Self.fields)
        }
        let stream = try await transport.response(
            in: .production, with: Watch<ServerSentEvent>()
        )
        .reconnecting(atMost: 2, clock: .immediate).ending(at: "z")
        var text: String?
        do { for try await _ in stream {} } catch { text = "\(error)" }
        #expect(text == row.text)
        #expect(attempts.entries.count == (row.status == 204 ? 2 : 3))
    }

    @Test("The error of an event that can't be decoded says which one, and has its text")
    func unreadable() async throws {
        let event = #"{"error": {"message": "too many", "api_key": "s3cr3t"}}"#
        let text = Self.chunk + "data: \(event)\n\n" + Self.chunk
        var chunks = try await chunks(text).makeAsyncIterator()
        #expect(try await chunks.next() == Chunk(choices: ["a"]))
        let error = try #require(
            await #expect(throws: StreamError.self) { try await chunks.next() })
        #expect(
            error.description == """
                Ask: the response with status 200 can't be read: in event 2, the value at \
                `choices` is missing
                """)
        let shown = #"{\"error\": {\"message\": \"too many\", \"api_key\": \"…\"}}"#
        #expect(error.debugDescription.contains(#"the unreadable part begins with "\#(shown)""#))
        guard case .responseParseError(_, let data, _) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(String(decoding: data, as: UTF8.self) == event)
        #expect(try await chunks.next() == Chunk(choices: ["a"]))
    }

    @Test("The error of a line that can't be decoded has its text")
    func unreadableLine() async throws {
        struct Lines: FlatRequest {
            static let endpoint = Endpoint<Self>(method: .get, path: "lines")
            typealias Response = JSONLines<Chunk>
        }
        let text = #"{"choices": []}"# + "\n" + #"{"error": "too many"}"#
        let lines = try await ClosureTransport { _ in try .stub(200, [:], text) }
            .response(in: .production, with: Lines())
        do { for try await _ in lines {} } catch StreamError.responseParseError(_, let data, _) {
            #expect(String(decoding: data, as: UTF8.self) == #"{"error": "too many"}"#)
        }
    }

    @Test(
        "A stream connects again without an id that no header can have",
        arguments: [("7", "7"), ("7\u{1}", nil), ("\u{7F}", nil)] as [(String, String?)])
    func controlCharacter(row: (id: String, sent: String?)) async throws {
        let ids = Journal<String?>()
        let transport = ClosureTransport { request in
            try request.check()
            let id = request.urlRequest.value(forHTTPHeaderField: "Last-Event-ID")
            guard ids.add(id) == 1 else { return try .stub(204) }
            return try .stub(200, Self.fields, "id: \(row.id)\ndata: a\n\n")
        }
        let stream = try await transport.response(
            in: .production, with: Watch<ServerSentEvent>()
        )
        .reconnecting(atMost: 2, clock: .immediate)
        #expect(try await stream.collected().map(\.id) == [row.id])
        #expect(ids.entries == [nil, row.sent])
    }

    struct Cached: FlatRequest {
        static let endpoint = Endpoint<Self>(
            method: .get, path: "watch", headers: ["cache-control": "max-age=0"])
        typealias Response = WithHTTPResponse<EventStream<ServerSentEvent>>
    }

    struct GetLines: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "lines")
        typealias Response = Lines
    }

    @Test("The request for events says that they must not be stored, unless it says otherwise")
    func cacheControl() async throws {
        let sent = Journal<String?>()
        let transport = ClosureTransport { request in
            sent.add(request.urlRequest.value(forHTTPHeaderField: "Cache-Control"))
            return try .stub(200, Self.fields)
        }
        _ = try await transport.response(in: .production, with: Watch<ServerSentEvent>())
        _ = try await transport.response(in: .production, with: Cached())
        _ = try await transport.response(in: .production, with: GetLines())
        #expect(sent.entries == ["no-store", "max-age=0", nil])
    }
}
