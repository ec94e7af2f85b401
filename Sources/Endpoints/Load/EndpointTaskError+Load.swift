import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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

extension Error {
    /// This error, or the cause of a ``TransportError``, as a `URLError`; `nil` if the domain of
    /// that error isn't `NSURLErrorDomain`, or `URLError` doesn't have its code. On Linux, `as?
    /// URLError` fails for an `NSError` of that domain.
    package var asURLError: URLError? {
        if let error = self as? TransportError { return error.cause.asURLError }
        let error = self as NSError
        guard error.domain == NSURLErrorDomain,
            let code = URLError.Code(rawValue: error.code) as URLError.Code?
        else { return nil }
        return URLError(code, userInfo: error.userInfo)
    }
}

extension EndpointTaskError {
    /// This error with a trace of its load, which ``debugDescription`` shows.
    package func traced(_ trace: LoadTrace) -> EndpointTaskError {
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

/// An error in a case of ``EndpointTaskError``. An enum has no place for the trace of a load, so
/// what its cases hold keeps it: an error as a line, and a response as a ``TracedResponse``.
protocol TracedError: Error {
    var trace: String? { get set }
}

extension TracedError {
    func traced(_ trace: LoadTrace) -> Self {
        var error = self
        error.trace = trace.line
        return error
    }
}

extension EndpointError: TracedError {}
extension FileError: TracedError {}
extension TransportError: TracedError {}

extension URLError: TracedError {
    /// The line has no secrets, because other code may print the `userInfo`.
    var trace: String? {
        get { userInfo["EndpointsLoad"] as? String }
        set {
            var userInfo = userInfo
            if let newValue { userInfo.updateValue(newValue, forKey: "EndpointsLoad") }
            self = URLError(code, userInfo: userInfo)
        }
    }
}

extension EndpointTaskError: CustomDebugStringConvertible {
    /// The ``description`` and, where they are known, the method, the URL, the status, the time
    /// that the load took and at most the first 512 bytes of the body.
    ///
    /// ```text
    /// GetUser: the response with status 200 can't be read: the value at `id` is missing;
    /// GET https://api.example.com/users/42?token=… -> 200, 0.081 s; the body begins with "{}"
    /// ```
    ///
    /// Secrets are shown as `…`: the values in the URL and the body whose names are in
    /// ``SecretNames/usual``, and secrets of the request that the body repeats, if they have more
    /// than 3 characters. A `code` in the body's JSON or XML, and any other text of the server, is
    /// shown as it is. A body that can't be read and has the name of a secret is shown by its type
    /// and size: `the body is text/plain, 312 bytes`.
    ///
    /// If no `URLRequest` can be made, the text is only the ``description``.
    public var debugDescription: String { trace.map { "\(description); \($0)" } ?? description }

    private var trace: String? {
        switch self {
        case .endpointError(let error): error.trace
        case .fileError(let error): error.trace
        case .transportError(let error): error.trace
        case .urlLoadError(let error), .internetConnectionOffline(let error), .cancelled(let error):
            error.trace
        case .unexpectedResponse(let head), .errorResponse(let head, _):
            head.trace(Data())
        case .errorResponseParseError(let head, let data, _),
            .responseParseError(let head, let data, _):
            head.trace(data)
        }
    }
}

extension HTTPURLResponse {
    fileprivate func traced(_ trace: LoadTrace) -> HTTPURLResponse {
        TracedResponse(self, trace, hint: (self as? TracedResponse)?.hint) ?? self
    }

    /// The phrases of a `debugDescription` about a load that ended with this response.
    fileprivate func trace(_ data: Data) -> String {
        let traced = self as? TracedResponse
        let trace = traced?.trace
        let head = "\(SecretNames.usual.masked(url)) -> \(statusCode)"
        let body = trace.map(\.body) ?? phrase(of: data, hiding: [])
        let parts = [trace?.line(head) ?? head, body, traced?.hint]
        return parts.compactMap { $0 }.joined(separator: "; ")
    }

    /// A phrase about the body of this response, without secrets; `nil` if it is empty.
    func phrase(
        of data: Data, hiding secrets: [String], as name: String = "the body"
    ) -> String? {
        guard !data.isEmpty else { return nil }
        let type = value(forHTTPHeaderField: "Content-Type") ?? ""
        let body = SecretNames.usual.masked(beginningOf: data, type, hiding: secrets)
        return body.isShown
            ? "\(name) begins with \(body.text.quoted)" : "\(name) is \(body.text)"
    }
}
