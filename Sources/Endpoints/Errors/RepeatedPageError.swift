import Foundation

/// The page that a server says is the next one was loaded before, so that the pages would never
/// end. It is a ``EndpointTaskError/transportError(_:)``.
public struct RepeatedPageError: Error, Sendable {}

extension RepeatedPageError: CustomStringConvertible, LocalizedError {
    /// One sentence, without anything that was received.
    public var description: String {
        "the server names a next page that was loaded before, so the pages would never end"
    }
    /// The same sentence.
    public var errorDescription: String? { description }
}
