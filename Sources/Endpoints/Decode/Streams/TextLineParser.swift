import Foundation

/// Reads lines of text in UTF-8.
///
///     "a\r\nb\n\nc"   ->  "a", "b", "", "c"
///
/// Bytes that are not UTF-8 become U+FFFD, as in the WHATWG Encoding standard's “UTF-8 decode”, so
/// that a malformed line doesn't end the stream. ``LineSplitter`` says what a line is.
struct TextLineParser: StreamParser {
    private var lines: LineSplitter

    /// - Parameter limit: How many bytes a line may have.
    init(limit: Int) {
        lines = LineSplitter(limit: limit)
    }

    mutating func append(_ piece: Data) {
        lines.append(piece)
    }

    mutating func next() throws(StreamLimitExceeded) -> String? {
        try lines.next().map { String(decoding: $0, as: UTF8.self) }
    }

    mutating func finish() throws(StreamLimitExceeded) -> String? {
        try lines.finish().map { String(decoding: $0, as: UTF8.self) }
    }
}
