import Endpoints
import Foundation

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
