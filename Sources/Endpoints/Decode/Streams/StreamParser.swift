import Foundation

/// Parses elements from bytes that arrive in pieces of any size.
///
///     parser.append(piece)
///     while let element = try parser.next() { … }   // after each piece
///     if let last = try parser.finish() { … }       // when the last piece has been read
///
/// The elements don't depend on where the pieces are cut.
protocol StreamParser<Element> {
    associatedtype Element

    /// Takes the next piece.
    mutating func append(_ piece: Data)
    /// The next complete element; `nil` if another piece is needed.
    mutating func next() throws -> Element?
    /// The element that the end of the stream completes, such as a last line without LF; or `nil`.
    mutating func finish() throws -> Element?
}
