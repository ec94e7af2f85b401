import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// `indirect` makes an error the size of one pointer, so each call needs less code to pass it on.

/// The error of a load.
///
///     do throws(GetUser.TaskError) {
///         print(try await session.response(in: .production, with: GetUser(id: 42)))
///     } catch .errorResponse(let httpResponse, let error) {
///         print(httpResponse.statusCode, error.message)   // error is a GetUser.ErrorResponse
///     } catch {
///         print(error)
///     }
///
/// Requests with the same `ErrorResponse` throw the same error type. Of what was sent and received,
/// the `description` shows only the status, and the text of a `LocalizedError`, such as a
/// ``ProblemDetails``. Only `debugDescription` shows the URL and the beginning of the body, with
/// `…` for secrets. The associated values hide nothing: `dump` prints them, and a `URLError`'s own
/// description may show the whole URL.
public indirect enum EndpointTaskError<ErrorResponse: Sendable>: Error {
    /// No valid `URLRequest` can be made, a ``Transport`` threw an ``EndpointError``, a publisher
    /// is asked for a `Response` that is a stream, or ``ArrivingResponse/requestAgain(_:)`` is
    /// called for a response that was made of data in memory.
    case endpointError(EndpointError)
    /// The load failed, for example by a timeout or a lost connection.
    case urlLoadError(URLError)
    /// The device is offline.
    case internetConnectionOffline(URLError)
    /// An error that fits no other case: the ``Transport`` threw it, or it is a
    /// ``RepeatedPageError``.
    case transportError(TransportError)
    /// A file could not be read or written.
    case fileError(FileError)
    /// The load was cancelled.
    case cancelled(URLError)
    /// The response can't be used, for one of these reasons:
    /// - Its status is neither a success nor an error (400–599).
    /// - It is an error response without a body, and `ErrorResponse` isn't ``EmptyResponse``.
    /// - A connection ended, and a new request asked for the rest of the stream or file, or for all
    ///   of it. This is the response to that request, and can't continue the stream or file.
    case unexpectedResponse(httpResponse: HTTPURLResponse)
    /// The server sent an error response: one with a status of 200–299 or 400–599 that
    /// ``RequestType/succeeded(_:data:)`` doesn't accept.
    case errorResponse(httpResponse: HTTPURLResponse, response: ErrorResponse)
    /// The server sent an error response that can't be decoded as an `ErrorResponse`; `data` is its
    /// body, up to the policy's ``LoadPolicy/errorBodyLimit``.
    case errorResponseParseError(
        httpResponse: HTTPURLResponse, data: Data, error: EndpointParseError)
    /// The server sent a successful response that can't be decoded as a `Response`, or a part of a
    /// stream that can't be read. `data` is the body. For a stream it is empty, unless
    /// ``RequestType/decode(_:_:)`` throws this error.
    case responseParseError(
        httpResponse: HTTPURLResponse, data: Data, error: EndpointParseError)
}

extension EndpointTaskError: CustomStringConvertible, LocalizedError {
    /// One sentence. Of what was sent and received, it shows only the status, and the text of an
    /// error response or a cause that is a `LocalizedError`.
    public var description: String {
        switch self {
        case .endpointError(let error):
            error.description
        case .urlLoadError, .transportError, .fileError:
            "The load failed: \(reason)"
        case .internetConnectionOffline(let error):
            "The device is offline: \(error.code.reason)"
        case .cancelled:
            "The load was cancelled"
        case .unexpectedResponse(let httpResponse):
            "The server responded with status \(httpResponse.statusCode)"
                + httpResponse.whyUnexpected(isStreamError: ErrorResponse.self == Never.self)
        case .errorResponse(let httpResponse, let response):
            "The server responded with an error, status \(httpResponse.statusCode)"
                + ((response as? any LocalizedError)?.errorDescription.map { ": \($0)" } ?? "")
        case .errorResponseParseError(let httpResponse, _, let error):
            error.description(naming: "the error response", httpResponse)
        case .responseParseError(let httpResponse, _, let error):
            error.description(naming: "the response", httpResponse)
        }
    }

    /// The same text as `description`.
    public var errorDescription: String? { description }
}

extension EndpointTaskError: ReasonedError {
    /// The `description` without `The load failed`, and with `the device is offline` in lower case.
    /// The text of an error with this cause, such as a ``SignInError``, ends with this reason.
    package var reason: String {
        switch self {
        case .urlLoadError(let error): error.code.reason
        case .transportError(let error): error.reason
        case .fileError(let error): error.reason
        case .internetConnectionOffline(let error): "the device is offline: \(error.code.reason)"
        default: description
        }
    }
}

extension HTTPURLResponse {
    /// The end of a sentence, after the status: why the response is unexpected. Empty if that isn't
    /// known.
    /// - Parameter isStreamError: Whether the error is a ``StreamError``, which a
    ///   ``StreamedResponse`` of your own may throw for any reason. If so, the text is empty for a
    ///   status of 200–299 or 400–599, unless the response is to a later request for the stream.
    fileprivate func whyUnexpected(isStreamError: Bool) -> String {
        if isToStreamRequestedAgain {
            return """
                 to the new request that followed a lost connection, so the stream or file can't go \
                on; load it from the start
                """
        }
        if isErrorResponse && isStreamError { return "" }
        switch statusCode {
        case 200..<300: return " and an empty body, and the request's `succeeded` returned false"
        case 400..<600: return " and an empty body"
        default: return ", which is neither a success nor an error"
        }
    }

    /// Whether a response that ``RequestType/succeeded(_:data:)`` refused may be an error response:
    /// its status is 200–299 or 400–599.
    var isErrorResponse: Bool {
        (400..<600).contains(statusCode) || (200..<300).contains(statusCode)
    }
}
