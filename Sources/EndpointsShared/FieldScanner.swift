import Endpoints
import Foundation

/// Reads the value of a header field, piece by piece. The value is a list whose members may have
/// quoted strings and parameters (RFC 9110, sections 5.6.1, 5.6.4 and 5.6.6).
package struct FieldScanner {
    private var rest: ArraySlice<UInt8>

    package init(_ text: String) {
        rest = Array(text.utf8)[...]
    }

    package var isAtEnd: Bool { rest.isEmpty }

    package var next: UInt8? { rest.first }

    package mutating func skipBlanks() {
        rest = rest.drop { $0 == .space || $0 == .tab }
    }

    package mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    package mutating func text(before stops: UInt8...) -> String {
        let text = rest.prefix { !stops.contains($0) }
        rest = rest[text.endIndex...]
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads a quoted string and removes its quotes and escapes; `nil` if no quote comes next.
    ///
    /// A string without a closing quote ends at the end of the field.
    package mutating func quotedString() -> String? {
        guard skip(.quote) else { return nil }
        var content: [UInt8] = []
        while let byte = rest.popFirst(), byte != .quote {
            guard byte == .backslash else {
                content.append(byte)
                continue
            }
            if let escaped = rest.popFirst() { content.append(escaped) }
        }
        return String(decoding: content, as: UTF8.self)
    }

    package mutating func value() -> String {
        skipBlanks()
        return quotedString() ?? text(before: .semicolon, .comma).trimmingBlanks
    }

    /// Reads parameters as long as a `;` comes next. Their names are returned in lower case. A
    /// parameter without `=` has an empty value, and one without a name is left out.
    ///
    ///     ; rel="next"; title*=UTF-8''a ;b, …   ->  rel=next, title*=UTF-8''a, b=
    package mutating func parameters() -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        skipBlanks()
        while skip(.semicolon) {
            skipBlanks()
            let name = text(before: .equals, .semicolon, .comma).trimmingBlanks.lowercased()
            let value = skip(.equals) ? value() : ""
            if !name.isEmpty { parameters.append((name, value)) }
            skipBlanks()
        }
        return parameters
    }

    /// Skips the rest of a member of a list and the `,` after the member. A `,` in a quoted string
    /// or between `<` and `>` doesn't end a member.
    package mutating func skipMember() {
        while let byte = rest.first, byte != .comma {
            if byte == .quote {
                _ = quotedString()
            } else {
                rest.removeFirst()
                if byte == .less { rest = rest.drop { $0 != .greater } }
            }
        }
        _ = skip(.comma)
    }
}
