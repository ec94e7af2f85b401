import Endpoints
import EndpointsStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Streams of texts that aren't JSON, declared as if they were.
@Suite("Elements that are plain text")
struct PlainElementTests {
    struct Get<Response: StreamedResponse>: FlatRequest {
        static var endpoint: Endpoint<Self> { .once(Endpoint(method: .post, path: "a")) }
    }

    private static func reason<Response: StreamedResponse>(
        _ type: Response.Type, of text: String = "data: hello\n\n"
    ) async -> String {
        let transport = ClosureTransport { _ in
            try .stub(200, ["Content-Type": "text/event-stream"], text)
        }
        do {
            for try await _ in try await transport.response(in: .production, with: Get<Response>())
            {
            }
            return "no error"
        } catch { return "\(error)" }
    }

    static let hints: [(load: @Sendable () async -> String, hint: String)] = [
        (
            { await reason(EventStream<String>.self) },
            "; EventStream<String> decodes each one; for the text itself, declare "
                + "EventStream<ServerSentEvent>"
        ),
        (
            { await reason(EventStream<Data>.self) },
            "; EventStream<Data> decodes each one; for the text itself, declare "
                + "EventStream<ServerSentEvent>"
        ),
        (
            { await reason(EventStream<String?>.self) },
            "; EventStream<Optional<String>> decodes each one; for the text itself, declare "
                + "EventStream<ServerSentEvent>"
        ),
        (
            { await reason(JSONLines<String>.self) },
            "; JSONLines<String> decodes each one; for the text itself, declare Lines"
        ),
        (
            { await reason(JSONLines<Data>.self) },
            "; JSONLines<Data> decodes each one; for the text itself, declare Lines"
        ),
        (
            { await reason(EventStream<Int>.self, of: "data: 1\n\ndata:\n\n") },
            "in event 2, there is no content; declare EventStream<Int?>, whose element is nil for "
                + "such an event, or an EventStream<ServerSentEvent>"
        ),
        ({ await reason(EventStream<Int?>.self, of: "data:\n\ndata\n\ndata: \n\n") }, "no error"),
        (
            { await reason(EventStream<Int>.self) },
            "in event 1, the content is not valid; if it ends the stream, add `ending(at:)`"
        ),
        (
            { await reason(EventStream<[Int]>.self, of: "data: [1]\n\ndata: [DONE]\n\n") },
            "in event 2, the content is not valid; if it ends the stream, add `ending(at:)`"
        ),
        (
            {
                await reason(
                    EventStream<Int>.self, of: "data: \(String(repeating: "no ", count: 20))\n\n")
            }, "in event 1, the content is not valid"
        ),
        (
            { await reason(EventStream<Int>.self, of: "data: \"done\"\n\n") },
            "in event 1, the value at the top is not of type Int"
        ),
        ({ await reason(JSONLines<[String]>.self) }, "in line 1, the content is not valid"),
    ]

    @Test(
        "An element that is declared as a text, but isn't JSON, ends in what to declare",
        arguments: hints)
    func hint(row: (load: @Sendable () async -> String, hint: String)) async {
        let text = await row.load()
        #expect(text.hasSuffix(row.hint), "\(text)")
    }
}
