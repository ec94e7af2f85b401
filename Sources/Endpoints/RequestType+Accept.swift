extension RequestType where ResponseDecoder: DecoderType, ErrorDecoder: DecoderType {
    /// The `Accept` header that is sent unless the environment or the request sets one (RFC 9110,
    /// section 12.5.1); `nil` sends none.
    ///
    /// - For a stream, it is the media type of the stream; a ``ByteStream`` has none.
    /// - For a `Decodable` type, it is the response decoder's media type, even if your own
    ///   ``response(data:httpResponse:)`` doesn't use the decoder: the library can't know that.
    /// - For a type that isn't read, such as `Void`, it is the error decoder's media type if the
    ///   error response is decoded. Without it, some servers send the error as a web page.
    /// - For `Data`, `String` and other types it is `nil`, as a success may have any media type.
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
