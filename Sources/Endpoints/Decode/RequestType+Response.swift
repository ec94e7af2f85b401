import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestType {
    /// Decodes what a server sent: the typed response, or the error that it means.
    ///
    ///     try GetUser.decode(data, httpResponse)   // needs no network
    ///
    /// Every loader ends here. Use it to read what another HTTP client has loaded, and in tests.
    /// - Throws: A ``TaskError``, such as `.errorResponse` for a status from 400 to 599.
    public static func decode(
        _ data: Data, _ httpResponse: HTTPURLResponse
    ) throws(TaskError) -> Response {
        guard succeeded(httpResponse, data: data) else {
            throw failure(from: data, httpResponse)
        }
        do { return try response(data: data, httpResponse: httpResponse) } catch {
            throw .responseParseError(
                httpResponse: httpResponse, data: data,
                error: EndpointParseError(Self.self, cause: error))
        }
    }

    /// The error that a response means which is no success.
    private static func failure(from data: Data, _ httpResponse: HTTPURLResponse) -> TaskError {
        let isEmpty = data.isEmpty && ErrorResponse.self != EmptyResponse.self
        guard httpResponse.isErrorResponse && !isEmpty else {
            return .unexpectedResponse(httpResponse: httpResponse)
        }
        do {
            let content = ResponseContent(data: data, httpResponse: httpResponse, method: .get)
            let response = try content.value(as: ErrorResponse.self, with: errorDecoder)
            return .errorResponse(httpResponse: httpResponse, response: response)
        } catch {
            let kept = data.prefix(max(loadPolicy.errorBodyLimit, 0))
            return .errorResponseParseError(
                httpResponse: httpResponse, data: Data(kept),
                error: EndpointParseError(Self.self, cause: error))
        }
    }

    @inline(__always)
    private static func content(_ data: Data, _ httpResponse: HTTPURLResponse) -> ResponseContent {
        ResponseContent(data: data, httpResponse: httpResponse, method: endpoint.method)
    }
}

extension HTTPURLResponse {
    /// Whether a response that is no success is an error response: its status is 400–599, or 2xx
    /// where `succeeded` returned `false`.
    fileprivate var isErrorResponse: Bool {
        (400..<600).contains(statusCode) || (200..<300).contains(statusCode)
    }
}

extension RequestType where Response == Void {
    /// Nothing; the body is not read.
    public static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
        // As a function to Void, it would make Void of a generic request's parameter named
        // Response.
        ()
    }
}

extension RequestType where Response: Decodable {
    /// `Data` and `String` as they came, anything else through the response decoder.
    public static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
        try content(data, httpResponse).value(as: Response.self, with: responseDecoder)
    }
}

extension RequestType where Response == WithHTTPResponse<Void> {
    /// The head of the answer; the body is not read.
    public static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
        WithHTTPResponse(value: (), httpResponse: httpResponse)
    }
}

extension RequestType {
    /// The value as a plain response has it, with the head of the answer.
    public static func response<Value: Decodable>(
        data: Data, httpResponse: HTTPURLResponse
    ) throws -> Response where Response == WithHTTPResponse<Value> {
        let value = try content(data, httpResponse).value(as: Value.self, with: responseDecoder)
        return WithHTTPResponse(value: value, httpResponse: httpResponse)
    }
}
