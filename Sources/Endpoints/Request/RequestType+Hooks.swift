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
    let bodyProblems: [Problem]
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
            bodyProblems: body.problems(bodyEncoder), responseDecoder: { responseDecoder },
            errorResponse: { try $0.value(as: ErrorResponse.self, with: errorDecoder) })
    }
}
