import Endpoints
import Foundation

/// Why a request could not be replayed, why a recording could not be read or written, or which
/// recorded request was not sent.
///
/// A load throws this error as ``EndpointTaskError/transportError(_:)``.
public struct RecordingError: LocalizedError, CustomNSError, CustomStringConvertible {
    /// `EndpointsTesting.RecordingError`.
    public static var errorDomain: String { "EndpointsTesting.RecordingError" }

    /// What is wrong and what to do.
    public let description: String
    /// The same text as `description`.
    public var errorDescription: String? { description }
    /// The `description`, for an `NSError` made from this error. On Linux, such an `NSError` gets
    /// its texts only from this property.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}
