import Foundation

/// The elements that a parser makes of a body.
struct ParsedBody<Parser: StreamParser> {
    private var body: ResponseBody.AsyncIterator
    private(set) var parser: Parser
    private var hasEnded = false
    private let response: ArrivingResponse

    init(_ response: ArrivingResponse, _ parser: Parser) {
        self.response = response
        self.parser = parser
        body = response.body.makeAsyncIterator()
    }

    /// The next element, once it has arrived; `nil` after the last one.
    mutating func next() async throws(StreamError) -> Parser.Element? {
        while !hasEnded {
            if let element = try parse({ try parser.next() }) { return element }
            if let piece = try await nextPiece() {
                parser.append(piece)
            } else {
                hasEnded = true
                return try parse { try parser.finish() }
            }
        }
        return nil
    }

    private mutating func nextPiece() async throws(StreamError) -> Data? {
        do { return try await body.next() } catch {
            hasEnded = true
            throw response.error(loading: error)
        }
    }

    private func parse(
        _ read: () throws -> Parser.Element?
    ) throws(StreamError) -> Parser.Element? {
        do { return try read() } catch { throw response.error(parsing: error) }
    }
}
