import Endpoints

/// The values of a response in JSON Lines, also known as NDJSON, as they arrive.
///
///     // {"id": 1}\n{"id": 2}   ->  Item(id: 1), Item(id: 2)
///
/// The request's ``RequestType/responseDecoder`` reads each line. Blank lines are skipped. For a
/// line that isn't an `Item`, the iterator throws an
/// ``EndpointTaskError/responseParseError(httpResponse:data:error:)`` with the line's number, and
/// can continue with the next line.
public struct JSONLines<Item: Decodable>: StreamedResponse {
    private let response: ArrivingResponse

    /// `application/jsonl`, and its older name `application/x-ndjson`.
    public static var acceptedType: MIMEType? { "application/jsonl, application/x-ndjson" }

    /// The values of a response.
    public init(_ response: ArrivingResponse) {
        self.response = response
    }

    /// An iterator over the values.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var items: ParsedBody<JSONLineParser<Item>>

        /// The next value; `nil` after the last one.
        public mutating func next() async throws(StreamError) -> Item? {
            try await next(isolation: nil)
        }

        /// Like `next()`, but runs on the caller's actor.
        public nonisolated(nonsending) mutating func next(
            isolation actor: (any Actor)?
        ) async throws(StreamError) -> Item? {
            if let item = try items.arrived() { return item }
            return try await items.next()
        }
    }

    /// The values. Only the first iterator gets them, unless the body is in memory.
    public func makeAsyncIterator() -> AsyncIterator {
        let parser = JSONLineParser(
            of: Item.self, with: response.decoder, limit: response.partLimit)
        return AsyncIterator(items: ParsedBody(response, parser))
    }
}
