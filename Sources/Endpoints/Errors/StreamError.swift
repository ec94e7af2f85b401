import Foundation

/// The error of a stream. It is never an `.errorResponse`: a stream begins after a success.
public typealias StreamError = EndpointTaskError<Never>

/// An error that says whether the same request may succeed later.
protocol TransientError: Error {
    var isTransient: Bool { get }
}

extension EndpointTaskError: TransientError {
    /// Whether the same request may succeed later: the device was offline, the connection was lost
    /// or could not be made, the load took too long, or the transport threw an error of its own.
    /// A ``SignInError`` is transient only if its cause is a transient error.
    var isTransient: Bool {
        switch self {
        case .internetConnectionOffline: true
        case .transportError(let error):
            if let error = error.cause as? SignInError {
                (error.cause as? any TransientError)?.isTransient ?? false
            } else {
                true
            }
        case .urlLoadError(let error): URLError.Code.transient.contains(error.code)
        default: false
        }
    }
}

extension URLError.Code {
    /// The codes after which the same request may succeed later. `unknown` is one of them, because
    /// `URLSession` on Linux may report it if a server resets the connection.
    fileprivate static let transient: Set<URLError.Code> = [
        .unknown, .networkConnectionLost, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed,
        .timedOut,
    ]
}
