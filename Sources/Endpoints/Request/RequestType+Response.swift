import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestType {
    /// Decodes a successful response, and throws an error for any other.
    ///
    ///     try GetUser.decode(data, httpResponse)   // needs no network
    ///
    /// A load decodes its response in the same way. Use this function in a test, or for a response
    /// that another HTTP client has loaded.
    /// - Throws: A ``TaskError``, such as `.errorResponse` if the error response can be read.
    public static func decode(
        _ data: Data, _ httpResponse: HTTPURLResponse
    ) throws(TaskError) -> Response {
        try decode(data, httpResponse, under: sharedLoadPolicy)
    }

    /// Decodes a response. The policy limits how much of an unreadable error response is kept.
    static func decode(
        _ data: Data, _ httpResponse: HTTPURLResponse, under policy: @autoclosure () -> LoadPolicy
    ) throws(TaskError) -> Response {
        guard succeeded(httpResponse, data: data) else {
            throw failure(from: data, httpResponse, under: policy())
        }
        do { return try response(data: data, httpResponse: httpResponse) } catch {
            throw .responseParseError(
                httpResponse: httpResponse, data: data,
                error: EndpointParseError(Self.self, cause: error))
        }
    }

    static func failure(
        from data: Data, _ httpResponse: HTTPURLResponse, under policy: LoadPolicy
    ) -> TaskError {
        let isEmpty = data.isEmpty && ErrorResponse.self != EmptyResponse.self
        guard httpResponse.isErrorResponse && !isEmpty else {
            return .unexpectedResponse(httpResponse: httpResponse)
        }
        do {
            let content = ResponseContent(data: data, httpResponse: httpResponse, method: .get)
            let response = try checkedHooks.errorResponse(content)
            return .errorResponse(httpResponse: httpResponse, response: response)
        } catch {
            let kept = data.prefix(max(policy.errorBodyLimit, 0))
            return .errorResponseParseError(
                httpResponse: httpResponse, data: Data(kept),
                error: EndpointParseError(Self.self, cause: error))
        }
    }

    @inline(__always)
    static func content(_ data: Data, _ httpResponse: HTTPURLResponse) -> ResponseContent {
        ResponseContent(data: data, httpResponse: httpResponse, method: endpoint.method)
    }
}

extension RequestType where Response == Void {
    // This function returns `Response`, not `Void`. With `-> Void`, Swift would infer that the
    // `Response` of a generic `struct Get<Response>` is `Void`.

    /// Returns nothing; the body isn't read.
    public static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
        ()
    }
}

extension RequestType where Response: Decodable, ResponseDecoder: DecoderType {
    /// Returns the content as `Data` or `String`, or as a value that the response decoder decodes.
    public static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
        try content(data, httpResponse).value(as: Response.self, with: responseDecoder)
    }
}

extension RequestType where Response == WithHTTPResponse<Void> {
    /// Returns the status and the headers of the response; the body isn't read.
    public static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
        WithHTTPResponse(value: (), httpResponse: httpResponse)
    }
}

extension RequestType {
    /// Decodes the value and adds the status and the headers of the response.
    public static func response<Value: Decodable>(
        data: Data, httpResponse: HTTPURLResponse
    ) throws -> Response where Response == WithHTTPResponse<Value>, ResponseDecoder: DecoderType {
        let value = try content(data, httpResponse).value(as: Value.self, with: responseDecoder)
        return WithHTTPResponse(value: value, httpResponse: httpResponse)
    }
}

extension RequestType where Response == Void?, ResponseDecoder: DecoderType {
    /// Returns `()`, or `nil` for a response without content; the body is not decoded.
    public static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
        try content(data, httpResponse).value(as: EmptyResponse?.self, with: responseDecoder)
            .map { _ in () }
    }
}

extension RequestType
where Response == WithHTTPResponse<Void?>, ResponseDecoder: DecoderType {
    /// Returns `()`, or `nil` for a response without content, with the status and the headers.
    public static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
        let value = try content(data, httpResponse)
            .value(as: EmptyResponse?.self, with: responseDecoder)
        return WithHTTPResponse(value: value.map { _ in () }, httpResponse: httpResponse)
    }
}
