import Foundation

extension String {
    /// The `boundary` that a multipart media type names (RFC 2046, section 5.1.1); else `nil`.
    package var multipartBoundary: String? {
        guard lowercased().hasPrefix("multipart/"), let value = parameter("boundary")
        else { return nil }
        let isQuoted = value.count >= 2 && value.first == "\"" && value.last == "\""
        let boundary = isQuoted ? String(value.dropFirst().dropLast()) : value
        return boundary.isEmpty ? nil : boundary
    }

    /// The value of a parameter, with its quotes; `nil` if the field has no such parameter after a
    /// `;` (RFC 9110, section 5.6.6).
    func parameter(_ name: String) -> String? {
        for parameter in splitOutsideQuotes(at: .semicolon).dropFirst() {
            guard let sign = parameter.utf8.firstIndex(of: .equals),
                String(parameter[..<sign]).trimmingBlanks.lowercased() == name
            else { continue }
            return String(parameter[parameter.utf8.index(after: sign)...]).trimmingBlanks
        }
        return nil
    }

    package var trimmingBlanks: String {
        func isBlank(_ byte: UInt8?) -> Bool { byte == .space || byte == .tab }
        guard isBlank(utf8.first) || isBlank(utf8.last) else { return self }
        let trimmed = utf8.drop(while: isBlank)
        let end = trimmed.lastIndex { !isBlank($0) }
        return end.map { String(Substring(trimmed[...$0])) } ?? ""
    }

    /// The parts between the separators that aren't in a quoted string.
    ///
    /// Split at `;`, the text `a; b="c; \"d"` has the parts `a` and ` b="c; \"d"`.
    func splitOutsideQuotes(at separator: UInt8) -> [String] {
        split(at: separator, outsideQuotes: true)
    }

    /// The parts between the separators. It splits bytes, as a `/` and a combining mark after it
    /// are one `Character`.
    func split(at separator: UInt8, outsideQuotes: Bool) -> [String] {
        var parts: [String] = []
        var part: [UInt8] = []
        var quotes = QuotedStrings()
        for byte in utf8 {
            if byte == separator && !quotes.isOpen {
                parts.append(String(decoding: part, as: UTF8.self))
                part = []
                continue
            }
            if outsideQuotes { quotes.read(byte) }
            part.append(byte)
        }
        return parts + [String(decoding: part, as: UTF8.self)]
    }

    /// The number in decimal digits, with or without blanks around them; `nil` for any other text,
    /// such as one with a sign, and for a number that is too large.
    package var wholeNumber: Int64? {
        let digits = trimmingBlanks
        return digits.utf8.allSatisfy(\.isDigit) ? Int64(digits) : nil
    }
}

/// Where the quoted strings in the value of a field begin and end. In one, `\` escapes the next
/// character (RFC 9110, section 5.6.4).
struct QuotedStrings {
    /// Whether the bytes so far end in a quoted string.
    private(set) var isOpen = false
    private var isEscaped = false

    mutating func read(_ byte: UInt8) {
        if byte == .quote && !isEscaped { isOpen.toggle() }
        isEscaped = isOpen && byte == .backslash && !isEscaped
    }
}

extension String {
    /// The text in quotes, for a message. Quotes, backslashes, control characters and line
    /// separators are escaped.
    package var quoted: String {
        debugDescription.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            // `debugDescription` escapes only those in ASCII.
            case .control, .lineSeparator, .paragraphSeparator:
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension String {
    /// The text of some bytes, with a byte order mark if they begin with one; `nil` if they aren't
    /// UTF-8. (`String(validating:as:)` needs macOS 15.)
    package init?(utf8 bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        // What isn't UTF-8 has been replaced. Most bytes lie in one piece, and are compared faster.
        let isSame = utf8.withContiguousStorageIfAvailable { text in
            bytes.withContiguousStorageIfAvailable { text.elementsEqual($0) }
        }
        guard (isSame ?? nil) ?? utf8.elementsEqual(bytes) else { return nil }
    }
}

extension UInt8 {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let percent = UInt8(ascii: "%")
    static let dot = UInt8(ascii: ".")
    static let slash = UInt8(ascii: "/")
    static let backslash = UInt8(ascii: #"\"#)
    static let comma = UInt8(ascii: ",")
    static let semicolon = UInt8(ascii: ";")
    static let equals = UInt8(ascii: "=")
    static let less = UInt8(ascii: "<")
    static let greater = UInt8(ascii: ">")

    package var isDigit: Bool { (0x30...0x39).contains(self) }

    var isHexadecimalDigit: Bool { ASCIISet.hexadecimalDigits.contains(self) }

    /// The two hexadecimal digits of this byte, as an escape in a URL has them.
    var hexadecimal: (UInt8, UInt8) {
        func digit(_ value: UInt8) -> UInt8 {
            value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
        }
        return (digit(self >> 4), digit(self & 15))
    }
}

extension String {
    /// Whether this is a token, as a method and the name of a header are (RFC 9110, section 5.6.2).
    var isToken: Bool { !isEmpty && utf8.allSatisfy(ASCIISet.token.contains) }
}

/// A set of ASCII bytes: one bit for each byte.
struct ASCIISet: Sendable {
    private let low: UInt64
    private let high: UInt64

    init(_ members: String) {
        var (low, high) = (UInt64(0), UInt64(0))
        for byte in members.utf8 where byte < 64 { low |= 1 << UInt64(byte) }
        for byte in members.utf8 where byte >= 64 { high |= 1 << UInt64(byte & 63) }
        (self.low, self.high) = (low, high)
    }

    /// For a text that is read with these members once. They must be ASCII.
    init(reading members: StaticString) {
        var (low, high) = (UInt64(0), UInt64(0))
        for index in 0..<members.utf8CodeUnitCount {
            let byte = members.utf8Start[index]
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
        }
        (self.low, self.high) = (low, high)
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        byte < 128 && ((byte < 64 ? low : high) &>> UInt64(byte)) & 1 == 1
    }
}

extension ASCIISet {
    /// The characters of a token (RFC 9110, section 5.6.2).
    fileprivate static let token = ASCIISet("\(alphanumerics)!#$%&'*+-.^_`|~")
    fileprivate static let hexadecimalDigits = ASCIISet("0123456789ABCDEFabcdef")
}

/// ASCII letters and digits.
let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

extension UInt8 {
    /// Whether this is an ASCII letter, a digit, or a byte of another letter.
    @inline(never)
    var isWordByte: Bool { isDigit || (0x61...0x7A).contains(self | 0x20) || self > 127 }

    @inline(never)
    func isIn(_ bytes: StaticString) -> Bool {
        for index in 0..<bytes.utf8CodeUnitCount where bytes.utf8Start[index] == self {
            return true
        }
        return false
    }

    var isBlank: Bool {
        self == .space || self == .tab || self == .lineFeed || self == .carriageReturn
    }
    static let colon = UInt8(ascii: ":")
    static let open = UInt8(ascii: "{")
    static let digit = UInt8(ascii: "0")
}

// MARK: - Bytes

extension [UInt8] {
    var string: String { String(decoding: self, as: UTF8.self) }

    /// The bytes from an index to before another one, as far as there are any.
    @inline(never)
    func part(_ start: Int, _ end: Int = .max) -> [UInt8] {
        let end = Swift.min(end, count)
        return start < end ? [UInt8](self[start..<end]) : []
    }

    /// The index of the first of some bytes; the count if there is none.
    @inline(never)
    func first(of bytes: StaticString, from start: Int = 0) -> Int {
        let set = ASCIISet(reading: bytes)
        var index = start
        while index < count, !set.contains(self[index]) { index += 1 }
        return Swift.min(index, count)
    }

    /// Whether a text stands at an index, which may be after the end.
    @inline(never)
    func has(_ text: StaticString, at index: Int) -> Bool {
        let size = text.utf8CodeUnitCount
        guard index + size <= count else { return false }
        var same = 0
        while same < size, self[index + same] == text.utf8Start[same] { same += 1 }
        return same == size
    }

    /// The first index of a text; the count if it isn't found.
    @inline(never)
    func index(of text: String, from start: Int = 0) -> Int {
        let bytes = Array(text.utf8)
        var index = start
        while index + bytes.count <= count {
            var same = 0
            while same < bytes.count, self[index + same] == bytes[same] { same += 1 }
            if same == bytes.count { return index }
            index += 1
        }
        return count
    }

    /// The text without blanks and quotes around it.
    var trimmed: [UInt8] {
        let end = (lastIndex { !$0.isIn("\" ") } ?? -1) + 1
        return part(0, end).drop { $0.isIn("\" ") }.map(\.self)
    }

    /// What is after the first sign, without quotes and blanks around it; all if there is no sign.
    func value(after sign: StaticString) -> String {
        let index = first(of: sign)
        return part(index < count ? index + 1 : 0).trimmed.string
    }

    /// The pieces between separators, each with the separator after it.
    /// - Parameter isHeader: Whether a separator in quotes or between `<` and `>` doesn't count.
    @inline(never)
    func pieces(
        _ separators: StaticString, isHeader: Bool = false
    ) -> [(text: [UInt8], end: ArraySlice<UInt8>)] {
        var (pieces, start): ([(text: [UInt8], end: ArraySlice<UInt8>)], Int) = ([], 0)
        var (isQuoted, isEscaped) = (false, false)
        let set = ASCIISet(reading: separators)
        for index in indices {
            let byte = self[index]
            if isHeader {
                if byte == .quote, !isEscaped { isQuoted.toggle() }
                if byte == .less || byte == .greater { isQuoted = byte == .less }
                isEscaped = byte == .backslash && !isEscaped
            }
            guard !isQuoted, set.contains(byte) else { continue }
            pieces.append((part(start, index), self[index...index]))
            start = index + 1
        }
        return pieces + [(part(start), self[count...])]
    }
}
