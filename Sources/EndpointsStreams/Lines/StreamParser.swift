import Endpoints
import Foundation

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
