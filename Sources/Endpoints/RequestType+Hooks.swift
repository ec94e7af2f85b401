/// The hooks of a request type, as the library reads them. This type has no public members.
public struct CheckedHooks<Request: RequestType>: Sendable {
    let body: BodyPlan
    /// The media type of the body, if it is the same in every request.
    let contentType: MIMEType?
    let encodedBody: @Sendable (BorrowedValues) throws(FieldError) -> BodyPlan.EncodedBody?
    /// The value of the `Accept` header by default; `nil` sends none.
    let accept: MIMEType?
    let additions: Additions
    let bodyProblems: [Problem]
    let responseDecoder: @Sendable () -> any DecoderType
    let errorResponse: @Sendable (ResponseContent) throws -> Request.ErrorResponse
}

extension RequestType
where
    Body: Encodable, BodyEncoder: EncoderType, ResponseDecoder: DecoderType,
    ErrorDecoder: DecoderType, AdditionalQueryItems: QueryItems, AdditionalFormItems: QueryItems,
    CommonHeaders: HeaderFields, AdditionalHeaders: HeaderFields
{
    /// The hooks. This default exists only if all of them have valid types.
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
