import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// It is indirect, as an error of one word takes less code at each call.

/// The error of a load.
///
///     do throws(GetUser.TaskError) {
///         print(try await session.response(in: .production, with: GetUser(id: 42)))
///     } catch .errorResponse(let httpResponse, let error) {
///         print(httpResponse.statusCode, error.message)   // a GetUser.ErrorResponse
///     } catch {
///         print(error)
///     }
///
/// Requests that share an `ErrorResponse` share this type. Its text is a sentence without anything
/// that was sent or received, except the description of an `ErrorResponse` that is a
/// `LocalizedError`: what that says may be shown. Only `debugDescription` shows the URL and the
/// beginning of the response, with `…` for secrets. The cases' values are evidence for the program:
/// `dump` shows them, and a `URLError`'s own description may show the URL with all that is in it.
public indirect enum EndpointTaskError<ErrorResponse: Sendable>: Error {
    /// The request can't be made, or the session can't send it.
    case endpointError(EndpointError)
    /// The load failed.
    case urlLoadError(URLError)
    /// The device is offline.
    case internetConnectionOffline(URLError)
    /// The ``Transport`` threw an error of its own, such as a token that could not be refreshed.
    case transportError(any Error)
    /// A file could not be read or written.
    case fileError(FileError)
    /// The load was cancelled.
    case cancelled
    /// The status is neither a success nor an error (400–599), or the error response has no body.
    case unexpectedResponse(httpResponse: HTTPURLResponse)
    /// The server sent an error response.
    case errorResponse(httpResponse: HTTPURLResponse, response: ErrorResponse)
    /// The server sent an error response that can't be decoded as an `ErrorResponse`; `data` is its
    /// body, up to the policy's ``LoadPolicy/errorBodyLimit``.
    case errorResponseParseError(
        httpResponse: HTTPURLResponse, data: Data, error: EndpointParseError)
    /// The server sent a success that can't be decoded as a `Response`.
    case responseParseError(
        httpResponse: HTTPURLResponse, data: Data, error: EndpointParseError)
}

extension EndpointTaskError: CustomStringConvertible, LocalizedError {
    /// One sentence, without a value that was sent or received.
    public var description: String {
        switch self {
        case .endpointError(let error):
            error.description
        case .urlLoadError(let error):
            "The load failed: \(error.code.reason)"
        case .transportError(let error):
            "The load failed: \(error.safeReason)"
        case .fileError(let error):
            "The load failed: \(error.reason)"
        case .internetConnectionOffline(let error):
            "The device is offline: \(error.code.reason)"
        case .cancelled:
            "The load was cancelled"
        case .unexpectedResponse(let httpResponse):
            "The server responded with status \(httpResponse.statusCode), "
                + (httpResponse.isErrorResponse
                    ? "and no error response could be read"
                    : "which is neither a success nor an error")
        case .errorResponse(let httpResponse, let response):
            "The server responded with the error status \(httpResponse.statusCode)"
                + ((response as? any LocalizedError)?.errorDescription.map { ": \($0)" } ?? "")
        case .errorResponseParseError(let httpResponse, _, let error):
            error.description(of: "the error response", httpResponse)
        case .responseParseError(let httpResponse, _, let error):
            error.description(of: "the response", httpResponse)
        }
    }

    /// The same sentence.
    public var errorDescription: String? { description }
}

extension HTTPURLResponse {
    /// Whether a response that isn't a success is an error response: its status is 400–599, or it
    /// is 2xx and `succeeded` returned `false`.
    var isErrorResponse: Bool {
        (400..<600).contains(statusCode) || (200..<300).contains(statusCode)
    }
}
