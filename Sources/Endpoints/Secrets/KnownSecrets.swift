import Foundation

/// Secrets that are known by their values, because of where they stand in a request or a response,
/// such as a token in `Authorization`. They are hidden wherever they occur.
///
/// A value is found as it is, with escapes of URLs, JSON and HTML, and in Base64. Two kinds are
/// known by their form: a JWT or JWE, and a private key in PEM.
struct KnownSecrets: Sendable {
    /// A shorter value may be a part of any word.
    private static let shortest = 6
    /// More bytes than these, or more values with the same beginning, aren't compared one by one.
    private static let longest = 64, most = 16

    /// What is looked for, by a hash of the first bytes.
    private var values: [[[UInt8]]] = []
    /// Segments of a path that are too short to be hidden anywhere.
    private(set) var segments: [[UInt8]] = []

    /// - Parameter inPath: Secrets that are segments of the URL's path.
    init(_ values: [String] = [], inPath: [String] = []) {
        for value in values + inPath { insert(value) }
        segments = inPath.map { Array($0.utf8) }.filter { $0.count < Self.shortest }
    }

    mutating func insert(_ value: String) {
        let bytes = Array(value.utf8)
        guard bytes.count >= Self.shortest else { return }
        add(bytes)
        add(bytes.unescaped)
        // The Base64 of a text in which the value begins at any of three places.
        for shift in 0..<3 {
            let base64 = Data([UInt8](repeating: 0, count: shift) + bytes).base64EncodedString()
            let whole = (bytes.count + shift) * 8 / 6
            add(Array(base64.utf8).part(shift == 0 ? 0 : shift + 1, whole))
        }
    }

    private mutating func add(_ bytes: [UInt8]) {
        guard bytes.count >= Self.shortest else { return }
        if values.isEmpty { values = Array(repeating: [], count: 1 << 10) }
        let place = Self.place(of: bytes, at: 0)
        let same = values[place].count { $0.starts(with: bytes.prefix(Self.shortest)) }
        if same <= Self.most, !values[place].contains(bytes) { values[place].append(bytes) }
    }

    private static func place(of text: [UInt8], at start: Int) -> Int {
        text[start..<start + shortest].reduce(0) { $0 &* 31 &+ Int(folded($1)) } & 1023
    }

    /// The same byte for those that stand for one another: a blank in a form, and the alphabets of
    /// Base64 (RFC 4648, sections 4 and 5).
    private static func folded(_ byte: UInt8) -> UInt8 {
        byte == .space || byte == 0x2D ? 0x2B : byte == 0x5F ? .slash : byte
    }

    /// A text with a replacement for each secret in it.
    func hiding(_ text: [UInt8], _ replacement: (String) -> [UInt8]) -> [UInt8] {
        guard text.count >= Self.shortest else { return text }
        let hidden = hiding(text, (text, nil), replacement)
        guard hidden.first(of: "%\\&") < hidden.count else { return hidden }
        let plain = hidden.unescaped("%\\&")
        return hiding(hidden, (plain.bytes, plain.starts), replacement)
    }

    /// - Parameter plain: The text without escapes, and where each of its bytes begins in the text;
    ///   `nil` where it stands.
    private func hiding(
        _ text: [UInt8], _ plain: (bytes: [UInt8], starts: [Int]?),
        _ replacement: (String) -> [UInt8]
    ) -> [UInt8] {
        var (shown, end, formEnd): ([UInt8], Int, Int) = ([], 0, 0)
        for start in 0..<max(0, plain.bytes.count - Self.shortest + 1) {
            // Other secrets may begin within one, and end after it.
            let form = start < formEnd ? nil : plain.bytes.endOfSecretForm(at: start)
            formEnd = form ?? formEnd
            guard let next = form ?? endOfValue(plain.bytes, start, isHidden: start < end)
            else { continue }
            if start >= end {
                shown += text.part(plain.starts?[end] ?? end, plain.starts?[start] ?? start)
                shown += replacement(plain.bytes.part(start, next).string)
            }
            end = max(end, next)
        }
        return end > 0 ? shown + text.part(plain.starts?[end] ?? end) : text
    }

    /// The end of the value that begins at an index; `nil` if there is none.
    /// - Parameter isHidden: Whether this is within another value. To compare all of it would take
    ///   too long.
    private func endOfValue(_ text: [UInt8], _ start: Int, isHidden: Bool) -> Int? {
        guard !values.isEmpty else { return nil }
        var (end, same) = (start, 0)
        for value in values[Self.place(of: text, at: start)] {
            let least = min(value.count, Self.longest)
            let last = min(start + (isHidden ? least : value.count), text.count)
            var index = start
            while index < last, Self.folded(text[index]) == Self.folded(value[index - start]) {
                index += 1
            }
            if index >= start + Self.shortest { same += 1 }
            if index >= start + least { end = max(end, index) }
        }
        guard same <= Self.most else {
            return text.first(of: " \t\r\n\"'\\<>&,;", from: start + Self.shortest)
        }
        return end > start ? end : nil
    }
}

extension [UInt8] {
    /// The end of a JWT or JWE (RFC 7519, section 3), or of a private key in PEM (RFC 7468, section
    /// 10), that begins here; `nil` if there is none.
    fileprivate func endOfSecretForm(at start: Int) -> Int? {
        guard self[start] == 0x65 || self[start] == 0x2D else { return nil }
        if has("eyJ", at: start), start == 0 || !self[start - 1].isTokenByte {
            let token = self[start...].prefix(while: \.isTokenByte)
            return token.count > 12 && token.count { $0 == .dot } > 1 ? token.endIndex : nil
        }
        guard has("-----BEGIN", at: start) else { return nil }
        let head = part(start, start + 60)
        let isPrivate = head.index(of: "PRIVATE") < head.count
        return isPrivate ? first(of: "\r\n\"\\<&", from: index(of: "-----END", from: start)) : nil
    }

    /// The text without escapes, and where each of its bytes begins in this text.
    /// - Parameter marks: What the escapes begin with: `%` in a URL, `\` in JSON, `&` in HTML.
    @inline(never)
    func unescaped(_ marks: StaticString) -> (bytes: [UInt8], starts: [Int]) {
        var (bytes, starts, index): ([UInt8], [Int], Int) = ([], [], 0)
        bytes.reserveCapacity(count)
        starts.reserveCapacity(count + 1)
        let set = ASCIISet(reading: marks)
        while index < count {
            guard set.contains(self[index]), let end = appendEscape(at: index, to: &bytes) else {
                bytes.append(self[index])
                starts.append(index)
                index += 1
                continue
            }
            while starts.count < bytes.count { starts.append(index) }
            index = end
        }
        return (bytes, starts + [count])
    }

    /// Appends what an escape stands for, and returns where it ends.
    private func appendEscape(at start: Int, to bytes: inout [UInt8]) -> Int? {
        var index = start + 1
        switch self[start] {
        case .percent:
            while has("25", at: index) { index += 2 }
            let value = number(of: 2, at: index)
            bytes.append(value.map { UInt8(truncatingIfNeeded: $0) } ?? .percent)
            return value == nil ? index : index + 2
        case .backslash:
            guard index < count else { return nil }
            guard has("u", at: index), var value = number(of: 4, at: index + 1) else {
                let place = Array("ntrbf".utf8).firstIndex(of: self[index])
                bytes.append(place.map { [10, 9, 13, 8, 12][$0] } ?? self[index])
                return index + 1
            }
            index += 5
            // A character beyond U+FFFF has two escapes.
            if value >> 10 == 0x36, has("\\u", at: index), let low = number(of: 4, at: index + 2) {
                value = 0x10000 + (value & 0x3FF) << 10 + low & 0x3FF
                index += 6
            }
            bytes += String(UnicodeScalar(value) ?? "\u{FFFD}").utf8
            return index
        default:
            // A reference of HTML or XML, such as `&amp;` or `&#x26;`.
            let end = first(of: ";& ", from: index)
            guard has(";", at: end), end - index < 9 else { return nil }
            let name = part(index, end).string
            let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
            let code =
                has("#x", at: index)
                ? number(of: end - index - 2, at: index + 2)
                : has("#", at: index) ? UInt32(name.dropFirst()) : nil
            let character = names[name] ?? code.flatMap(UnicodeScalar.init).map { String($0) }
            guard let character else { return nil }
            bytes += character.utf8
            return end + 1
        }
    }

    /// The number that hexadecimal digits stand for; `nil` if there are fewer.
    private func number(of digits: Int, at start: Int) -> UInt32? {
        guard start + digits <= count else { return nil }
        var number: UInt32 = 0
        for index in start..<start + digits {
            let byte = self[index]
            guard byte.isHexadecimalDigit else { return nil }
            number = number << 4 | UInt32(byte & 15 + (byte.isDigit ? 0 : 9))
        }
        return number
    }
}

extension UInt8 {
    /// Whether a JWT may have this byte.
    fileprivate var isTokenByte: Bool { isWordByte && self < 128 || isIn("-_.") }
}
