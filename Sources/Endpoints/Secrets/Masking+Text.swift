import Foundation

extension Masking {
    /// A text with `…` for each value that a secret's name and `=` or `:` are before.
    mutating func text(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var masked: [UInt8] = []
        var rest = text
        while let byte = rest.first {
            let before = text[..<rest.startIndex]
            guard byte.isNameByte else {
                masked.append(byte)
                rest.removeFirst()
                if byte == .slash, before.last == .slash, before.dropLast().isSchemeOrEmpty,
                    let userInfo = rest.userInfo
                {
                    find(String(decoding: userInfo, as: UTF8.self))
                    rest = rest[(userInfo.endIndex + 1)...]
                }
                continue
            }
            let word = rest.prefix(while: \.isNameByte)
            rest = rest[word.endIndex...]
            let name = String(decoding: word, as: UTF8.self)
            let value = SecretText(after: rest, beginsLine: before.endsLine)
            // `=` without a quote after it is a sign of a URL, as in `?code=c0d3`. In a URL, a
            // `code` is secret even if the URL is in a response.
            let isInURL = rest.first == .equals && rest.dropFirst().first?.isQuote != true
            guard value.hasSeparator || hasLooseName == false,
                (isInURL ? names : members).contains(name)
            else {
                masked += (name.contains("%") ? reencoded(name) : nil) ?? Array(word)
                continue
            }
            masked += word
            if !value.hasSeparator { hasLooseName = true }
            guard let value = value.range.map({ rest[$0] }) else { continue }
            masked += rest[..<value.startIndex] + Self.mask
            find(String(decoding: value, as: UTF8.self))
            rest = rest[value.endIndex...]
        }
        return masked
    }

    /// A form without its secrets, or the query of a URL.
    mutating func form(_ text: ArraySlice<UInt8>, separator: UInt8 = .ampersand) -> [UInt8] {
        let fields = text.split(separator: separator, omittingEmptySubsequences: false)
        return Array(
            fields.map { field -> [UInt8] in
                let name = field.prefix { $0 != .equals }
                let value = String(decoding: field[name.endIndex...].dropFirst(), as: UTF8.self)
                let decoded = value.replacingOccurrences(of: "+", with: " ")
                guard name.endIndex < field.endIndex else { return Array(field) }
                guard names.contains(String(decoding: name, as: UTF8.self)) else {
                    return reencoded(decoded).map { name + [.equals] + $0 } ?? Array(field)
                }
                find(value)
                find(decoded)
                return name + [.equals] + Self.mask
            }
            .joined(separator: [separator]))
    }

    /// A percent-encoded text without the secrets in it; `nil` if it has none.
    private mutating func reencoded(_ text: String) -> [UInt8]? {
        guard let decoded = text.removingPercentEncoding.map({ Array($0.utf8) }) else { return nil }
        let shown = leaf(decoded[...])
        guard shown != decoded else { return nil }
        let unreserved = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        return String(decoding: shown, as: UTF8.self)
            .addingPercentEncoding(withAllowedCharacters: unreserved).map { Array($0.utf8) }
    }

    /// A URL without user info and fragment, and with `…` for secret values; empty for `nil`.
    mutating func url(_ url: URL?) -> String {
        var address = String((url?.absoluteString ?? "").prefix { $0 != "#" })
        if let userInfo = address.userInfo {
            find(address[userInfo].drop { $0 != ":" }.dropFirst())
            address.removeSubrange(userInfo.lowerBound...userInfo.upperBound)
        }
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        // A segment may have parameters: `/a;jsessionid=1`.
        var masked = parts.prefix(1).flatMap { form(Array($0.utf8)[...], separator: .semicolon) }
        for query in parts.dropFirst() {
            masked += Array("?".utf8) + form(Array(query.utf8)[...])
        }
        return String(decoding: masked, as: UTF8.self)
    }
}

/// The value after a name in a text, such as `: 1`, `": "text"` or `=text`.
private struct SecretText {
    private var rest: ArraySlice<UInt8>
    private(set) var hasSeparator = false
    /// Where the value is; `nil` if there is none.
    private(set) var range: Range<Int>?

    init(after name: ArraySlice<UInt8>, beginsLine: Bool) {
        rest = name
        skip("\\\"' \t")
        guard let separator = rest.first, ":=".utf8.contains(separator) else { return }
        hasSeparator = true
        rest = rest.dropFirst()
        skip(" \t\r\n")
        // In JSON inside a JSON string, quotes are escaped: `{\"token\": \"t0k3n\"}`.
        let escapes = rest.prefix { $0 == .backslash }.count
        rest = rest.dropFirst(escapes)
        guard let first = rest.first else { return }
        switch first {
        case .quote, .apostrophe:
            rest = rest.dropFirst()
            end(at: rest.end(ofQuote: first, escapes: escapes)?.lowerBound)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            end(at: rest.prefixOfBrackets.endIndex)
        case _ where beginsLine && separator == .colon:
            // A header, whose value may have commas, quotes and further lines that are indented.
            end { byte, next in byte.isLineEnd && (next == .space || next == .tab) == false }
        default:
            let ends = separator == .equals ? "&\r\n\"'<>" : "&\r\n\"'<"
            // A comma ends the value only before a blank, as it may be a part of it.
            end { byte, next in
                ends.utf8.contains(byte)
                    || ",;}])".utf8.contains(byte)
                        && next.map { $0.isBlank || "\"',;}])<".utf8.contains($0) } != false
            }
        }
    }

    /// Ends the value at the first byte for which this is true, given the byte and the next one.
    private mutating func end(where isEnd: (UInt8, UInt8?) -> Bool) {
        end(at: rest.indices.first { isEnd(rest[$0], rest[($0 + 1)...].first) })
    }

    private mutating func skip(_ bytes: String) {
        rest = rest.drop { bytes.utf8.contains($0) }
    }

    /// Sets the value. It ends at the index or, for `nil`, where the text is cut off.
    private mutating func end(at index: Int?) {
        let range = rest.startIndex..<(index ?? rest.endIndex)
        if !range.isEmpty { self.range = range }
    }
}

extension UInt8 {
    static let colon = UInt8(ascii: ":")
    static let apostrophe = UInt8(ascii: "'")
    fileprivate static let ampersand = UInt8(ascii: "&")

    fileprivate var isQuote: Bool { self == .quote || self == .apostrophe }

    fileprivate var isLineEnd: Bool { self == .carriageReturn || self == .lineFeed }

    var isBlank: Bool { self == .space || (.tab ... .carriageReturn).contains(self) }

    var isNameByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_-.%[]".utf8.contains(self)
        }
    }
}

extension ArraySlice<UInt8> {
    /// The user info of a URL, whose authority begins here; `nil` if there is none.
    fileprivate var userInfo: ArraySlice? {
        let authority = prefix { !"/?#\"'<> \r\n".utf8.contains($0) }
        return authority.lastIndex(of: UInt8(ascii: "@")).map { self[..<$0] }
    }

    fileprivate var endsLine: Bool { last?.isLineEnd != false }

    /// Whether the text ends in `:`, or is empty.
    fileprivate var isSchemeOrEmpty: Bool { last == .colon || isEmpty }

    /// The range of the quote that ends a quoted text, with the backslashes that belong to the
    /// quote; `nil` if the text is cut off before it.
    ///
    /// - Parameter escapes: How many backslashes are before the quote that begins the text: 0, or 1
    ///   in JSON inside a JSON string, or 3 in JSON inside that one.
    func end(ofQuote quote: UInt8, escapes: Int = 0) -> Range<Int>? {
        var backslashes = 0
        for (index, byte) in zip(indices, self) {
            if byte == quote, escapes == 0 ? backslashes % 2 == 0 : backslashes <= escapes {
                return index - Swift.min(backslashes, escapes)..<index + 1
            }
            backslashes = byte == .backslash ? backslashes + 1 : 0
        }
        return nil
    }
}
