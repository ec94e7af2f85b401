extension FieldError {
    static func secret(_ field: EndpointError.Field) -> FieldError {
        FieldError(
            field, "has Credentials, but URLs and forms may be logged; send them in a header")
    }
}

extension ValueSource {
    /// Throws if the value can't be sent in a URL or a form: for ``Credentials``, and for a
    /// constant that can't be written as text.
    @inline(never)
    func check(as field: EndpointError.Field) throws(FieldError) {
        if isSecret { throw .secret(field) }
        guard case .failure(let error)? = constant else { return }
        throw FieldError(field, unrepresentableBecauseOf: error)
    }
}

extension HTTPMethod {
    /// Throws if the method isn't a token, or if `URLRequest` would send another one.
    package func check() throws(FieldError) {
        guard rawValue.isToken else { throw FieldError(.method, "is not valid; use letters") }
        let upper = rawValue.uppercased()
        guard rawValue != upper && Self.changedByURLRequest.contains(upper) else { return }
        let reason = "is not in upper case, but URLRequest sends \(upper); write \(upper)"
        throw FieldError(.method, reason)
    }

    /// Methods are case-sensitive (RFC 9110, section 9.1), but `URLRequest` changes these methods
    /// to upper case.
    private static var changedByURLRequest: [String] {
        ["CONNECT", "DELETE", "GET", "HEAD", "POST", "PUT"]
    }
}
