extension Problem {
    static func secret(_ field: EndpointError.Field) -> Problem {
        let reason = "has Credentials, but URLs and forms may be logged; send them in a header"
        return .error(FieldError(field, reason))
    }
}

extension ValueSource {
    /// The problem of a value in a URL or a form: ``Credentials``, or a constant that can't be
    /// written as text.
    func problem(in field: EndpointError.Field) -> Problem? {
        if isSecret { return .secret(field) }
        guard case .failure(let error)? = constant else { return nil }
        return .error(FieldError(field, unrepresentableBecauseOf: error))
    }
}

extension HTTPMethod {
    var problems: [Problem] {
        guard rawValue.isToken else {
            let reason = "is not valid; use letters"
            return [.error(FieldError(.method, reason))]
        }
        let upper = rawValue.uppercased()
        guard rawValue != upper && Self.changedByURLRequest.contains(upper) else { return [] }
        let reason = "is not in upper case, but URLRequest sends \(upper); write \(upper)"
        return [.error(FieldError(.method, reason))]
    }

    /// Methods are case-sensitive (RFC 9110, section 9.1), but `URLRequest` changes these methods
    /// to upper case.
    private static let changedByURLRequest: Set = [
        "CONNECT", "DELETE", "GET", "HEAD", "POST", "PUT",
    ]
}
