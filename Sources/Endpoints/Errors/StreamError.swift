import Foundation

/// The error of a stream. It is never an `.errorResponse`: a stream begins after a success.
public typealias StreamError = EndpointTaskError<Never>

extension EndpointTaskError {
    /// Whether the same request may succeed later: its connection was lost or could not be made, or
    /// its transport failed.
    var isTransient: Bool {
        switch self {
        case .internetConnectionOffline, .transportError: true
        case .urlLoadError(let error): URLError.Code.transient.contains(error.code)
        default: false
        }
    }
}

extension URLError.Code {
    /// `unknown` is one of them, as `URLSession` on Linux may report it for a reset connection.
    fileprivate static let transient: Set<URLError.Code> = [
        .unknown, .networkConnectionLost, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed,
        .timedOut,
    ]
}
