import Foundation

extension Masking {
    /// JSON values without their secrets; `nil` if the text isn't JSON. It may be cut off. Names
    /// without quotes and texts in single quotes are read too.
    mutating func json(_ text: ArraySlice<UInt8>, hidesAll: Bool = false) -> [UInt8]? {
        var masked: [UInt8] = []
        var rest = text
        var isSecret = hidesAll
        while let byte = rest.first {
            let isContainer = isSecret && !hidesAll && "{[".utf8.contains(byte)
            let isSign = !isContainer && ("{}[]:,\u{1E}".utf8.contains(byte) || byte.isBlank)
            let token = isSign ? rest.prefix(1) : rest.jsonToken
            guard !token.isEmpty else { return nil }
            rest = rest[token.endIndex...]
            if isSign {
                if byte == .comma { isSecret = hidesAll }
                masked += token
            } else if !isContainer, rest.first(where: { !$0.isBlank }) == .colon {
                isSecret = hidesAll || members.contains(token.jsonText)
                masked += token
            } else {
                guard let value = isSecret ? hidden(token) : shown(token) else { return nil }
                masked += value
                isSecret = hidesAll
            }
        }
        return masked
    }

    private mutating func shown(_ token: ArraySlice<UInt8>) -> [UInt8]? {
        guard token.isQuote else { return token.isJSONScalar ? Array(token) : nil }
        let text = Array(token.jsonText.utf8)
        let shown = leaf(text[...])
        guard shown != text,
            let json = try? JSONSerialization.data(
                withJSONObject: String(decoding: shown, as: UTF8.self),
                options: [.fragmentsAllowed, .withoutEscapingSlashes])
        else { return Array(token) }
        return Array(json.dropLast(token.isCutOff ? 1 : 0))
    }

    private mutating func hidden(_ token: ArraySlice<UInt8>) -> [UInt8]? {
        if "{[".utf8.contains(token.first ?? 0), style == .typed {
            return json(token, hidesAll: true)
        }
        guard token.isQuote || token.isJSONScalar || "{[".utf8.contains(token.first ?? 0)
        else { return nil }
        let text = token.jsonText
        find(text)
        switch (style, token.isQuote) {
        case (.short, true) where text.isEmpty: return Array(token)
        case (.short, false): return Self.mask
        // The client may send this text as a token, which must be ASCII.
        case (.typed, true): return Array((token.isCutOff ? "\"masked" : "\"masked\"").utf8)
        case (.typed, false): return token.isNumber ? [UInt8(ascii: "0")] : Array(token)
        case (_, true): return [.quote] + Self.mask + (token.isCutOff ? [] : [.quote])
        case (.text, false): return [.quote] + Self.mask + [.quote]
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isQuote: Bool { first == .quote || first == .apostrophe }

    /// Whether a text in quotes has no quote at its end.
    fileprivate var isCutOff: Bool { quoted.endIndex == endIndex }

    fileprivate var isNumber: Bool { first.map { $0.isDigit || $0 == UInt8(ascii: "-") } == true }

    fileprivate var isJSONScalar: Bool {
        isNumber
            || ["true", "false", "null", "NaN"].contains(String(decoding: self, as: UTF8.self))
            // A text that is cut off may end within a word.
            || ["true", "false", "null"].contains { $0.utf8.starts(with: self) }
            || elementsEqual(Masking.mask)
    }

    /// The text in quotes that comes first, the container in brackets, or the word.
    fileprivate var jsonToken: ArraySlice {
        if isQuote { return self[..<Swift.min(quoted.endIndex + 1, endIndex)] }
        if "{[".utf8.contains(first ?? 0) { return prefixOfBrackets }
        return prefix { $0.isNameByte || "+$…".utf8.contains($0) }
    }

    /// The text between the first quote and the quote that ends it.
    private var quoted: ArraySlice {
        dropFirst()[..<(dropFirst().end(ofQuote: first ?? 0)?.lowerBound ?? endIndex)]
    }

    /// The text of a name, or of a text in quotes, without escapes.
    fileprivate var jsonText: String {
        guard isQuote else { return String(decoding: self, as: UTF8.self) }
        var content = quoted
        guard content.contains(.backslash) else { return String(decoding: content, as: UTF8.self) }
        // The last escape may be cut off.
        for _ in 0..<6 {
            let json = Data([.quote] + content + [.quote])
            if let text = try? JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
                as? String
            {
                return text
            }
            content = content.dropLast()
        }
        return String(decoding: quoted, as: UTF8.self)
    }

    /// The text from the first bracket to the one that closes it, or to the end of a text that is
    /// cut off.
    var prefixOfBrackets: ArraySlice {
        var depth = 0
        var index = startIndex
        while index < endIndex {
            switch self[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case .quote:
                let escapes = self[..<index].reversed().prefix { $0 == .backslash }.count
                let text = self[(index + 1)...]
                guard let end = text.end(ofQuote: .quote, escapes: escapes) else { return self }
                index = end.upperBound - 1
            default: break
            }
            index += 1
            if depth == 0 { return self[..<index] }
        }
        return self
    }
}
