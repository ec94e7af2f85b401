import Foundation

/// Secrets that are known by their values, because of where they stand in a request or a response,
/// such as a token in `Authorization`. They are hidden wherever they occur.
///
/// A value is found as it is, percent-encoded, with JSON's escapes, and in Base64. Two kinds are
/// known by their form: a JWT or JWE, and a private key in PEM.
package struct KnownSecrets: Sendable {
    /// A shorter value may be a part of any word.
    private static let shortest = 6
    /// More values with the same beginning aren't compared one by one.
    private static let most = 64

    private var values: Set<String> = []
    /// What is looked for, by its first bytes.
    private var texts: [UInt64: [(bytes: [UInt8], value: String)]] = [:]
    /// Which pairs of bytes a text begins with: a bit for each.
    private var pairs: [UInt64] = []

    /// Segments of a path that are too short to be hidden anywhere.
    private(set) var segments: Set<[UInt8]> = []

    /// - Parameter inPath: Secrets that are segments of the URL's path.
    package init(_ values: [String] = [], inPath: [String] = []) {
        for value in values + inPath { insert(value) }
        for value in inPath where value.utf8.count < Self.shortest {
            segments.insert(Array(value.utf8).percentEscaped(except: ":@!$&'()*+,="))
        }
    }

    package mutating func insert(_ value: String) {
        guard value.utf8.count >= Self.shortest, values.insert(value).inserted else { return }
        if pairs.isEmpty { pairs = [UInt64](repeating: 0, count: 1 << 10) }
        let bytes = Array(value.utf8)
        var forms: Set<[UInt8]> = [bytes]
        for slash in [true, false] { forms.insert(value.escapedForJSON(slash)) }
        // As others escape, and as the library does in a query, a path and a form.
        for raw: StaticString in ["", ":/@", ":@!$&'()*+,=", "*"] {
            let escaped = bytes.percentEscaped(except: raw)
            forms.formUnion([escaped, escaped.withLowercaseEscapes])
            let form = escaped.string.replacingOccurrences(of: "%20", with: "+")
            forms.insert(Array(form.utf8))
        }
        // The Base64 of a text in which the value begins at any of three places.
        for shift in 0..<3 {
            let data = Data(repeating: 0, count: shift) + Data(bytes)
            let text = Array(data.base64EncodedString().utf8)
            let first = shift == 0 ? 0 : shift + 1
            let whole = (data.count * 8) / 6
            guard whole - first >= Self.shortest else { continue }
            let base64 = Array(text[first..<whole])
            forms.insert(base64)
            // The alphabet of URLs (RFC 4648, section 5).
            forms.insert(base64.map { $0 == 0x2B ? 0x2D : $0 == .slash ? 0x5F : $0 })
        }
        for form in forms where form.count >= Self.shortest {
            pairs[Int(form[0]) << 2 | Int(form[1]) >> 6] |= 1 << UInt64(form[1] & 63)
            texts[Self.beginning(form, 0), default: []].append((form, value))
        }
    }

    private static func beginning(_ bytes: [UInt8], _ index: Int) -> UInt64 {
        var beginning: UInt64 = 0
        for byte in bytes[index..<index + shortest] { beginning = beginning << 8 | UInt64(byte) }
        return beginning
    }

    /// A text with a replacement for each secret in it; `nil` if it has none.
    package func hiding(
        _ text: [UInt8], _ replacement: (String) -> String
    ) -> [UInt8]? {
        var (shown, end, copied): ([UInt8], Int, Int) = ([], 0, 0)
        var index = 0
        while index + Self.shortest <= text.count {
            if let secret = secret(in: text, at: index) {
                if index >= end {
                    shown += text[copied..<index]
                    shown += Array(replacement(secret.value).utf8)
                }
                end = max(end, secret.end)
                copied = end
                // Other secrets may begin within a value, but not within a form.
                if secret.isForm { index = secret.end - 1 }
            }
            index += 1
        }
        guard copied > 0 else { return nil }
        return shown + text[copied...]
    }

    private func hasPair(_ first: UInt8, _ second: UInt8) -> Bool {
        pairs[Int(first) << 2 | Int(second) >> 6] >> UInt64(second & 63) & 1 == 1
    }

    private func secret(
        in text: [UInt8], at index: Int
    ) -> (end: Int, value: String, isForm: Bool)? {
        if text[index] == 0x65 || text[index] == 0x2D, let end = text.endOfSecretForm(at: index) {
            return (end, String(decoding: text[index..<end], as: UTF8.self), true)
        }
        guard !pairs.isEmpty, hasPair(text[index], text[index + 1]),
            let found = texts[Self.beginning(text, index)]
        else { return nil }
        guard found.count <= Self.most else {
            let end = text[index...].firstIndex { !$0.isWordByte } ?? text.count
            return (max(end, index + Self.shortest), found[0].value, false)
        }
        let longest = found.filter { text.has($0.bytes, at: index) }
            .max { $0.bytes.count < $1.bytes.count }
        return longest.map { (index + $0.bytes.count, $0.value, false) }
    }
}

extension [UInt8] {
    package var string: String { String(decoding: self, as: UTF8.self) }

    /// Whether a text stands at an index, which may be after the end.
    func has(_ text: some Collection<UInt8>, at index: Int) -> Bool {
        index + text.count <= count && self[index..<index + text.count].elementsEqual(text)
    }

    /// The end of a JWT or JWE (RFC 7519, section 3), or of a private key in PEM (RFC 7468, section
    /// 10), that begins here; `nil` if there is none.
    fileprivate func endOfSecretForm(at start: Int) -> Int? {
        if has("eyJ".utf8, at: start) {
            guard start == 0 || !self[start - 1].isTokenByte else { return nil }
            var (end, dots) = (start, 0)
            while end < count, self[end].isTokenByte {
                if self[end] == .dot { dots += 1 }
                end += 1
            }
            return dots >= 2 && end - start > 12 ? end : nil
        }
        guard has("-----BEGIN".utf8, at: start) else { return nil }
        let head = self[start..<Swift.min(start + 60, count)]
        guard head.string.contains("PRIVATE") else { return nil }
        var end = start + 10
        while end < count, self[end] != 0x2D || !has("-----END".utf8, at: end) { end += 1 }
        while end < count, self[end] != .lineFeed, !self[end].isIn("\"\\<&") { end += 1 }
        return end
    }
}

extension [UInt8] {
    /// The text with all bytes escaped but letters, digits, `-._~` and others.
    fileprivate func percentEscaped(except raw: StaticString) -> [UInt8] {
        var text: [UInt8] = []
        for byte in self {
            guard byte > 127 || !byte.isWordByte && !byte.isIn("-._~") && !byte.isIn(raw) else {
                text.append(byte)
                continue
            }
            text.append(.percent)
            for digit in [byte >> 4, byte & 15] { text.append(digit + (digit < 10 ? 0x30 : 0x37)) }
        }
        return text
    }
}

extension ArraySlice<UInt8> {
    var string: String { String(decoding: self, as: UTF8.self) }
}

extension UInt8 {
    /// Whether a JWT may have this byte.
    fileprivate var isTokenByte: Bool { isWordByte && self < 128 || isIn("-_.") }

    func isIn(_ bytes: StaticString) -> Bool {
        memchr(bytes.utf8Start, Int32(self), bytes.utf8CodeUnitCount) != nil
    }

    var isBlank: Bool { isIn(" \t\n\r") }
    static let colon = UInt8(ascii: ":")
}
