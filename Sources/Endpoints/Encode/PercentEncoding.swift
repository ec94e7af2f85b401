/// A place in a request where a value is written, and what it leaves raw there.
///
/// Everything else becomes `%XX`, byte by byte of its UTF-8. Nothing outside this file escapes a
/// byte.
struct Position: Sendable {
    let raw: ASCIISet
    /// Whether a space becomes `+`.
    let hasPlusForSpace: Bool

    /// A value in the path: what a segment may hold (RFC 3986, section 3.3), less `;`, at which
    /// servers cut off matrix parameters.
    static let path = Position(raw: ASCIISet("\(unreserved):@!$&'()*+,="), hasPlusForSpace: false)
    /// A name or a value in the query: what RFC 3986, section 3.4 allows, less what readers of
    /// forms and of nested queries give a meaning.
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

extension Bytes {
    /// Appends a value as its position has it.
    mutating func append(_ text: String, in position: Position) {
        text.withBytes { utf8 in
            append(upTo: 3 * utf8.count) { position.write(utf8, to: $0) }
        }
    }

    /// Appends the text of a path as its author wrote it, escaping what a path can't hold. An
    /// escape in it stays; a `%` that begins none is escaped.
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
                append(upTo: 3) { byte.writeEscaped(to: $0) }
            }
        }
    }
}

extension Position {
    /// Writes a value; returns how many bytes that takes.
    fileprivate func write(
        _ utf8: UnsafeBufferPointer<UInt8>, to memory: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var end = memory
        for byte in utf8 {
            if raw.contains(byte) {
                end.pointee = byte
                end += 1
            } else if hasPlusForSpace && byte == UInt8(ascii: " ") {
                end.pointee = UInt8(ascii: "+")
                end += 1
            } else {
                end += byte.writeEscaped(to: end)
            }
        }
        return end - memory
    }
}

extension UInt8 {
    /// Writes `%XX`; returns how many bytes that takes.
    fileprivate func writeEscaped(to memory: UnsafeMutablePointer<UInt8>) -> Int {
        memory[0] = UInt8(ascii: "%")
        memory[1] = (self >> 4).hexadecimalDigit
        memory[2] = (self & 15).hexadecimalDigit
        return 3
    }

    private var hexadecimalDigit: UInt8 {
        self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10
    }
}
