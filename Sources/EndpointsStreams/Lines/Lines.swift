import Endpoints
import Foundation

/// The lines of a text in UTF-8, as they arrive.
///
///     // "a\r\nb\n\nc"   ->  "a", "b", "", "c"
///
/// A line ends at CR, LF or CRLF. A byte order mark at the start is dropped, and bytes that are not
/// UTF-8 become U+FFFD. A line of more than 64 MB, or of more than the policy's
/// ``LoadPolicy/bodyLimit`` if that is less, ends the stream with an error.
public struct Lines: StreamedResponse {
    private let response: ArrivingResponse

    /// `nil`: each media type has lines.
    public static var acceptedType: MIMEType? { nil }

    /// The lines of a response.
    public init(_ response: ArrivingResponse) {
        self.response = response
    }

    /// An iterator over the lines.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var lines: ParsedBody<TextLineParser>

        /// The next line; `nil` after the last one.
        public mutating func next() async throws(StreamError) -> String? {
            try await next(isolation: nil)
        }

        /// Like `next()`, but runs on the caller's actor.
        public nonisolated(nonsending) mutating func next(
            isolation actor: (any Actor)?
        ) async throws(StreamError) -> String? {
            // This uses `actor`. If nothing used it, the optimizer would move this function's code
            // into a second function without the parameter: two async calls instead of one.
            withExtendedLifetime(actor) {}
            if let line = try lines.arrived() { return line }
            return try await lines.next()
        }
    }

    /// The lines. Only the first iterator gets them, unless the body is in memory.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(lines: ParsedBody(response, TextLineParser(limit: response.partLimit)))
    }
}

/// Reads lines of text in UTF-8.
///
///     "a\r\nb\n\nc"   ->  "a", "b", "", "c"
///
/// A line ends at CR, LF or CRLF. Bytes that are not UTF-8 become U+FFFD, as in “UTF-8 decode” of
/// the WHATWG Encoding standard, so a malformed line doesn't end the stream.
struct TextLineParser: StreamParser {
    private var lines: LineSplitter

    /// - Parameter limit: The most bytes of a line.
    init(limit: Int) {
        lines = LineSplitter(limit: limit)
    }

    mutating func append(_ chunk: Data) {
        lines.append(chunk)
    }

    mutating func next() throws(StreamLimitExceeded) -> String? {
        try lines.next().map { String(decoding: $0, as: UTF8.self) }
    }

    mutating func finish() throws(StreamLimitExceeded) -> String? {
        try lines.finish().map { String(decoding: $0, as: UTF8.self) }
    }
}
