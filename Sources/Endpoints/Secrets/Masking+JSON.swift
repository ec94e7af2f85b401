import Foundation

extension Masking {
    /// JSON without its secrets; `nil` if the text isn't JSON.
    ///
    /// A member is secret by its name. So is the `value` of an object whose `name` is that of a
    /// secret, as in `{"name": "password", "value": "s3cret"}`.
    /// - Parameter isCutOff: Whether the text may end anywhere.
    mutating func json(_ text: [UInt8], isCutOff: Bool, _ level: Int = 0) -> [UInt8]? {
        guard let read = JSONTokens(text, isCutOff: isCutOff, names) else { return nil }
        var (masked, end, index): ([UInt8], Int, Int) = ([], 0, 0)
        // The container that is secret, whose texts and numbers are replaced.
        var (secretEnd, secretName) = (-1, "")
        masked.reserveCapacity(text.count)
        while index < read.tokens.count {
            let token = read.tokens[index]
            let value = text[token.range]
            masked += text[end..<token.start]
            end = token.end
            let secret =
                index <= secretEnd ? secretName : read.secretName(of: index, names).map(\.string)
            switch (token.kind, secret) {
            case (.close, _), (.word, _), (.number, nil): masked += value
            case (.name, _): masked += hidingKnown(in: Array(value)) ?? Array(value)
            case (.open, let secret?) where style != .typed:
                let last = token.last
                for inner in index...last where read.tokens[inner].kind == .text {
                    _ = hide(read.text(of: inner), of: secret)
                }
                masked += style == .text ? Array("\"…\"".utf8) : Array("…".utf8)
                (index, end) = (
                    last,
                    isCutOff && last == read.tokens.count - 1 ? text.count : read.tokens[last].end
                )
            case (.open, let secret):
                if let secret, index > secretEnd { (secretEnd, secretName) = (token.last, secret) }
                masked += value
            case (.number, let secret?):
                let number = hide(Array(value), of: secret, .number)
                masked += style == .text ? [.quote] + number + [.quote] : number
            case (.text, let secret):
                let content = read.text(of: index)
                let shown =
                    content.isEmpty
                    ? content
                    : secret.map { hide(content, of: $0, .text) } ?? leaf(content, level)
                masked += shown == content ? Array(value) : shown.quotedForJSON(like: value)
            }
            index += 1
        }
        return masked + text[end...]
    }
}

/// The names and values of a JSON text (RFC 8259), and where they are. It doesn't recurse, so that
/// no text is too deep for the stack.
private struct JSONTokens {
    enum Kind: UInt8 {
        case open, close, name, text, number, word
    }

    struct Token {
        let kind: Kind
        let start: Int
        var end: Int
        /// The container that this is in, and the name of this value; -1 if there is none.
        var parent: Int
        var name: Int
        /// The last token of a container.
        var last = 0
        /// Whether an object has the name of a secret for its value.
        var isPair = false

        var range: Range<Int> { start..<end }
    }

    private enum Expected {
        case value, valueOrEnd, name, nameOrEnd, colon, commaOrEnd, nothing
    }

    let bytes: [UInt8]
    private(set) var tokens: [Token] = []

    init?(_ bytes: [UInt8], isCutOff: Bool, _ names: SecretNames) {
        self.bytes = bytes
        var (index, parent, name, expected) = (0, -1, -1, Expected.value)
        while index < bytes.count {
            let byte = bytes[index]
            if byte.isBlank {
                index += 1
                continue
            }
            switch (byte, expected) {
            case (.colon, .colon):
                expected = .value
                index += 1
            case (.comma, .commaOrEnd):
                expected = isObject(parent) ? .name : .value
                index += 1
            case (0x7D, .commaOrEnd), (0x7D, .nameOrEnd), (0x5D, .commaOrEnd), (0x5D, .valueOrEnd):
                guard parent >= 0, isObject(parent) == (byte == 0x7D) else { return nil }
                tokens.append(
                    Token(kind: .close, start: index, end: index + 1, parent: parent, name: -1))
                tokens[parent].last = tokens.count - 1
                parent = tokens[parent].parent
                expected = parent < 0 ? .nothing : .commaOrEnd
                index += 1
            case (.quote, .name), (.quote, .nameOrEnd):
                name = tokens.count
                let end = endOfText(from: index)
                tokens.append(Token(kind: .name, start: index, end: end, parent: parent, name: -1))
                (index, expected) = (end, .colon)
            case (_, .value), (_, .valueOrEnd):
                let (kind, end) = value(at: index)
                guard let kind else {
                    guard isCutOff, end == bytes.count else { return nil }
                    return
                }
                tokens.append(Token(kind: kind, start: index, end: end, parent: parent, name: name))
                (index, name) = (end, -1)
                if kind == .open {
                    parent = tokens.count - 1
                    expected = byte == 0x7B ? .nameOrEnd : .valueOrEnd
                } else {
                    if kind == .text { notePair(names) }
                    expected = parent < 0 ? .nothing : .commaOrEnd
                }
            default: return nil
            }
        }
        guard isCutOff || expected == .nothing else { return nil }
        while parent >= 0 {
            tokens[parent].last = tokens.count - 1
            parent = tokens[parent].parent
        }
    }

    private func isObject(_ token: Int) -> Bool { token >= 0 && bytes[tokens[token].start] == 0x7B }

    /// The kind of the value that begins here, and its end; no kind if it is none.
    private func value(at start: Int) -> (Kind?, Int) {
        let first = bytes[start]
        if first.isIn("{[") { return (.open, start + 1) }
        if first == .quote { return (.text, endOfText(from: start)) }
        let end = bytes[start...].firstIndex { !$0.isWordByte && !$0.isIn("+-.") } ?? bytes.count
        let word = bytes[start..<end].string
        if first.isDigit || first == 0x2D { return (.number, end) }
        return (["true", "false", "null"].contains(word) ? .word : nil, max(end, start + 1))
    }

    private func endOfText(from start: Int) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != .quote {
            index += bytes[index] == .backslash ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }

    /// Notes that the last text is the name of a secret.
    private mutating func notePair(_ names: SecretNames) {
        let token = tokens[tokens.count - 1]
        guard token.name >= 0, token.parent >= 0,
            ["name", "key", "field", "header", "param", "parameter", "id", "label", "k", "n"]
                .contains(text(of: token.name).string.lowercased())
        else { return }
        let name = text(of: tokens.count - 1)
        if names.contains(name, in: .json) || names.contains(name, in: .header) {
            tokens[token.parent].isPair = true
        }
    }

    /// The name that makes a value secret; `nil` if there is none.
    func secretName(of index: Int, _ names: SecretNames) -> [UInt8]? {
        let token = tokens[index]
        guard token.name >= 0, token.kind != .word else { return nil }
        let name = text(of: token.name)
        let isNumber =
            token.kind == .number
            || token.kind == .open && index + 1 < tokens.count && tokens[index + 1].kind == .number
        if names.contains(name, in: isNumber ? .number : .json) { return name }
        let isValue =
            token.parent >= 0 && tokens[token.parent].isPair
            && ["value", "values", "val", "content", "data", "text", "v"]
                .contains(name.string.lowercased())
        return isValue ? name : nil
    }

    /// A name or a text, without quotes and escapes.
    func text(of index: Int) -> [UInt8] {
        let token = tokens[index]
        var content = bytes[(token.start + 1)..<token.end]
        if content.last == .quote, token.isEnded(in: bytes) { content.removeLast() }
        guard content.contains(.backslash) else { return Array(content) }
        return content.unescapedFromJSON
    }
}

extension JSONTokens.Token {
    /// Whether a text isn't cut off.
    fileprivate func isEnded(in bytes: [UInt8]) -> Bool {
        guard end - start > 1, bytes[end - 1] == .quote else { return false }
        var backslashes = 0
        while bytes[end - 2 - backslashes] == .backslash { backslashes += 1 }
        return backslashes % 2 == 0
    }
}

extension ArraySlice<UInt8> {
    fileprivate var unescapedFromJSON: [UInt8] {
        var units: [UInt16] = []
        var text: [UInt8] = []
        func flush() {
            text += Array(String(decoding: units, as: UTF16.self).utf8)
            units = []
        }
        var index = startIndex
        while index < endIndex {
            guard self[index] == .backslash, index + 1 < endIndex else {
                if !units.isEmpty { flush() }
                text.append(self[index])
                index += 1
                continue
            }
            let escape = self[index + 1]
            if escape == 0x75 {
                let digits = self[(index + 2)..<Swift.min(index + 6, endIndex)]
                if let unit = UInt16(digits.string, radix: 16), digits.count == 4 {
                    units.append(unit)
                    index += 6
                    continue
                }
            }
            if !units.isEmpty { flush() }
            let plain: [UInt8: UInt8] = [0x6E: 10, 0x74: 9, 0x72: 13, 0x62: 8, 0x66: 12]
            text.append(plain[escape] ?? escape)
            index += 2
        }
        if !units.isEmpty { flush() }
        return text
    }
}

extension [UInt8] {
    /// The text in quotes, as JSON writes it; without the last quote if `other` has none.
    fileprivate func quotedForJSON(like other: ArraySlice<UInt8>) -> [UInt8] {
        let isEnded = other.count > 1 && other.last == .quote
        return [.quote] + string.escapedForJSON(false) + (isEnded ? [.quote] : [])
    }
}

extension String {
    /// The text as it is in a JSON string.
    /// - Parameter slash: Whether a `/` is escaped too.
    func escapedForJSON(_ slash: Bool) -> [UInt8] {
        var text: [UInt8] = []
        for byte in utf8 {
            if byte < 0x20 {
                let digits = String(byte, radix: 16)
                text += Array("\\u00\(digits.count < 2 ? "0" : "")\(digits)".utf8)
                continue
            }
            if byte.isIn("\"\\") || byte == .slash && slash { text.append(.backslash) }
            text.append(byte)
        }
        return text
    }
}

extension [UInt8] {
    /// The bytes with the escapes' letters in lower case: `%2F` becomes `%2f`.
    var withLowercaseEscapes: [UInt8] {
        var text = self
        for index in indices where self[index] == .percent && index + 2 < count {
            for digit in [index + 1, index + 2] where (0x41...0x46).contains(text[digit]) {
                text[digit] |= 0x20
            }
        }
        return text
    }
}
