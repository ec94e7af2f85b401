import Foundation

/// Why a request could not be replayed, or why a recording could not be read or written.
///
/// A load throws this error as ``EndpointTaskError/transportError(_:)``.
public struct RecordingError: LocalizedError, CustomNSError, CustomStringConvertible {
    /// `EndpointsTesting.RecordingError`.
    public static var errorDomain: String { "EndpointsTesting.RecordingError" }

    /// What is wrong and what to do.
    public let description: String
    /// The same text as `description`.
    public var errorDescription: String? { description }
    /// The `description`, for an `NSError` made from this error. On Linux, it gets its texts only
    /// from here.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}
