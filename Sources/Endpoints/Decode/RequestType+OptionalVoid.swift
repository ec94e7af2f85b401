import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestType where Response == Void?, ResponseDecoder: DecoderType {
    /// Nothing, or `nil` for a response without content; the body is not read.
    public static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
        try content(data, httpResponse).value(as: EmptyResponse?.self, with: responseDecoder)
            .map { _ in () }
    }
}

extension RequestType
where Response == WithHTTPResponse<Void?>, ResponseDecoder: DecoderType {
    /// Nothing, or `nil` for a response without content, with the head of the response.
    public static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
        let value = try content(data, httpResponse)
            .value(as: EmptyResponse?.self, with: responseDecoder)
        return WithHTTPResponse(value: value.map { _ in () }, httpResponse: httpResponse)
    }
}
