import Foundation

/// Why a request could not be replayed, or a recording not be read or written.
///
/// It reaches a test as ``EndpointTaskError/transportError(_:)``.
public struct RecordingError: LocalizedError, CustomStringConvertible {
    /// What is wrong and what to do.
    public let description: String
    /// The same text.
    public var errorDescription: String? { description }
}
