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
