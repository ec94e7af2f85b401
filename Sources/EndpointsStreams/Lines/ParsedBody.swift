import Endpoints
import Foundation

/// The elements that a parser makes of a body.
///
/// Its functions run on their caller's actor: switching actors for each element would take longer
/// than parsing it.
struct ParsedBody<Parser: StreamParser> {
    private enum Stage {
        case arriving
        /// The body has ended. Only the parser's `finish()` may still return an element.
        case arrived
        case ended
    }

    private var body: ResponseBody.AsyncIterator
    private(set) var parser: Parser
    private var stage = Stage.arriving
    private let response: ArrivingResponse

    init(_ response: ArrivingResponse, _ parser: Parser) {
        self.response = response
        self.parser = parser
        body = response.body.makeAsyncIterator()
    }

    /// The next element, if it has arrived. Calling this before `next()` saves an async call.
    mutating func arrived() throws(StreamError) -> Parser.Element? {
        guard stage == .arriving else { return nil }
        do { return try parser.next() } catch {
            // Of the parser's errors, only this one ends the stream. After a line that isn't JSON,
            // the caller can go on.
            if error is StreamLimitExceeded { stage = .ended }
            throw response.error(parsing: error)
        }
    }

    /// The next element, once it has arrived; `nil` after the last one.
    nonisolated(nonsending) mutating func next() async throws(StreamError) -> Parser.Element? {
        while stage == .arriving {
            if let element = try arrived() { return element }
            try await readOn()
        }
        guard stage == .arrived else { return nil }
        do { return try parser.finish() } catch { throw response.error(parsing: error) }
    }

    private nonisolated(nonsending) mutating func readOn() async throws(StreamError) {
        do {
            guard let chunk = try await body.next(isolation: #isolation) else {
                stage = .arrived
                return
            }
            parser.append(chunk)
        } catch {
            stage = .ended
            throw response.error(loading: error)
        }
    }
}

/// Parses elements from bytes that arrive in chunks of any size.
///
///     parser.append(chunk)
///     while let element = try parser.next() { … }   // after each chunk
///     if let last = try parser.finish() { … }       // when the last chunk has been read
///
/// The elements don't depend on how the bytes are divided into chunks.
protocol StreamParser<Element> {
    associatedtype Element

    mutating func append(_ chunk: Data)
    /// The next complete element; `nil` if another chunk is needed.
    mutating func next() throws -> Element?
    /// The element that the end of the stream completes, such as a last line without LF; or `nil`.
    mutating func finish() throws -> Element?
}
