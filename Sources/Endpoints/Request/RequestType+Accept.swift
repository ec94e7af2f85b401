extension RequestType where ResponseDecoder: DecoderType, ErrorDecoder: DecoderType {
    /// The `Accept` header that is sent unless the environment or the request sets one (RFC 9110,
    /// section 12.5.1). With `nil`, the library adds none, and `URLSession` sends `*/*`.
    ///
    /// - An ``AcceptingResponse``, such as a stream, accepts the media type that it declares.
    /// - A `Decodable` response accepts the response decoder's media type. (Your own
    ///   ``response(data:httpResponse:)`` may not use that decoder, but the library can't know.)
    /// - `Void` and ``EmptyResponse`` accept the error decoder's media type, if `ErrorResponse` is
    ///   decoded. Without an `Accept`, some servers send errors as web pages.
    /// - `Data`, `String` and any other type accept any media type: `nil`.
    static var defaultAccept: MIMEType? {
        let carrier = Response.self as? any HTTPResponseCarrier.Type
        if let type = (carrier?.valueType ?? Response.self) as? any AcceptingResponse.Type {
            return type.acceptedType
        }
        if ResponseContent.isDecoded(Response.self) { return responseDecoder.contentType }
        guard
            ResponseContent.isIgnored(Response.self)
                && ResponseContent.isDecoded(ErrorResponse.self)
        else { return nil }
        return errorDecoder.contentType
    }
}
