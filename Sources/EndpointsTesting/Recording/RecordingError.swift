import Foundation

/// Why a request could not be replayed, or why a recording could not be read or written.
///
/// It reaches a test as ``EndpointTaskError/transportError(_:)``.
public struct RecordingError: LocalizedError, CustomNSError, CustomStringConvertible {
    /// `EndpointsTesting.RecordingError`.
    public static var errorDomain: String { "EndpointsTesting.RecordingError" }

    /// What is wrong and what to do.
    public let description: String
    /// The `description`.
    public var errorDescription: String? { description }
    /// The `description` for an `NSError`, which has no other text on Linux.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}
