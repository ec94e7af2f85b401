import Foundation

/// The error of a stream. A stream has no error response, as it follows a success.
public typealias StreamError = EndpointTaskError<Never>

extension EndpointTaskError {
    /// Whether the same request may succeed later, because its connection was lost or could not be
    /// made.
    var isTransient: Bool {
        switch self {
        case .internetConnectionOffline, .transportError: true
        case .urlLoadError(let error): URLError.Code.transient.contains(error.code)
        default: false
        }
    }
}

extension URLError.Code {
    /// On Linux a connection that is reset may have no code but `unknown`.
    fileprivate static let transient: Set<URLError.Code> = [
        .unknown, .networkConnectionLost, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed,
        .timedOut,
    ]
}
