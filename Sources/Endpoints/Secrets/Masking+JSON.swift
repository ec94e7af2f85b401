import Foundation

extension Masking {
    /// JSON values without their secrets; `nil` if the text isn't JSON. It may be cut off. Names
    /// without quotes and texts in single quotes are read too.
    mutating func json(_ text: [UInt8], hidesAll: Bool = false) -> [UInt8]? {
        var masked: [UInt8] = []
        var index = 0
        var isSecret = hidesAll
        while index < text.count {
            let start = index
            let isContainer = isSecret && !hidesAll && text[start].isIn("{[")
            if !isContainer, text[start].isBlank || text[start].isIn("{}[]:,\u{1E}") {
                if text[start] == .comma { isSecret = hidesAll }
                masked.append(text[start])
                index += 1
                continue
            }
            index = text.endOfJSONToken(from: start)
            guard index > start else { return nil }
            let token = text.part(start, index)
            if !isContainer, text.has(":", at: text.endOfBlanks(from: index)) {
                isSecret = hidesAll || hides(token.jsonText)
                masked += token
            } else {
                guard let value = value(token, isSecret) else { return nil }
                masked += value
                isSecret = hidesAll
            }
        }
        return masked
    }

    private mutating func value(_ token: [UInt8], _ isSecret: Bool) -> [UInt8]? {
        let (isContainer, isQuote) = (token[0].isIn("{["), token[0].isIn("\"'"))
        if isContainer, style == .typed { return json(token, hidesAll: true) }
        let isNumber = token[0].isDigit || token[0] == UInt8(ascii: "-")
        guard isQuote || isContainer || isNumber || token.isJSONWord else { return nil }
        guard isQuote || isSecret else { return token }
        let text = token.jsonText
        let isCutOff = isQuote && token.rangeOfQuote(endingQuoteAt: 0).isEmpty
        if !isSecret {
            let bytes = Array(text.utf8)
            let shown = leaf(bytes)
            guard shown != bytes,
                let json = try? JSONSerialization.data(
                    withJSONObject: shown.string,
                    options: [.fragmentsAllowed, .withoutEscapingSlashes])
            else { return token }
            return Array(json).part(0, json.count - (isCutOff ? 1 : 0))
        }
        find(text)
        if style == .short, !isQuote { return Self.mask }
        if style == .short, text.isEmpty { return token }
        if style == .typed, !isQuote { return isNumber ? [UInt8(ascii: "0")] : token }
        // The client may send this text as a token, which must be ASCII.
        let mask = style == .typed ? Array("masked".utf8) : Self.mask
        return [.quote] + mask + (isCutOff ? [] : [.quote])
    }
}

extension [UInt8] {
    /// Whether this is a value without quotes, other than a number.
    fileprivate var isJSONWord: Bool {
        let word = string
        // A text that is cut off may end within a word.
        return ["NaN", "…"].contains(word)
            || ["true", "false", "null"].contains { $0.hasPrefix(word) }
    }

    /// The end of the text in quotes that comes first, of the container in brackets, or of the
    /// word.
    fileprivate func endOfJSONToken(from start: Int) -> Int {
        if self[start].isIn("\"'") { return rangeOfQuote(endingQuoteAt: start).upperBound }
        if self[start].isIn("{[") { return endOfBrackets(from: start) }
        return endOfName(from: start, or: "+$…")
    }

    /// The text of a name, or of a text in quotes, without escapes.
    fileprivate var jsonText: String {
        guard self[0].isIn("\"'") else { return string }
        let content = part(1, rangeOfQuote(endingQuoteAt: 0).lowerBound)
        guard content.contains(.backslash) else { return content.string }
        // The last escape may be cut off.
        for length in 0..<Swift.min(6, content.count + 1) {
            let json = Data([.quote] + content.part(0, content.count - length) + [.quote])
            if let text = try? JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
                as? String
            {
                return text
            }
        }
        return content.string
    }
}
