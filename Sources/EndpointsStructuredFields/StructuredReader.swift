import Endpoints
import EndpointsShared

/// A value in a structured field, without its parameters (RFC 9651, section 3.3).
package enum StructuredValue: Equatable, Sendable {
    case integer(Int64)
    /// A decimal, in thousandths: 1500 is `1.5`.
    case decimal(thousandths: Int64)
    case string(String)
    case token(String)
    case bytes([UInt8])
    case boolean(Bool)
    /// Seconds since 1970.
    case date(Int64)
    case displayString(String)
}

extension StructuredValue {
    /// The value of a field that is an item; `nil` if it isn't one. Its parameters are ignored.
    package init?(item field: String) {
        var reader = StructuredReader(field)
        guard let value = reader.value(), reader.reachesEnd() else { return nil }
        self = value
    }
}

/// Reads the value of a structured field from its first byte to its last (RFC 9651, section 4.2).
/// It keeps nothing of what it has read, so whoever needs two numbers doesn't build a tree.
///
///     var reader = StructuredReader("a=1;b, c")
///     while let key = reader.nextKey() {                        // a, then c
///         let value = reader.value()                            // 1, then true
///         while let (name, value) = reader.nextParameter() {}   // b and true
///     }
///     let isDictionary = reader.reachesEnd()
///
/// Where a field isn't valid, nothing more comes next, and ``reachesEnd()`` is `false`. Such a
/// field must be ignored as a whole, so ask that before you use what was read.
package struct StructuredReader {
    private let bytes: [UInt8]
    private var index = 0
    private var isValid = true
    private var hasMember = false
    private var isInInnerList = false
    /// Whether parameters may come next.
    private var isAfterValue = false
    /// Whether the key of a dictionary came without a value, which is `true` then.
    private var isAfterKeyAlone = false

    package init(_ field: String) {
        bytes = Array(field.utf8)
        skipSpaces()
    }

    /// Whether the field is valid, and nothing of it is left but parameters and blanks.
    package mutating func reachesEnd() -> Bool {
        skipParameters()
        skipSpaces()
        return isValid && next == nil
    }

    /// Goes to the next member of a list; `false` if there is none. Read all of the member then:
    /// its ``value()``, or an inner list.
    package mutating func nextMember() -> Bool {
        skipParameters()
        guard hasMember else {
            hasMember = true
            return next != nil
        }
        skipBlanks()
        guard next != nil else { return false }
        guard skip(.comma) else { return fail() }
        skipBlanks()
        return next != nil || fail()
    }

    /// The key of the next member of a dictionary, whose value must be read then; `nil` if there is
    /// none. Of a key that comes twice, the last member counts.
    package mutating func nextKey() -> String? {
        guard nextMember(), let key = key() else { return nil }
        isAfterKeyAlone = !skip(.equals)
        return key
    }

    /// Whether an inner list begins, whose items ``nextInnerItem()`` goes to.
    package mutating func beginsInnerList() -> Bool {
        guard !isAfterKeyAlone, skip(.opening) else { return false }
        isInInnerList = true
        return true
    }

    /// Goes to the next item of an inner list, whose value must be read then; `false` if there is
    /// none. The parameters that come then are those of the list.
    package mutating func nextInnerItem() -> Bool {
        skipParameters()
        skipSpaces()
        if skip(.closing) {
            (isInInnerList, isAfterValue) = (false, true)
            return false
        }
        guard next != nil, bytes[index - 1] == .space || bytes[index - 1] == .opening
        else { return fail() }
        return true
    }

    /// The next parameter of the value or inner list that was read; `nil` if there is none. Of a
    /// name that comes twice, the last one counts.
    package mutating func nextParameter() -> (name: String, value: StructuredValue)? {
        guard isAfterValue, skip(.semicolon) else {
            isAfterValue = false
            return nil
        }
        skipSpaces()
        guard let name = key() else { return nil }
        guard skip(.equals) else { return (name, .boolean(true)) }
        return bareItem().map { (name, $0) }
    }

    /// The value of an item; `nil` for an inner list, which is skipped, and if none comes next.
    package mutating func value() -> StructuredValue? {
        guard !isInInnerList, beginsInnerList() else { return bareItem() }
        while nextInnerItem() { _ = bareItem() }
        return nil
    }
}

extension StructuredReader {
    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Ends the field here.
    private mutating func fail() -> Bool {
        (isValid, index) = (false, bytes.count)
        return false
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipSpaces() {
        while next == .space { index += 1 }
    }

    private mutating func skipBlanks() {
        while next == .space || next == .tab { index += 1 }
    }

    private mutating func skipParameters() {
        while nextParameter() != nil {}
    }

    private mutating func bareItem() -> StructuredValue? {
        isAfterValue = true
        if isAfterKeyAlone {
            isAfterKeyAlone = false
            return .boolean(true)
        }
        let value: StructuredValue? =
            switch next {
            case UInt8.quote?: string().map { .string($0) }
            case UInt8(ascii: ":")?: byteSequence().map { .bytes($0) }
            case UInt8(ascii: "?")?: boolean().map { .boolean($0) }
            case UInt8(ascii: "@")?: date()
            case UInt8(ascii: "%")?: displayString().map { .displayString($0) }
            case let byte? where byte.isDigit || byte == UInt8(ascii: "-"): number()
            case let byte? where byte.beginsToken: .token(text { $0.isInStructuredToken })
            default: nil
            }
        if value == nil { _ = fail() }
        return value
    }

    private mutating func key() -> String? {
        guard let first = next, first.beginsKey else {
            _ = fail()
            return nil
        }
        return text { $0.isInKey }
    }

    private mutating func text(of isMember: (UInt8) -> Bool) -> String {
        let start = index
        while let byte = next, isMember(byte) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func date() -> StructuredValue? {
        index += 1
        guard case .integer(let seconds)? = number() else { return nil }
        return .date(seconds)
    }

    private mutating func number() -> StructuredValue? {
        let sign: Int64 = skip(UInt8(ascii: "-")) ? -1 : 1
        let (whole, count) = digits(atMost: 16)
        guard count > 0 else { return nil }
        guard skip(UInt8(ascii: ".")) else { return count <= 15 ? .integer(sign * whole) : nil }
        let (fraction, places) = digits(atMost: 4)
        guard count <= 12, (1...3).contains(places) else { return nil }
        let scale: Int64 = places == 1 ? 100 : places == 2 ? 10 : 1
        return .decimal(thousandths: sign * (whole * 1000 + fraction * scale))
    }

    private mutating func digits(atMost limit: Int) -> (value: Int64, count: Int) {
        var (value, count) = (Int64(0), 0)
        while count < limit, let byte = next, byte.isDigit {
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            count += 1
            index += 1
        }
        return (value, count)
    }

    private mutating func string() -> String? {
        var content: [UInt8] = []
        index += 1
        while let byte = next, (0x20...0x7E).contains(byte) {
            index += 1
            if byte == .quote { return String(decoding: content, as: UTF8.self) }
            guard byte == .backslash else {
                content.append(byte)
                continue
            }
            guard let escaped = next, escaped == .quote || escaped == .backslash
            else { return nil }
            index += 1
            content.append(escaped)
        }
        return nil
    }

    private mutating func displayString() -> String? {
        var content: [UInt8] = []
        index += 1
        guard skip(.quote) else { return nil }
        while let byte = next, (0x20...0x7E).contains(byte) {
            index += 1
            if byte == .quote { return String(utf8: content) }
            guard byte == UInt8(ascii: "%") else {
                content.append(byte)
                continue
            }
            guard let high = hexadecimalDigit(), let low = hexadecimalDigit() else { return nil }
            content.append(high << 4 | low)
        }
        return nil
    }

    /// The value of a digit, which must be a small letter if it is a letter.
    private mutating func hexadecimalDigit() -> UInt8? {
        guard let byte = next else { return nil }
        index += 1
        return switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    private mutating func boolean() -> Bool? {
        index += 1
        if skip(UInt8(ascii: "1")) { return true }
        return skip(UInt8(ascii: "0")) ? false : nil
    }

    /// Base64 between colons. The padding may be missing, and unused bits may be set.
    private mutating func byteSequence() -> [UInt8]? {
        index += 1
        var (content, bits, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        var digits = 0
        while let byte = next, let digit = byte.base64Digit {
            index += 1
            digits += 1
            (bits, count) = (bits << 6 | digit, count + 6)
            if count >= 8 {
                count -= 8
                content.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        var padding = 0
        while skip(.equals) { padding += 1 }
        // One digit alone has too few bits for a byte.
        guard digits % 4 != 1, padding == 0 || (digits + padding) % 4 == 0 && padding < 3,
            skip(UInt8(ascii: ":"))
        else { return nil }
        return content
    }
}

extension UInt8 {
    fileprivate static let opening = UInt8(ascii: "(")
    fileprivate static let closing = UInt8(ascii: ")")

    private var isSmallLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    private var isLetter: Bool { (self | 0x20).isSmallLetter }

    package var beginsKey: Bool { isSmallLetter || self == UInt8(ascii: "*") }
    package var isInKey: Bool { isSmallLetter || isDigit || "_-.*".utf8.contains(self) }

    package var beginsToken: Bool { isLetter || self == UInt8(ascii: "*") }
    package var isInStructuredToken: Bool {
        isLetter || isDigit || "!#$%&'*+-.^_`|~:/".utf8.contains(self)
    }

    fileprivate var base64Digit: UInt32? {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(self - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(self - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
