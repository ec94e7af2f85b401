import Foundation

/// Makes elements of bytes that arrive in pieces of any size.
///
///     parser.append(piece)
///     while let element = try parser.next() { … }   // after each piece
///     if let last = try parser.finish() { … }       // when the last piece has been read
///
/// Where the pieces are cut makes no difference to the elements.
protocol StreamParser<Element> {
    associatedtype Element

    /// Takes the next piece.
    mutating func append(_ piece: Data)
    /// The next element that is whole; `nil` if that takes another piece.
    mutating func next() throws -> Element?
    /// The element that only the end of the stream completes, after all others.
    mutating func finish() throws -> Element?
}
