/// How a text is escaped in a path, a query or a form.
///
/// Some bytes of its UTF-8 stay as they are, and the others become `%XX`. A space in a form is `+`.
package struct Escaping: Sendable {
    /// The replacement of each byte: up to three bytes, and their number as the last element.
    fileprivate let replacements: [SIMD4<UInt8>]

    /// - Parameter raw: The characters that are left as they are.
    private init(raw: String, hasPlusForSpace: Bool = false) {
        let raw = ASCIISet(raw)
        replacements = (0...UInt8.max).map { byte in
            if raw.contains(byte) { return [byte, 0, 0, 1] }
            if hasPlusForSpace && byte == UInt8(ascii: " ") { return [UInt8(ascii: "+"), 0, 0, 1] }
            return [
                UInt8(ascii: "%"), (byte >> 4).hexadecimalDigit, (byte & 15).hexadecimalDigit, 3,
            ]
        }
    }

    /// For a value in the path. Characters that are allowed in a segment stay as they are (RFC
    /// 3986, section 3.3), except `;`, at which some servers end the segment.
    static let path = Escaping(raw: "\(unreserved):@!$&'()*+,=")
    /// For an element of a comma-separated list in the path: as ``path``, but a comma is escaped.
    static let pathListElement = Escaping(raw: "\(unreserved):@!$&'()*+=")
    /// For a name or a value in the query. RFC 3986, section 3.4, also allows `?` and
    /// `!$&'()*+,;=`. These are escaped, because servers read some of them, such as `&` and `+`, as
    /// in a form.
    static let query = Escaping(raw: "\(unreserved):/@")
    /// For a name or a value in a form. Only ASCII letters, digits and `*-._` stay, as in the
    /// WHATWG URL standard (application/x-www-form-urlencoded).
    package static let form = Escaping(raw: "\(alphanumerics)*-._", hasPlusForSpace: true)
    /// For the literal text of a path. All characters that are allowed in a path stay as they are
    /// (RFC 3986, section 3.3).
    static let pathLiteral = Escaping(raw: "\(unreserved):@!$&'()*+,;=/")
}

extension ASCIISet {
    /// The characters of a token (RFC 9110, section 5.6.2).
    fileprivate static let token = ASCIISet("\(alphanumerics)!#$%&'*+-.^_`|~")
    static let hexadecimalDigits = ASCIISet("0123456789ABCDEFabcdef")
}

extension String {
    /// Whether this is a token, as a method and the name of a header are (RFC 9110, section 5.6.2).
    package var isToken: Bool { !isEmpty && utf8.allSatisfy(ASCIISet.token.contains) }
}

private let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
/// The characters that need no escape anywhere in a URL (RFC 3986, section 2.3).
private let unreserved = "\(alphanumerics)-._~"

extension Bytes {
    @inline(never)
    package mutating func append(_ text: consuming String, _ escaping: Escaping) {
        appendFast(text, escaping)
    }

    /// Appends a text in the same way, inlined: for what most requests do.
    @inline(__always)
    mutating func appendFast(_ text: consuming String, _ escaping: Escaping) {
        append(text, replacing: escaping.replacements)
    }

    /// Appends a text that may be escaped already. Escapes such as `%20` are kept; any other `%` is
    /// escaped.
    mutating func append(literal text: String, _ escaping: Escaping) {
        let utf8 = Array(text.utf8)
        for index in utf8.indices {
            let beginsEscape =
                utf8[index] == .percent && index + 2 < utf8.count
                && ASCIISet.hexadecimalDigits.contains(utf8[index + 1])
                && ASCIISet.hexadecimalDigits.contains(utf8[index + 2])
            let replacement = escaping.replacements[Int(utf8[index])]
            // Unescaped, the byte is the replacement of a `%` without its digits.
            for place in 0..<(beginsEscape ? 1 : Int(replacement.w)) {
                append(replacement[place])
            }
        }
    }
}

extension UInt8 {
    fileprivate var hexadecimalDigit: UInt8 {
        self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10
    }
}

/// A set of ASCII bytes: one bit for each byte.
package struct ASCIISet: Sendable {
    private let low: UInt64
    private let high: UInt64

    package init(_ members: String) {
        var (low, high) = (UInt64(0), UInt64(0))
        for byte in members.utf8 where byte < 64 { low |= 1 << UInt64(byte) }
        for byte in members.utf8 where byte >= 64 { high |= 1 << UInt64(byte & 63) }
        (self.low, self.high) = (low, high)
    }

    @inline(__always)
    package func contains(_ byte: UInt8) -> Bool {
        byte < 128 && ((byte < 64 ? low : high) &>> UInt64(byte)) & 1 == 1
    }
}
