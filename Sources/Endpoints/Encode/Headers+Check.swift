import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Headers {
    /// Throws if the name isn't a token, or is a header that only a transport may set.
    package func check() throws(FieldError) {
        guard name.isToken else {
            throw FieldError(.header(name), "has an invalid name; use letters, digits and `-`")
        }
        guard self == "Content-Length" || self == "Transfer-Encoding" else { return }
        let reason = "is set by the transport; remove it, as a wrong value breaks the connection"
        throw FieldError(.header(name), reason)
    }

    /// Checks the name and a value, and trims spaces and tabs (RFC 9110, section 5.5).
    package func checked(_ value: String) throws(FieldError) -> String {
        try check()
        return try Self.checked(value, of: name)
    }

    /// Checks and trims a value of a header whose name has been checked.
    package static func checked(_ value: String, of name: String) throws(FieldError) -> String {
        let (hasControl, hasBlanks) = value.withBytes { utf8 in
            (Self.hasControl(utf8), Self.isBlank(utf8.first) || Self.isBlank(utf8.last))
        }
        guard !hasControl else {
            throw FieldError(
                .header(name), "has a control character, such as a line break; remove it")
        }
        return hasBlanks ? value.trimmingBlanks : value
    }

    private static func isBlank(_ byte: UInt8?) -> Bool { byte == .space || byte == .tab }

    /// Whether a value has a control character other than a tab (RFC 9110, section 5.5).
    private static func hasControl(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        // The compiler vectorizes a `while` loop without an early exit.
        var (index, controls) = (0, UInt8(0))
        while index < utf8.count {
            controls |= utf8[index].isControl ? 1 : 0
            index += 1
        }
        return controls != 0
    }
}

extension UInt8 {
    fileprivate var isControl: Bool { (self < 32 && self != .tab) || self == 127 }
}

extension Headers {
    /// Throws if the header needs an HTTP-date (RFC 9110, section 5.6.7), but is read from a `Date`
    /// that is written without a format.
    func checkDate(_ source: ValueSource) throws(FieldError) {
        guard source.isUnformattedDate && Self.httpDates.contains(self) else { return }
        let reason =
            "is read from a Date, but needs HTTP's own date format; add `format: .httpDate`"
        throw FieldError(.header(name), reason)
    }

    private static var httpDates: [Headers] {
        [.date, .ifModifiedSince, .ifRange, .ifUnmodifiedSince, "Expires", "Last-Modified"]
    }
}

extension URLRequest {
    /// Why a `URLSession` would not send this request as it is; `nil` if no reason is found.
    ///
    /// The library checks the requests that it makes. But ``RequestType/prepare(_:)``, an
    /// environment's `requestProcessor` and callers of ``Transport/send(_:)`` may change them
    /// afterwards.
    package var refusal: FieldError? {
        let method = HTTPMethod(rawValue: httpMethod ?? "GET")
        do throws(FieldError) { try method.check() } catch { return error }
        if hasContent && (method == .get || method == .head) {
            return .bodyNotSent(with: method.rawValue)
        }
        for (name, value) in allHTTPHeaderFields ?? [:] {
            do throws(FieldError) { _ = try Headers(name: name).checked(value) } catch {
                return error
            }
        }
        return nil
    }

    private var hasContent: Bool { httpBodyStream != nil || httpBody?.isEmpty == false }
}

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
