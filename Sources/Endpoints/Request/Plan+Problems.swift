import Foundation

extension Plan {
    /// The problems of a body, form fields, parts and a method that don't go together.
    static func problems(
        _ formFields: [EndpointError.Field], _ parts: PartPlan, _ body: BodyPlan,
        _ method: HTTPMethod
    ) -> [Problem] {
        var problems: [Problem] = []
        if body.isDeclared, let name = parts.names.first {
            let reason = "can't be sent together with a Body; remove the part or the Body"
            problems.append(.error(FieldError(.part(name), reason)))
        }
        if !formFields.isEmpty, let name = parts.names.first {
            let reason = "can't be sent together with form fields; send them as parts"
            problems.append(.error(FieldError(.part(name), reason)))
        }
        if body.isDeclared, let field = formFields.first {
            let reason = "can't be sent together with a Body; remove the one or the other"
            problems.append(.error(FieldError(field, reason)))
        }
        if (body.isDeclared || !formFields.isEmpty || !parts.isEmpty)
            && (method == .get || method == .head)
        {
            problems.append(.warning(.bodyNotSent(with: method.rawValue)))
        }
        return problems
    }

    /// The problem of a request type that doesn't declare `Response`, but compiles because the
    /// type, or a protocol of yours that it conforms to, has a function
    /// `response(data:httpResponse:)` that is written as `-> Response`.
    static func problems(ofResponse type: Any.Type) -> [Problem] {
        guard type == UndeclaredResponse.self else { return [] }
        let reason = "has no type; write `typealias Response = …`, with Void if the body isn't read"
        return [.error(FieldError(.response, reason))]
    }

    static func problems(ofBody type: Any.Type) -> [Problem] {
        guard type == URL.self || type == URL?.self else { return [] }
        let reason = "is a URL, whose text is sent; to send the file at the URL, use a File"
        return [.warning(FieldError(.body, reason))]
    }

    /// The problem of a property `body` that is sent as the body and also as another value.
    static func problems<Root, Request: RequestType>(
        reading sources: [ValueSource], of root: Root.Type, in request: Request.Type
    ) -> [Problem] {
        guard root == request, Request.Body.self != EmptyResponse.self,
            sources.contains(where: { $0.propertyName == "body" })
        else { return [] }
        let reason = """
            would be sent twice, because a parameter, a header or the path also reads \\.body; \
            remove it there, or rename the property if it isn't the body
            """
        return [.error(FieldError(.body, reason))]
    }
}

extension BodyPlan {
    /// The problems of the encoder's media type, if the body is optional. A body that is always
    /// encoded has the same media type in every request, and ``HeaderPlan`` checks it.
    func problems(_ encoder: some EncoderType) -> [Problem] {
        guard case .optional(let plan) = self, plan.mayEncode, let type = encoder.contentType
        else { return [] }
        do throws(FieldError) {
            return Headers.contentType.mediaTypeProblems(
                of: try Headers.contentType.checked(type.rawValue))
        } catch { return [.error(error)] }
    }

    private var mayEncode: Bool {
        switch self {
        case .encoded, .optional: true
        case .none, .raw, .file, .multipart: false
        }
    }
}
