import Endpoints
import EndpointsStreams
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A stream of a body that a transport has in memory.
@Suite("Streams that are read twice")
struct ReadOnceTests {
    struct Get<Response: StreamedResponse>: FlatRequest {
        static var endpoint: Endpoint<Self> { .once(Endpoint(method: .post, path: "a")) }
    }

    /// How many elements two loops over a stream get, and the error of the second loop.
    private static func loops<Response: StreamedResponse>(
        _ type: Response.Type, by transport: some Transport
    ) async throws -> (first: Int, second: Int, error: String) {
        let stream = try await transport.response(in: .production, with: Get<Response>())
        var counts = [0, 0]
        for try await _ in stream { counts[0] += 1 }
        do { for try await _ in stream { counts[1] += 1 } } catch {
            return (counts[0], counts[1], "\(error)")
        }
        return (counts[0], counts[1], "no error")
    }

    private static let memory = ClosureTransport { _ in
        try .stub(200, ["Content-Type": "text/event-stream"], "data: 1\n\n")
    }

    typealias Loops = @Sendable () async throws -> (first: Int, second: Int, error: String)

    static let rows: [(first: Int, loops: Loops)] = [
        (1, { try await loops(ByteStream.self, by: memory) }),
        (2, { try await loops(Lines.self, by: memory) }),
        (1, { try await loops(EventStream<Int>.self, by: memory) }),
        (
            1,
            {
                let stub = StubTransport()
                stub.on(Get<ByteStream>.self, .data(Data("x".utf8)))
                return try await loops(ByteStream.self, by: stub)
            }
        ),
    ]

    @Test(
        "A second loop over a stream throws, whatever transport it comes from",
        arguments: rows.indices)
    func twice(_ index: Int) async throws {
        let (first, second, error) = try await Self.rows[index].loops()
        #expect(first == Self.rows[index].first && second == 0)
        #expect(error.contains("has been read before"), "\(error)")
    }

    @Test("A second loop over a stream that `decode` has made throws, too")
    func decoded() async throws {
        let canned = CannedResponse(200, "a")
        let stream = try canned.read(Get<Lines>.self)
        for try await line in stream { #expect(line == "a") }
        await #expect(throws: StreamError.self) { for try await _ in stream {} }
    }

    @Test("A stream that may connect again less than no time is refused", arguments: [-1, .min])
    func reconnections(limit: Int) async throws {
        let stream = try await Self.memory
            .response(in: .production, with: Get<EventStream<Int>>())
            .reconnecting(atMost: limit)
        let error = await #expect(throws: StreamError.self) { for try await _ in stream {} }
        #expect(
            error?.description == """
                Get<EventStream<Int>>: the response has `reconnecting(atMost: \(limit))`, which \
                can't be meant; write 0 or more
                """)
    }
}
