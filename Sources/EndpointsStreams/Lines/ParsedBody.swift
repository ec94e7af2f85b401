import Endpoints
import EndpointsShared
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

/// Makes lines of bytes that arrive in chunks.
///
///     "a\r" "\nb\n\nc"   ->  next() returns "a" "b" "", then finish() returns "c"
///
/// A line ends only at CR, LF or CRLF. A byte order mark at the start of the first line is dropped.
/// A returned line is a slice of the buffer to which the chunks are appended, so it isn't copied.
struct LineSplitter {
    private var bytes: [UInt8] = []
    /// Where the next line begins.
    private var start = 0
    private var lineFeed = ByteSearch(for: .lineFeed)
    private var carriageReturn = ByteSearch(for: .carriageReturn)
    /// Whether the previous line ended in CR. An LF at ``start`` then belongs to that line's end.
    private var isAfterReturn = false
    private var isAtFirstLine = true
    /// The most bytes of a line, without the CR or LF at its end.
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    mutating func append(_ chunk: Data) {
        if start > bytes.count / 2 { removeLines() }
        bytes.append(contentsOf: chunk)
    }

    /// The next line, without CR or LF; `nil` if the end of the line has not arrived.
    mutating func next() throws(StreamLimitExceeded) -> ArraySlice<UInt8>? {
        skipLineFeed()
        let end = min(
            lineFeed.firstIndex(from: start, in: bytes),
            carriageReturn.firstIndex(from: start, in: bytes))
        guard end < bytes.count else {
            guard end - start <= limit else { throw .line(limit: limit) }
            return nil
        }
        let line = try line(to: end)
        isAfterReturn = bytes[end] == .carriageReturn
        start = end + 1
        return line
    }

    /// The bytes after the last CR or LF, once the stream has ended; `nil` if there are none.
    mutating func finish() throws(StreamLimitExceeded) -> ArraySlice<UInt8>? {
        skipLineFeed()
        let line = try line(to: bytes.count)
        start = bytes.count
        return line.isEmpty ? nil : line
    }

    private mutating func line(
        to end: Int
    ) throws(StreamLimitExceeded) -> ArraySlice<UInt8> {
        guard end - start <= limit else { throw .line(limit: limit) }
        let line = bytes[start..<end]
        defer { isAtFirstLine = false }
        return isAtFirstLine && line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
    }

    private mutating func skipLineFeed() {
        guard isAfterReturn, start < bytes.count else { return }
        isAfterReturn = false
        if bytes[start] == .lineFeed { start += 1 }
    }

    /// Removes the lines that were read, and moves the rest of the buffer to its start. `append`
    /// calls it only when these lines are more than half of the buffer, so that fewer bytes are
    /// moved than removed.
    private mutating func removeLines() {
        bytes.removeFirst(start)
        lineFeed.shift(by: start)
        carriageReturn.shift(by: start)
        start = 0
    }
}

/// Searches a growing array for one byte, and looks at each element only once.
///
/// `memchr` is several times as fast as a loop. The use of its pointers is safe for two reasons:
/// - The pointer to the array's bytes is used within one call, during which the array can't change.
/// - `searched` is from 0 to the array's count, so only bytes of the array are read.
struct ByteSearch {
    let byte: UInt8
    /// Where the last search ended: at the byte, or at the end of the array.
    private var searched = 0
    private var isFound = false

    init(for byte: UInt8) {
        self.byte = byte
    }

    /// The first index of the byte from `start` on, or the array's count if the byte isn't found.
    ///
    /// `start` must not be less than in the previous call. After `shift(by: n)`, it may be less by
    /// `n`.
    mutating func firstIndex(from start: Int, in bytes: [UInt8]) -> Int {
        if searched >= start && (isFound || searched == bytes.count) { return searched }
        searched = min(max(searched, start), bytes.count)
        let rest = bytes.count - searched
        let distance = bytes.withUnsafeBytes { memory -> Int? in
            guard rest > 0, let address = memory.baseAddress,
                let found = memchr(address + searched, Int32(byte), rest)
            else { return nil }
            return UnsafeRawPointer(found) - address
        }
        isFound = distance != nil
        searched = distance ?? bytes.count
        return searched
    }

    /// Adjusts the search after bytes were removed from the start of the array.
    mutating func shift(by count: Int) {
        isFound = isFound && searched >= count
        searched = max(searched - count, 0)
    }
}

/// A line or an event of a stream is larger than allowed.
enum StreamLimitExceeded: LocalizedError, Equatable {
    case line(limit: Int)
    case event(limit: Int)

    var errorDescription: String? {
        switch self {
        case .line(let limit):
            "a line is longer than the limit of \(limit) bytes; declare a ByteStream as Response"
        case .event(let limit):
            "an event is longer than the limit of \(limit) bytes; declare a ByteStream as Response"
        }
    }
}
