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
/// `…` for secrets. The associated values hide nothing, except that the URLs in a `URLError` have
/// `…` for secrets, too.
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
    /// stream that can't be read. `data` is the body. For a stream that can't begin, such as an
    /// `EventStream` of another `Content-Type`, it is the beginning of the body; in a stream it is
    /// the unreadable part.
    case responseParseError(
        httpResponse: HTTPURLResponse, data: Data, error: EndpointParseError)
}

extension EndpointTaskError {
    /// The status and headers of the server's response; `nil` if there was none, as for a lost
    /// connection, or none can be told, as for a body that is too long.
    ///
    ///     do {
    ///         print(try await api(GetUser(id: 42)))
    ///     } catch {
    ///         print(error.httpResponse?.statusCode ?? 0)   // 404
    ///     }
    public var httpResponse: HTTPURLResponse? {
        switch self {
        case .endpointError, .urlLoadError, .internetConnectionOffline, .transportError,
            .fileError, .cancelled:
            nil
        case .unexpectedResponse(let head), .errorResponse(let head, _),
            .errorResponseParseError(let head, _, _), .responseParseError(let head, _, _):
            head
        }
    }
}

extension EndpointTaskError: CustomStringConvertible, LocalizedError {
    /// One sentence, which begins with the name of the request type. Of what was sent and received,
    /// it shows only the status, and the text of an error response or a cause that is a
    /// `LocalizedError`.
    ///
    /// The name is missing in an error that wasn't thrown by a load, such as one that a test makes.
    public var description: String {
        guard let name = requestType, let first = sentence.first else { return sentence }
        return "\(name): \(first.lowercased())\(sentence.dropFirst())"
    }

    /// The request type of the load that threw the error; `nil` if it isn't known, or if the
    /// ``sentence`` has it.
    private var requestType: String? {
        switch self {
        case .urlLoadError(let error), .internetConnectionOffline(let error), .cancelled(let error):
            error.trace?.requestType
        case .transportError(let error): error.trace?.requestType
        case .fileError(let error): error.trace?.requestType
        case .unexpectedResponse(let head), .errorResponse(let head, _):
            (head as? TracedResponse)?.trace?.requestType
        case .endpointError, .errorResponseParseError, .responseParseError: nil
        }
    }

    private var sentence: String {
        switch self {
        case .endpointError(let error):
            error.description
        case .urlLoadError, .transportError, .fileError:
            "The load failed: \(reason)"
        case .internetConnectionOffline(let error):
            "The device is offline: \(error.reason)"
        case .cancelled:
            "The load was cancelled"
        case .unexpectedResponse(let httpResponse):
            "The server responded with status \(httpResponse.statusCode)"
                + httpResponse.whyUnexpected(isStreamError: ErrorResponse.self == Never.self)
        case .errorResponse(let httpResponse, let response):
            "The server responded with an error, status \(httpResponse.statusCode)"
                + (httpResponse.text(of: response).map { ": \($0)" } ?? "")
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
    var reason: String {
        switch self {
        case .urlLoadError(let error): error.reason
        case .transportError(let error): error.reason
        case .fileError(let error): error.reason
        case .internetConnectionOffline(let error): "the device is offline: \(error.reason)"
        default: description
        }
    }
}

extension HTTPURLResponse {
    /// What an error response that is a `LocalizedError` says, without what was sent as a secret.
    fileprivate func text(of response: Any) -> String? {
        guard let text = (response as? any LocalizedError)?.errorDescription else { return nil }
        return (self as? TracedResponse)?.trace?.hidingSecrets(in: text) ?? text
    }

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

extension EndpointTaskError {
    /// Why the load failed, as the end of a sentence; `nil` if it was cancelled. If the error
    /// response, or the error that a transport threw, has a `failureReason`, that is the text.
    ///
    ///     let error = EndpointTaskError<Never>.urlLoadError(URLError(.timedOut))
    ///     print(error.failureReason ?? "")
    ///     // it took too long (URLError -1001)
    public var failureReason: String? {
        switch self {
        case .endpointError(let error): error.failureReason
        case .urlLoadError(let error), .internetConnectionOffline(let error): error.reason
        case .transportError(let error): error.failureReason
        case .fileError(let error): error.reason
        case .cancelled: nil
        case .unexpectedResponse(let head): "the status is \(head.statusCode)"
        case .errorResponse(let head, let response):
            (response as? any LocalizedError)?.failureReason ?? "the status is \(head.statusCode)"
        case .errorResponseParseError(_, _, let error), .responseParseError(_, _, let error):
            error.failureReason
        }
    }

    /// What a person can do; `nil` if nothing is known to help.
    ///
    ///     let error = EndpointTaskError<Never>.urlLoadError(URLError(.timedOut))
    ///     print(error.recoverySuggestion ?? "")
    ///     // Check the connection to the internet, and try again later.
    public var recoverySuggestion: String? {
        switch self {
        case .endpointError(let error): error.recoverySuggestion
        case .urlLoadError(let error), .internetConnectionOffline(let error): error.code.advice
        case .transportError(let error): error.recoverySuggestion
        case .fileError(let error): error.recoverySuggestion
        case .cancelled: nil
        case .unexpectedResponse(let head): head.advice
        case .errorResponse(let head, let response):
            (response as? any LocalizedError)?.recoverySuggestion ?? head.advice
        case .errorResponseParseError(let head, _, _): head.advice
        case .responseParseError(_, _, let error): error.recoverySuggestion
        }
    }
}

extension HTTPURLResponse {
    fileprivate var advice: String? {
        switch statusCode {
        case 401: "Sign in, and try again."
        case 403: "Ask for the permission to do this."
        case 408, 425, 429, 500..<600: "Try again later."
        default: nil
        }
    }
}

extension EndpointTaskError: CustomNSError {
    /// `Endpoints.TaskError`, whatever type the `ErrorResponse` is.
    public static var errorDomain: String { "Endpoints.TaskError" }

    /// A number for the case and its status or code. Crash reporters group errors by this number.
    ///
    /// | case | code |
    /// |---|---|
    /// | `.endpointError` | 10,000 + the code of the ``EndpointError``, one for each kind of field |
    /// | `.urlLoadError` | 20,000 + the `URLError`'s code without its sign, such as 21001 for a timeout |
    /// | `.internetConnectionOffline` | 30,000 + the `URLError`'s code without its sign |
    /// | `.transportError` | 40,000 |
    /// | `.fileError` | 50,000 + the code of the ``FileError``, one for each kind |
    /// | `.cancelled` | 60,000 |
    /// | `.unexpectedResponse` | 70,000 + the status |
    /// | `.errorResponse` | 80,000 + the status, such as 80404 |
    /// | `.errorResponseParseError` | 90,000 + the status |
    /// | `.responseParseError` | 100,000 + the status |
    ///
    /// The codes are the same in each version of the library.
    public var errorCode: Int {
        switch self {
        case .endpointError(let error): 10_000 + error.errorCode
        case .urlLoadError(let error): 20_000 + abs(error.code.rawValue)
        case .internetConnectionOffline(let error): 30_000 + abs(error.code.rawValue)
        case .transportError: 40_000
        case .fileError(let error): 50_000 + error.errorCode
        case .cancelled: 60_000
        case .unexpectedResponse(let head): 70_000 + head.statusCode
        case .errorResponse(let head, _): 80_000 + head.statusCode
        case .errorResponseParseError(let head, _, _): 90_000 + head.statusCode
        case .responseParseError(let head, _, _): 100_000 + head.statusCode
        }
    }

    /// The texts of an `NSError` made from this error. On Linux, it gets its texts only from here.
    public var errorUserInfo: [String: Any] { localizedTexts }
}

extension EndpointTaskError {
    package init(loading error: any Error, _ requestType: Any.Type) {
        switch error {
        case let error as EndpointError:
            self = .endpointError(
                EndpointError(
                    requestType: "\(requestType)", field: error.field, reason: error.reason,
                    cause: error.cause))
        case let error as URLError where error.code == .cancelled:
            self = .cancelled(URLError(.cancelled))
        case let error as URLError where URLError.Code.offline.contains(error.code):
            self = .internetConnectionOffline(error)
        case let error as URLError:
            self = .urlLoadError(error)
        case let error as FileError:
            self = .fileError(error)
        case let error as TransportError:
            self.init(loading: error.cause, requestType)
        case is CancellationError:
            self = .cancelled(URLError(.cancelled))
        default:
            guard let urlError = error.asURLError else {
                self = .transportError(TransportError(cause: error))
                return
            }
            self.init(loading: urlError, requestType)
        }
    }
}

extension EndpointTaskError {
    /// This error with a trace of its load, which ``debugDescription`` shows.
    func traced(_ trace: LoadTrace) -> EndpointTaskError {
        switch self {
        case .endpointError(let error): .endpointError(error.traced(trace))
        case .fileError(let error): .fileError(error.traced(trace))
        case .transportError(let error): .transportError(error.traced(trace))
        case .urlLoadError(let error): .urlLoadError(error.traced(trace))
        case .internetConnectionOffline(let error):
            .internetConnectionOffline(error.traced(trace))
        case .cancelled(let error): .cancelled(error.traced(trace))
        case .unexpectedResponse(let head): .unexpectedResponse(httpResponse: head.traced(trace))
        case .errorResponse(let head, let response):
            .errorResponse(httpResponse: head.traced(trace), response: response)
        case .errorResponseParseError(let head, let data, let error):
            .errorResponseParseError(httpResponse: head.traced(trace), data: data, error: error)
        case .responseParseError(let head, let data, let error):
            .responseParseError(httpResponse: head.traced(trace), data: data, error: error)
        }
    }
}

extension EndpointTaskError: CustomDebugStringConvertible {
    /// The ``description`` and, where they are known, the method, the URL, the status, the time
    /// that the load took and at most the first 512 bytes of the body. A ``FileError`` is shown
    /// with the path of its file.
    ///
    /// ```text
    /// GetUser: the response with status 200 can't be read: the value at `id` is missing;
    /// GET https://api.example.com/users/42?token=… -> 200, 0.081 s; the body begins with "{}"
    /// ```
    ///
    /// Secrets are shown as `…`: the values of secret names in the URL and the body, what was sent
    /// as a secret and is repeated in the body, and tokens that are known by their form. A body
    /// without structure, such as a web page, that has the name of a secret is shown by its type
    /// and size: `the body is text/html, 312 bytes`. <doc:Secrets> has the rules.
    ///
    /// For an error with a load of its own as its cause, such as a refresh of a token, that load
    /// follows after `caused by`. If no `URLRequest` can be made, the text is only the
    /// ``description``.
    public var debugDescription: String {
        trace.map { "\(description); \($0)" } ?? description
    }
}

extension EndpointTaskError: TracingError {
    package var loadTrace: (text: String?, requestTypes: [String]) { (trace, typesInText) }

    /// The names of request types in the ``reason``.
    private var typesInText: [String] {
        switch self {
        case .endpointError(let error): error.requestTypes
        case .transportError(let error): error.requestTypes
        case .errorResponseParseError(_, _, let error), .responseParseError(_, _, let error):
            error.requestTypes
        case .urlLoadError, .internetConnectionOffline, .fileError: []
        case .cancelled, .unexpectedResponse, .errorResponse: requestType.map { [$0] } ?? []
        }
    }

    private var trace: String? {
        switch self {
        case .endpointError(let error): error.trace?.line
        case .fileError(let error):
            [error.trace?.line, "the file is \(error.place.quoted)"].joined
        case .transportError(let error):
            [
                error.trace?.line,
                (error.cause as? any TracingError)?.loadTrace.text.map { "caused by \($0)" },
            ].joined
        case .urlLoadError(let error), .internetConnectionOffline(let error), .cancelled(let error):
            error.trace?.line
        case .unexpectedResponse(let head), .errorResponse(let head, _):
            head.trace(Data())
        case .errorResponseParseError(let head, let data, _),
            .responseParseError(let head, let data, _):
            head.trace(data)
        }
    }
}
