import Endpoints
import EndpointsShared
import Foundation

/// The values of a response in JSON Lines, also known as NDJSON, as they arrive.
///
///     // {"id": 1}\n{"id": 2}   ->  Item(id: 1), Item(id: 2)
///
/// The request's ``RequestType/responseDecoder`` reads each line. Blank lines are skipped. For a
/// line that isn't an `Item`, the iterator throws an
/// ``EndpointTaskError/responseParseError(httpResponse:data:error:)`` with the line and its number,
/// and can continue with the next line.
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

/// Reads a value from each line: JSON Lines, also known as NDJSON.
///
///     {"id": 1}\n\n{"id": 2}   ->  Item(id: 1), Item(id: 2)
///
/// Blank lines are skipped. If a line can't be decoded as an `Item`, an ``UnreadableElement``
/// is thrown, and the lines after the unreadable one can still be read.
struct JSONLineParser<Item: Decodable>: StreamParser {
    private var lines: LineSplitter
    private let decoder: any DecoderType
    private var number = 0

    /// - Parameter limit: The most bytes of a line.
    init(of type: Item.Type, with decoder: any DecoderType, limit: Int) {
        lines = LineSplitter(limit: limit)
        self.decoder = decoder
    }

    mutating func append(_ chunk: Data) {
        lines.append(chunk)
    }

    mutating func next() throws -> Item? {
        while let line = try lines.next() {
            if let item = try item(line) { return item }
        }
        return nil
    }

    mutating func finish() throws -> Item? {
        guard let line = try lines.finish() else { return nil }
        return try item(line)
    }

    private mutating func item(_ line: ArraySlice<UInt8>) throws(UnreadableElement) -> Item? {
        number += 1
        guard !line.allSatisfy({ $0 == .space || $0 == .tab }) else { return nil }
        let data = Data(line)
        do { return try decoder.located(Item.self, from: data) } catch {
            let hint = UnreadableElement.hint(for: Item.self, of: "JSONLines", "Lines")
            throw UnreadableElement(
                place: "line \(number)", data: data, cause: error, hint: hint)
        }
    }
}

/// The error of a line or an event that can't be decoded.
struct UnreadableElement: LocalizedError {
    /// Which one it is, counted from 1, such as `line 3`. Blank lines count too.
    let place: String
    let data: Data
    let cause: any Error
    let hint: String?

    var errorDescription: String? {
        "in \(place), \(cause.safeReason)\(hint.map { "; \($0)" } ?? "")"
    }

    /// What to declare for plain text in place of a stream whose elements are decoded; `nil` if an
    /// element is neither a `String` nor `Data`.
    static func hint(for item: Any.Type, of stream: String, _ plain: String) -> String? {
        let plainTypes: [Any.Type] = [String.self, String?.self, Data.self, Data?.self]
        guard plainTypes.contains(where: { $0 == item }) else { return nil }
        return "\(stream)<\(item)> decodes each one; for the text itself, declare \(plain)"
    }
}
