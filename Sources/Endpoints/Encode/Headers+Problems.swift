extension Headers {
    /// The problems of the header's name.
    var problems: [Problem] {
        guard name.isToken else {
            let reason =
                "has an invalid name; use letters, digits and `-`"
            return [.error(FieldError(.header(name), reason))]
        }
        switch name.lowercased() {
        case "content-length", "transfer-encoding":
            let reason =
                "is set by the transport; remove it, as a wrong value breaks the connection"
            return [.error(FieldError(.header(name), reason))]
        case "host", "connection":
            return [.warning(FieldError(.header(name), "is set by the transport; remove it"))]
        default:
            return []
        }
    }

    /// Checks the name and a value, and trims spaces and tabs (RFC 9110, section 5.5).
    package func checked(_ value: String) throws(FieldError) -> String {
        if let problem = problems.first(where: \.isError) { throw problem.fieldError }
        return try Self.checked(value, of: name)
    }

    /// Checks and trims a value of a header whose name has been checked.
    static func checked(_ value: String, of name: String) throws(FieldError) -> String {
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
    /// The problem of this header if it needs an HTTP-date (RFC 9110, section 5.6.7). The caller
    /// has checked that its value is a `Date` without a format.
    var dateProblems: [Problem] {
        guard Self.httpDates.contains(self) else { return [] }
        let reason =
            "is read from a Date, but needs HTTP's own date format; add `format: .httpDate`"
        return [.error(FieldError(.header(name), reason))]
    }

    private static let httpDates: Set<Headers> = [
        .date, .ifModifiedSince, .ifRange, .ifUnmodifiedSince, "Expires", "Last-Modified",
    ]
}
