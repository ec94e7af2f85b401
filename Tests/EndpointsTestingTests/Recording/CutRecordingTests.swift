import Endpoints
import EndpointsStreams
import EndpointsTesting
import Foundation
import Testing

@Suite("Recordings of streams that are left")
struct CutRecordingTests {
    struct Ask: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .post, path: "ask")
        typealias Response = EventStream<ServerSentEvent>
    }

    private struct Events: Transport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let stub = EndpointsTesting.StubTransport()
            let chunks = ["data: a\n\n", "data: [DONE]\n\n", "data: b\n\n"].map { Data($0.utf8) }
            stub.on(
                Ask.self, .chunks(chunks, headers: ["Content-Type": "text/event-stream"]))
            return try await stub.send(request)
        }
    }

    private static let server = ServerEnvironment(
        baseUrl: URL(string: "https://api.example.com") ?? URL(fileURLWithPath: "/"))

    private func texts(by transport: any Transport) async throws -> [String] {
        var texts: [String] = []
        let events = try await transport.response(in: Self.server, with: Ask())
        for try await event in events.ending(at: "[DONE]") { texts.append(event.data) }
        return texts
    }

    @Test("A stream that is left at its mark is recorded as far as it arrived, and replayed")
    func left() async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(UUID().uuidString).har")
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try await texts(by: Recorder(Events(), to: file)) == ["a"])
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains(#""_cut" : true"#) && !text.contains("data: b"))

        #expect(try await texts(by: Replay(file)) == ["a"])
        let whole = try await Replay(file).response(in: Self.server, with: Ask())
        var events = whole.makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        #expect(try await events.next()?.data == "[DONE]")
        // What followed was not recorded.
        await #expect(throws: StreamError.self) { try await events.next() }
    }
}
