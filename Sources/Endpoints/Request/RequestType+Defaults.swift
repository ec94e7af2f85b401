import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestType {
    /// The request type's static encoder.
    @inlinable public var bodyEncoder: BodyEncoder { Self.bodyEncoder }
    /// Changes nothing.
    @inlinable public func prepare(_ request: inout URLRequest) throws {}
    /// Changes nothing.
    @inlinable public func prepare(request: inout URLRequest) throws {}
    /// A policy that sets nothing.
    public static var commonLoadPolicy: LoadPolicy { .default }
    /// `LoadPolicy.default`.
    public var commonLoadPolicy: LoadPolicy { .default }
    /// A policy that sets nothing.
    public static var loadPolicy: LoadPolicy { .default }
    /// The request type's static policy.
    public var loadPolicy: LoadPolicy { Self.loadPolicy }
    /// Whether the status is from 200 to 299.
    public static func succeeded(_ httpResponse: HTTPURLResponse) -> Bool {
        (200..<300).contains(httpResponse.statusCode)
    }
    /// What `succeeded(_:)` says of the status and the headers.
    public static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool {
        succeeded(httpResponse)
    }
}

extension RequestType where Body == EmptyResponse {
    /// No body.
    public var body: EmptyResponse { EmptyResponse() }
}

extension RequestType where PathComponents == Void {
    /// No values.
    public var pathComponents: Void { () }
}

extension RequestType where Parameters == Void {
    /// No values.
    public var parameters: Void { () }
}

extension RequestType where HeaderValues == Void {
    /// No values.
    public var headerValues: Void { () }
}

extension RequestType where CommonHeaders == NoValues {
    /// No headers.
    @inlinable public var commonHeaders: NoValues { NoValues() }
}

extension RequestType where BodyEncoder == JSONEncoder {
    /// A JSON encoder with its default strategies.
    public static var bodyEncoder: JSONEncoder { JSONEncoder() }
}

extension RequestType where ResponseDecoder == JSONDecoder {
    /// A JSON decoder with its default strategies.
    public static var responseDecoder: JSONDecoder { JSONDecoder() }
}

extension RequestType where ErrorDecoder == JSONDecoder {
    // This one default serves all types of response decoders, and looks at the type at run time.
    // With a default `errorDecoder` for each type of response decoder, every request that declares
    // no `errorDecoder` would take 3 ms longer to compile.

    /// The response decoder if it is a `JSONDecoder`. If it is a `NestedDecoder` of a
    /// `JSONDecoder`, that `JSONDecoder`. In any other case, a `JSONDecoder` with its default
    /// strategies.
    public static var errorDecoder: JSONDecoder {
        responseDecoder as? JSONDecoder
            ?? (responseDecoder as? any NestingDecoder)?.base as? JSONDecoder ?? JSONDecoder()
    }
}

/// How the library reads the body, the coders and the common headers of a request type. This type
/// has no public members.
public struct CheckedHooks<Request: RequestType>: Sendable {
    let body: BodyPlan
    /// The body's media type, if it is the same in every request; otherwise `nil`.
    let contentType: MIMEType?
    let encodedBody: @Sendable (BorrowedValues) throws(FieldError) -> BodyPlan.EncodedBody?
    let accept: MIMEType?
    /// Reads `commonHeaders`; `nil` if the request type doesn't declare them.
    let commonHeaders: (@Sendable (BorrowedValues) throws -> [HeaderText])?
    /// Whether the values of the environment's and the common headers are ``Credentials``.
    let hasSecretHeaders: (environment: Bool, common: Bool)
    let optionalContentType: MIMEType?
    /// The static body encoder, if it writes JSON.
    let jsonEncoder: @Sendable () -> JSONEncoder?
    let responseDecoder: @Sendable () -> any DecoderType
    let errorResponse: @Sendable (ResponseContent) throws -> Request.ErrorResponse
}

extension RequestType
where
    Body: Encodable, BodyEncoder: EncoderType, ResponseDecoder: DecoderType,
    ErrorDecoder: DecoderType, CommonHeaders: HeaderFields
{
    /// The default. It exists if the body, the coders, the items and the headers have valid types.
    public static var checkedHooks: CheckedHooks<Self> {
        let body = BodyPlan(Body.self)
        let readCommonHeaders: @Sendable (BorrowedValues) throws -> [HeaderText] = { values in
            try values.read(Self.self) { request in try request.commonHeaders.headerTexts }
        }
        return CheckedHooks(
            body: body, contentType: body.contentType(bodyEncoder),
            encodedBody: { values throws(FieldError) in
                try values.read(Self.self) { request throws(FieldError) in
                    try body.content(of: request.body, request.bodyEncoder)
                }
            },
            accept: defaultAccept,
            commonHeaders: CommonHeaders.self == NoValues.self ? nil : readCommonHeaders,
            hasSecretHeaders: (
                Environment.EnvironmentHeaders.self is any SecretValue.Type,
                CommonHeaders.self is any SecretValue.Type
            ),
            optionalContentType: body.optionalContentType(bodyEncoder),
            jsonEncoder: { bodyEncoder as? JSONEncoder },
            responseDecoder: { responseDecoder },
            errorResponse: { try $0.value(as: ErrorResponse.self, with: errorDecoder) })
    }
}

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
