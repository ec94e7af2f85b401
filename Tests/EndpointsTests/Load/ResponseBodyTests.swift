import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Response bodies")
struct ResponseBodyTests {
    /// A source of chunks that says when it is released.
    actor Chunks {
        private var rest: ArraySlice<String>
        private let whenReleased: @Sendable () -> Void

        init(_ chunks: [String], whenReleased: @escaping @Sendable () -> Void = {}) {
            rest = chunks[...]
            self.whenReleased = whenReleased
        }

        deinit { whenReleased() }

        func next() -> Data? { rest.popFirst().map { Data($0.utf8) } }
    }

    static func body(_ chunks: String...) -> ResponseBody {
        let source = Chunks(chunks)
        return ResponseBody { await source.next() }
    }

    @Test(
        "A body in chunks is read whole",
        arguments: [([], ""), (["ab"], "ab"), (["a", "", "bc", "d"], "abcd")])
    func whole(chunks: [String], text: String) async throws {
        let source = Chunks(chunks)
        let body = ResponseBody { await source.next() }
        #expect(try await body.data(upTo: text.utf8.count) == Data(text.utf8))
    }

    @Test("A body that is longer than the limit is refused, in memory or in chunks")
    func limit() async {
        for body in [ResponseBody(Data("abc".utf8)), Self.body("ab", "c")] {
            let error = await #expect(throws: URLError.self) { try await body.data(upTo: 2) }
            #expect(error?.code == .dataLengthExceedsMaximum)
        }
    }

    @Test("A loop over a body gets no empty chunk")
    func chunks() async throws {
        var chunks: [String] = []
        for try await chunk in Self.body("a", "", "b") {
            chunks.append(String(decoding: chunk, as: UTF8.self))
        }
        #expect(chunks == ["a", "b"])
    }

    @Test("A body that is not in memory is read once, and reading it again is an error")
    func once() async throws {
        let body = Self.body("a", "b")
        #expect(try await body.data(upTo: 9) == Data("ab".utf8))
        let error = await #expect(throws: EndpointError.self) { try await body.data(upTo: 9) }
        #expect(error?.field == .response)
    }

    @Test("Leaving the loop releases the source, though the body is still held")
    func release() async throws {
        let (released, continuation) = AsyncStream<Void>.makeStream()
        var body: ResponseBody?
        do {
            let source = Chunks(["a", "b"]) { continuation.finish() }
            body = ResponseBody { await source.next() }
        }
        for try await _ in try #require(body) { break }
        for await _ in released {}
        withExtendedLifetime(body) {}
    }
}
