import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How an attempt of a request ended, for the condition ``RetryPolicy/retries``: with a response,
/// or with an error.
///
///     RetryPolicy(retries: { _, outcome in
///         outcome.status == 403
///             && outcome.httpResponse?.value(forHTTPHeaderField: "X-RateLimit-Remaining") == "0"
///     })
public struct AttemptOutcome: Sendable {
    /// The status and headers of the response; `nil` if the attempt ended with an ``error``.
    public let httpResponse: HTTPURLResponse?
    /// The whole body of the response, which may be empty.
    ///
    /// `nil` if the attempt ended with an ``error``, and for a request whose response is a stream:
    /// that isn't read before it is returned. The error response that a server sends in place of a
    /// stream isn't read either.
    public let body: Data?
    /// The error that ended the attempt, such as a `URLError`; `nil` if there was a response.
    public let error: (any Error)?

    /// The status of the response; `nil` if the attempt ended with an ``error``.
    public var status: Int? { httpResponse?.statusCode }

    init(_ response: TransportResponse, to request: TransportRequest) {
        httpResponse = response.httpResponse
        // A stub's stream is in memory. It isn't shown, so that tests see what a server's is like.
        body = request.streamsResponse ? nil : response.body.whole
        error = nil
    }

    init(_ error: any Error) {
        (httpResponse, body, self.error) = (nil, nil, error)
    }
}

extension AttemptOutcome: CustomReflectable {
    /// No children, because `dump(_:)` would print the body and the headers.
    public var customMirror: Mirror { .hidden(self) }
}
