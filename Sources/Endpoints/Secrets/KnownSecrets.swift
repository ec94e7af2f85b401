import Foundation

/// Secrets that are known by their values, because of where they stand in a request or a response,
/// such as a token in `Authorization`. They are hidden wherever they occur.
///
/// A value is found as it is, with escapes of URLs, JSON and HTML, and in Base64. Two kinds are
/// known by their form: a JWT or JWE, and a private key in PEM.
struct KnownSecrets: Sendable {
    /// What is looked for.
    private struct Pattern {
        let bytes: [UInt8]
        /// The first bytes, which aren't compared one by one.
        let key: UInt64
        /// The pattern before it whose key has the same place in `heads`; -1 if there is none.
        let next: Int
    }

    /// A shorter value may be a part of any word.
    private static let shortest = 6
    /// More bytes than these, or more values with the same beginning, aren't compared one by one.
    private static let (longest, most) = (64, 16)

    private var patterns: [Pattern] = []
    /// The last pattern of each key, by its hash.
    private var heads: [Int] = []
    /// Segments of a path that are too short to be hidden anywhere.
    private(set) var segments: [[UInt8]] = []

    /// - Parameter inPath: Secrets that are segments of the URL's path.
    init(_ values: [String] = [], inPath: [String] = []) {
        for value in values + inPath { insert(value) }
        for value in inPath where value.utf8.count < Self.shortest {
            segments.append(Array(value.utf8))
        }
    }

    mutating func insert(_ value: String) {
        let bytes = Array(value.utf8)
        guard bytes.count >= Self.shortest else { return }
        add(bytes)
        if bytes.contains(.percent) { add(bytes.unescaped) }
        // The Base64 of a text in which the value begins at any of three places.
        for shift in 0..<3 {
            let base64 = Data([UInt8](repeating: 0, count: shift) + bytes).base64EncodedString()
            let whole = (bytes.count + shift) * 8 / 6
            add(Array(base64.utf8).part(shift == 0 ? 0 : shift + 1, whole))
        }
    }

    private mutating func add(_ bytes: [UInt8]) {
        guard bytes.count >= Self.shortest else { return }
        if heads.isEmpty { heads = [Int](repeating: -1, count: 1 << 10) }
        let key = bytes.part(0, Self.shortest).reduce(0) { Self.key($0, $1) }
        var (next, count) = (heads[Self.place(of: key)], 0)
        while next >= 0 {
            if patterns[next].key == key { count += 1 }
            guard count <= Self.most, patterns[next].bytes != bytes else { return }
            next = patterns[next].next
        }
        let place = Self.place(of: key)
        patterns.append(Pattern(bytes: bytes, key: key, next: heads[place]))
        heads[place] = patterns.count - 1
    }

    /// A key without its first byte, and with another byte after the others.
    private static func key(_ key: UInt64, _ byte: UInt8) -> UInt64 {
        key << 8 & 0xFFFF_FFFF_FFFF | UInt64(folded(byte))
    }

    private static func place(of key: UInt64) -> Int { Int((key &* 0x9E37_79B9_7F4A_7C15) >> 54) }

    /// The same byte for those that stand for one another: a blank in a form, and the alphabets of
    /// Base64 (RFC 4648, sections 4 and 5).
    private static func folded(_ byte: UInt8) -> UInt8 {
        byte == .space || byte == 0x2D ? 0x2B : byte == 0x5F ? .slash : byte
    }

    /// A text with a replacement for each secret in it.
    func hiding(_ text: [UInt8], _ replacement: (String) -> [UInt8]) -> [UInt8] {
        guard text.count >= Self.shortest else { return text }
        let hidden = hiding(text, text, [], replacement)
        guard hidden.first(of: "%\\&") < hidden.count else { return hidden }
        let plain = hidden.unescaped(isURL: true, isJSON: true, isHTML: true)
        return hiding(hidden, plain.bytes, plain.starts, replacement)
    }

    /// - Parameter plain: The text without escapes.
    /// - Parameter starts: Where each byte of `plain` begins in the text; `[]` without escapes.
    private func hiding(
        _ text: [UInt8], _ plain: [UInt8], _ starts: [Int], _ replacement: (String) -> [UInt8]
    ) -> [UInt8] {
        var (shown, end, formEnd, key): ([UInt8], Int, Int, UInt64) = ([], 0, 0, 0)
        for index in plain.indices {
            key = Self.key(key, plain[index])
            let start = index + 1 - Self.shortest
            // Other secrets may begin within a value, but not within a form.
            guard start >= formEnd else { continue }
            let form = plain.endOfSecretForm(at: start)
            guard let next = form ?? endOfValue(key, in: plain, at: start, after: end)
            else { continue }
            formEnd = form ?? formEnd
            if start >= end {
                let copied = starts.isEmpty ? end : starts[end]
                shown += text.part(copied, starts.isEmpty ? start : starts[start])
                shown += replacement(plain.part(start, next).string)
            }
            end = max(end, next)
        }
        guard end > 0 else { return text }
        return shown + text.part(starts.isEmpty ? end : starts[end], text.count)
    }

    /// The end of the secret that begins at an index; `nil` if there is none.
    /// - Parameter hidden: What is before this index is hidden already.
    private func endOfValue(
        _ key: UInt64, in text: [UInt8], at start: Int, after hidden: Int
    ) -> Int? {
        guard !heads.isEmpty else { return nil }
        var (next, count, end) = (heads[Self.place(of: key)], 0, start)
        while next >= 0 {
            let pattern = patterns[next]
            next = pattern.next
            guard pattern.key == key else { continue }
            count += 1
            let compared = min(pattern.bytes.count, Self.longest)
            // Comparing all of a value within another one would take too long.
            let last = start + (start < hidden ? compared : pattern.bytes.count)
            var index = start + Self.shortest
            while index < last, index < text.count,
                Self.folded(text[index]) == Self.folded(pattern.bytes[index - start])
            { index += 1 }
            if index >= start + compared { end = max(end, index) }
        }
        guard count <= Self.most else {
            return text.first(of: " \t\r\n\"'\\<>&,;", from: start + Self.shortest)
        }
        return end > start ? end : nil
    }
}

extension [UInt8] {
    /// The end of a JWT or JWE (RFC 7519, section 3), or of a private key in PEM (RFC 7468, section
    /// 10), that begins here; `nil` if there is none.
    fileprivate func endOfSecretForm(at start: Int) -> Int? {
        guard start >= 0, self[start] == 0x65 || self[start] == 0x2D else { return nil }
        if has("eyJ", at: start) {
            guard start == 0 || !self[start - 1].isTokenByte else { return nil }
            var (end, dots) = (start, 0)
            while end < count, self[end].isTokenByte {
                if self[end] == .dot { dots += 1 }
                end += 1
            }
            return dots >= 2 && end - start > 12 ? end : nil
        }
        let head = part(start, start + 60)
        guard has("-----BEGIN", at: start), head.index(of: Array("PRIVATE".utf8)) < head.count
        else { return nil }
        return first(of: "\n\"\\<&", from: index(of: Array("-----END".utf8), from: start))
    }
}

extension UInt8 {
    /// Whether a JWT may have this byte.
    fileprivate var isTokenByte: Bool { isWordByte && self < 128 || isIn("-_.") }
}
