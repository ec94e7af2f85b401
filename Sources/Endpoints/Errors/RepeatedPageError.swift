import Foundation

/// Why a loop over pages ends with a `transportError`: the next page was loaded before.
public struct RepeatedPageError: Error, Sendable {}

extension RepeatedPageError: CustomStringConvertible, LocalizedError {
    /// One sentence, without anything that was received.
    public var description: String {
        "the next page is one that was loaded before, so the pages would never end; "
            + "check the request's `paging`"
    }
    /// The same text as `description`.
    public var errorDescription: String? { description }
}
