import Foundation

/// A server names a next page that was loaded before, so the pages would never end. The load ends
/// with it as a ``EndpointTaskError/transportError(_:)``.
public struct RepeatedPageError: Error, Sendable {}

extension RepeatedPageError: CustomStringConvertible, LocalizedError {
    /// One sentence, without anything that was received.
    public var description: String {
        "the server names a next page that was loaded before, so the pages would never end"
    }
    /// The `description`.
    public var errorDescription: String? { description }
}
