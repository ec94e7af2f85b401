/// The hooks of a request type, once their types are checked.
///
/// It is made by ``RequestType/checkedHooks``, and holds nothing that a program could use.
public struct CheckedHooks<Request: RequestType>: Sendable {
    let body: BodyPlan
    /// The media type that the body has in every request, if it has.
    let contentType: MIMEType?
    let encodedBody: @Sendable (BorrowedValues) throws(FieldError) -> BodyPlan.EncodedBody?
    /// The media type that is sent as `Accept` if no layer of headers has one.
    let accept: MIMEType?
    let additions: Additions
    let bodyProblems: [Problem]
    let responseDecoder: @Sendable () -> any DecoderType
    let errorResponse: @Sendable (ResponseContent) throws -> Request.ErrorResponse
}

extension RequestType
where
    Body: Encodable, BodyEncoder: EncoderType, ResponseDecoder: DecoderType,
    ErrorDecoder: DecoderType, AdditionalQueryItems: QueryItems, CommonHeaders: HeaderFields,
    AdditionalHeaders: HeaderFields
{
    /// The hooks, whose types are those that they may have.
    public static var checkedHooks: CheckedHooks<Self> {
        let body = BodyPlan(Body.self)
        return CheckedHooks(
            body: body, contentType: body.contentType(bodyEncoder),
            encodedBody: { values throws(FieldError) in
                try values.read(Self.self) { request throws(FieldError) in
                    try body.content(of: request.body, request.bodyEncoder)
                }
            },
            accept: defaultAccept, additions: Additions(Self.self),
            bodyProblems: body.problems(bodyEncoder), responseDecoder: { responseDecoder },
            errorResponse: { try $0.value(as: ErrorResponse.self, with: errorDecoder) })
    }
}
