import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Response bodies")
struct ResponseBodyTests {
    /// A source of pieces that says when it is released.
    actor Pieces {
        private var rest: ArraySlice<String>
        private let whenReleased: @Sendable () -> Void

        init(_ pieces: [String], whenReleased: @escaping @Sendable () -> Void = {}) {
            rest = pieces[...]
            self.whenReleased = whenReleased
        }

        deinit { whenReleased() }

        func next() -> Data? { rest.popFirst().map { Data($0.utf8) } }
    }

    static func body(_ pieces: String...) -> ResponseBody {
        let source = Pieces(pieces)
        return ResponseBody { await source.next() }
    }

    @Test(
        "A body in pieces is read whole",
        arguments: [([], ""), (["ab"], "ab"), (["a", "", "bc", "d"], "abcd")])
    func whole(pieces: [String], text: String) async throws {
        let source = Pieces(pieces)
        let body = ResponseBody { await source.next() }
        #expect(try await body.data(upTo: text.utf8.count) == Data(text.utf8))
    }

    @Test("A body that is longer than the limit is refused, in memory or in pieces")
    func limit() async {
        for body in [ResponseBody(Data("abc".utf8)), Self.body("ab", "c")] {
            let error = await #expect(throws: URLError.self) { try await body.data(upTo: 2) }
            #expect(error?.code == .dataLengthExceedsMaximum)
        }
    }

    @Test("A loop over a body gets no empty piece")
    func pieces() async throws {
        var pieces: [String] = []
        for try await piece in Self.body("a", "", "b") {
            pieces.append(String(decoding: piece, as: UTF8.self))
        }
        #expect(pieces == ["a", "b"])
    }

    @Test("A body that is not in memory is read once")
    func once() async throws {
        let body = Self.body("a", "b")
        #expect(try await body.data(upTo: 9) == Data("ab".utf8))
        #expect(try await body.data(upTo: 9).isEmpty)
    }

    @Test("Leaving the loop releases the source, though the body is still held")
    func release() async throws {
        let (released, continuation) = AsyncStream<Void>.makeStream()
        var body: ResponseBody?
        do {
            let source = Pieces(["a", "b"]) { continuation.finish() }
            body = ResponseBody { await source.next() }
        }
        for try await _ in try #require(body) { break }
        for await _ in released {}
        withExtendedLifetime(body) {}
    }
}
