/// The lines of a text in UTF-8, as they arrive.
///
///     // "a\r\nb\n\nc"   ->  "a", "b", "", "c"
///
/// A line ends at CR, LF or CRLF. Bytes that are not UTF-8 become U+FFFD. A line of more than 64
/// MB, or of more than the policy's ``LoadPolicy/bodyLimit`` where that is less, ends the stream
/// with an error.
public struct Lines: StreamedResponse {
    private let response: ArrivingResponse

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

        /// The same, where the caller runs.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(StreamError) -> String? {
            if let line = try lines.arrived() { return line }
            return try await lines.next()
        }
    }

    /// The lines. Only the first iterator gets any, because a body can be read once.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(lines: ParsedBody(response, TextLineParser(limit: response.partLimit)))
    }
}
