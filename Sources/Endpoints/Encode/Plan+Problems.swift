extension Plan {
    /// What is wrong between the parts of a declaration.
    static func problems(
        _ query: ParameterPlan, _ form: ParameterPlan, _ body: BodyPlan, _ method: HTTPMethod
    ) -> [Problem] {
        var problems: [Problem] = []
        if body.isSent, let name = form.names.first {
            let reason = "stands beside a Body, and a request has one body; remove one of the two"
            problems.append(.error(FieldError(.form(name), reason)))
        }
        if (body.isSent || !form.isEmpty) && (method == .get || method == .head) {
            let reason =
                "is not sent with \(method.rawValue) by URLSession; use POST, PUT or PATCH"
            problems.append(.warning(FieldError(.body, reason)))
        }
        return problems + query.nameProblems + form.nameProblems
    }

    /// A flat request's own `body` is sent as the body, so that it can't be a parameter as well.
    static func problems<Root, Request: RequestType>(
        reading propertyNames: @autoclosure () -> [String], of root: Root.Type,
        in request: Request.Type
    ) -> [Problem] {
        guard root == request, Request.Body.self != EmptyResponse.self,
            propertyNames().contains("body")
        else { return [] }
        let reason = """
            is read as \\.body by a parameter, a header or the path as well; rename the property, \
            the name on the wire stays
            """
        return [.error(FieldError(.body, reason))]
    }
}

extension HTTPMethod {
    /// What is wrong with the method.
    var problems: [Problem] {
        guard !rawValue.isEmpty && rawValue.utf8.allSatisfy(ASCIISet.token.contains) else {
            let reason = "has a character that a method can't have; use letters"
            return [.error(FieldError(.method, reason))]
        }
        let upper = rawValue.uppercased()
        guard rawValue != upper && Self.changedByURLRequest.contains(upper) else { return [] }
        let reason = "is sent as \(upper) by URLRequest; write it in upper case"
        return [.error(FieldError(.method, reason))]
    }

    /// Methods are case-sensitive (RFC 9110, section 9.1), but `URLRequest` puts these in upper
    /// case.
    private static let changedByURLRequest: Set = [
        "CONNECT", "DELETE", "GET", "HEAD", "POST", "PUT",
    ]
}
