import Endpoints

extension Headers {
    /// Throws for a `Content-Type` that isn't a media type, and for an `Accept` that isn't a list
    /// of media types (RFC 9110, sections 8.3.1 and 12.5.1).
    func checkMediaType(of value: String) throws(FieldError) {
        let types: [String]
        switch self {
        case .contentType: types = [value]
        case .accept: types = value.splitOutsideQuotes(at: .comma)
        default: return
        }
        guard !types.allSatisfy(\.isMediaType) else { return }
        let reason = "has an invalid media type; write one such as `application/json`"
        throw FieldError(.header(name), reason)
    }
}

extension String {
    /// Whether this is `type/subtype`, with or without parameters.
    fileprivate var isMediaType: Bool {
        let parts = splitOutsideQuotes(at: .semicolon).map(\.trimmingBlanks)
        let names = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        return names.count == 2 && names.allSatisfy { String($0).isToken }
            && parts.dropFirst().allSatisfy { $0.isEmpty || $0.isParameter }
    }

    /// Whether this is `name=value`; the value is a token or a quoted string (RFC 9110, section
    /// 5.6.6).
    private var isParameter: Bool {
        let pair = split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2, String(pair[0]).isToken else { return false }
        return String(pair[1]).isToken || pair[1].isQuotedString
    }
}

extension Substring {
    /// Whether this is one `quoted-string` from its first byte to its last (RFC 9110, section
    /// 5.6.4).
    fileprivate var isQuotedString: Bool {
        let quote = UInt8(ascii: "\"")
        guard utf8.count > 1, utf8.first == quote else { return false }
        var isEscaped = false
        for (index, byte) in utf8.enumerated().dropFirst() {
            if byte == quote && !isEscaped { return index == utf8.count - 1 }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return false
    }
}
