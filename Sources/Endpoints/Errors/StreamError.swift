import Foundation

/// The error of a stream. It is never an `.errorResponse`: a stream begins after a success. If a
/// later request for the same stream gets an error status, the error is an `.unexpectedResponse`.
/// For a stream that is saved as a file, a 500, 502, 503 or 504 is a `.urlLoadError` instead, as
/// trying again may help.
public typealias StreamError = EndpointTaskError<Never>

/// An error that says whether the same request may succeed later.
package protocol TransientError: Error {
    var isTransient: Bool { get }
}

extension EndpointTaskError: TransientError {
    /// Whether the same request may succeed later: the device was offline, the transport threw an
    /// error of its own, or the error is a ``URLError`` that is transient. An error of the
    /// transport that is a ``TransientError`` says itself whether it is transient.
    package var isTransient: Bool {
        switch self {
        case .internetConnectionOffline: true
        case .transportError(let error):
            (error.cause as? any TransientError)?.isTransient ?? true
        case .urlLoadError(let error): error.isTransient
        default: false
        }
    }
}

extension URLError: TransientError {
    package var isTransient: Bool { Self.transientCodes.contains(code) }

    /// `unknown` is one of them, because `URLSession` on Linux may report it if a server resets the
    /// connection.
    private static let transientCodes =
        URLError.Code.offline + [
            .unknown, .networkConnectionLost, .cannotConnectToHost, .cannotFindHost,
            .dnsLookupFailed,
            .timedOut,
        ]
}
