extension RequestType where ResponseDecoder: DecoderType, ErrorDecoder: DecoderType {
    /// The `Accept` header that is sent unless the environment or the request sets one (RFC 9110,
    /// section 12.5.1); `nil` sends none.
    ///
    /// - A stream has its own media type.
    /// - A decoded response has its decoder's media type. So has a `Decodable` type with your own
    ///   ``response(data:httpResponse:)``, as nothing tells the two apart.
    /// - A response that isn't read, such as `Void`, has the error decoder's media type if the error
    ///   response is decoded: some servers would send the error as a web page.
    /// - `Data`, `String` and other types have none, as a success may be of any media type.
    static var defaultAccept: MIMEType? {
        if let stream = StreamType(Response.self) { return stream.acceptedType }
        if ResponseContent.isDecoded(Response.self) { return responseDecoder.contentType }
        guard
            ResponseContent.isIgnored(Response.self)
                && ResponseContent.isDecoded(ErrorResponse.self)
        else { return nil }
        return errorDecoder.contentType
    }
}
