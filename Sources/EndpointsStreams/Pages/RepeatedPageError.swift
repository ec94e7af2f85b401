import Endpoints
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

extension RepeatedPageError: CustomNSError {
    /// `Endpoints.RepeatedPageError`.
    public static var errorDomain: String { "Endpoints.RepeatedPageError" }

    /// The texts of an `NSError` made from this error.
    public var errorUserInfo: [String: Any] { localizedTexts }
}
