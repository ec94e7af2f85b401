extension Plan {
    /// The first error in a declaration. It isn't generic, so that it takes less machine code.
    ///
    /// - Parameters:
    ///   - values: The declared values, and the type whose properties they are.
    static func firstError(
        _ method: HTTPMethod, _ path: PathPlan, _ query: ParameterPlan, _ form: ParameterPlan,
        _ parts: PartPlan, _ headers: HeaderPlan, _ body: BodyPlan, _ bodyType: MIMEType?,
        _ values: [(sources: [ValueSource], root: Any.Type)], _ request: Any.Type,
        _ response: Any.Type
    ) -> FieldError? {
        do throws(FieldError) {
            try method.check()
            try path.check()
            try headers.check()
            try query.check()
            try form.check()
            try parts.check()
            if let error = errors(of: body, form, parts).first { throw error }
            try check(response: response)
            try headers.checkMultipart(parts, body)
            if let bodyType { _ = try Headers.contentType.checked(bodyType.rawValue) }
            for (sources, root) in values {
                try body.checkIsSentOnce(sources, of: root, in: request)
            }
            return nil
        } catch { return error }
    }

    /// The errors of a body, form fields and parts that don't go together.
    package static func errors(
        of body: BodyPlan, _ form: ParameterPlan, _ parts: PartPlan
    ) -> [FieldError] {
        var errors: [FieldError] = []
        if body.isDeclared, let name = parts.names.first {
            let reason = "can't be sent together with a Body; remove the part or the Body"
            errors.append(FieldError(.part(name), reason))
        }
        if !form.isEmpty, let name = parts.names.first {
            let reason = "can't be sent together with form fields; send them as parts"
            errors.append(FieldError(.part(name), reason))
        }
        if body.isDeclared, let field = form.fields.first {
            let reason = "can't be sent together with a Body; remove the one or the other"
            errors.append(FieldError(field, reason))
        }
        return errors
    }

    /// Throws for a request type that doesn't declare `Response`, but compiles because the type, or
    /// a protocol of yours that it conforms to, has a function `response(data:httpResponse:)` that
    /// is written as `-> Response`.
    package static func check(response: Any.Type) throws(FieldError) {
        guard response == UndeclaredResponse.self else { return }
        let reason = "has no type; write `typealias Response = …`, with Void if the body isn't read"
        throw FieldError(.response, reason)
    }
}

extension BodyPlan {
    /// Throws if a property `body` of the request is sent as the body and also as another value.
    ///
    /// - Parameters:
    ///   - values: Values that are declared to be read from `root`.
    package func checkIsSentOnce(
        _ values: [ValueSource], of root: Any.Type, in request: Any.Type
    ) throws(FieldError) {
        guard root == request, isDeclared else { return }
        for value in values where value.propertyName == "body" {
            let reason = """
                would be sent twice, because a parameter, a header or the path also reads \\.body; \
                remove it there, or rename the property if it isn't the body
                """
            throw FieldError(.body, reason)
        }
    }
}
