/// A place in a request where a value is written, and what it leaves raw there.
///
/// Everything else becomes `%XX`, byte by byte of its UTF-8. Nothing outside this file escapes a byte.
struct Position: Sendable {
    let raw: ASCIISet
    /// Whether a space becomes `+`.
    let hasPlusForSpace: Bool

    /// A value in the path: what a segment may hold (RFC 3986, section 3.3), less `;`, at which servers
    /// cut off matrix parameters.
    static let path = Position(raw: ASCIISet("\(unreserved):@!$&'()*+,="), hasPlusForSpace: false)
    /// A name or a value in the query: what RFC 3986, section 3.4 allows, less what readers of forms and
    /// of nested queries give a meaning.
    static let query = Position(raw: ASCIISet("\(unreserved):/@"), hasPlusForSpace: false)
    /// A name or a value in a form: the WHATWG URL standard's application/x-www-form-urlencoded
    /// percent-encode set.
    static let form = Position(raw: ASCIISet("\(alphanumerics)*-._"), hasPlusForSpace: true)
    /// The literal text of a path: all that a path may hold (RFC 3986, section 3.3).
    fileprivate static let pathLiteral = ASCIISet("\(unreserved):@!$&'()*+,;=/")
}

extension ASCIISet {
    /// What a method and a header's name may hold (RFC 9110, section 5.6.2).
    static let token = ASCIISet("\(alphanumerics)!#$%&'*+-.^_`|~")
    /// The digits of an escape, in both cases.
    static let hexadecimalDigits = ASCIISet("0123456789ABCDEFabcdef")
}

private let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
/// RFC 3986, section 2.3.
private let unreserved = "\(alphanumerics)-._~"

extension [UInt8] {
    /// Appends a value as its position has it.
    mutating func append(_ text: String, in position: Position) {
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for index in utf8.indices where !position.raw.contains(utf8[index]) {
                append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
                if position.hasPlusForSpace && utf8[index] == UInt8(ascii: " ") {
                    append(UInt8(ascii: "+"))
                } else {
                    appendEscaped(utf8[index])
                }
                start = index + 1
            }
            append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
        }
    }

    /// Appends the text of a path as its author wrote it, escaping what a path can't hold. An escape in it
    /// stays; a `%` that begins none is escaped.
    mutating func append(pathLiteral text: String) {
        let utf8 = Array(text.utf8)
        for (index, byte) in utf8.enumerated() {
            let digits = utf8[(index + 1)...].prefix(2)
            let beginsEscape =
                byte == UInt8(ascii: "%") && digits.count == 2
                && digits.allSatisfy(ASCIISet.hexadecimalDigits.contains)
            if beginsEscape || Position.pathLiteral.contains(byte) {
                append(byte)
            } else {
                appendEscaped(byte)
            }
        }
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        append(UInt8(ascii: "%"))
        append(Self.hexadecimalDigit(byte >> 4))
        append(Self.hexadecimalDigit(byte & 15))
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
