import Foundation

extension Masking {
    /// A text with `…` for each value that a secret's name and `=` or `:` are before.
    mutating func text(_ text: [UInt8]) -> [UInt8] {
        var masked: [UInt8] = []
        var index = 0
        while index < text.count {
            let start = index
            index = text.endOfName(from: start)
            guard index > start else {
                masked.append(text[start])
                index += 1
                // Whoever masks no names, masks nothing in a body.
                if !names.isEmpty,
                    let userInfo = text.userInfo(after: index, before: "/?#\"'<> \r\n")
                {
                    find(text.part(userInfo).string)
                    index = userInfo.upperBound + 1
                }
                continue
            }
            let word = text.part(start, index)
            let name = word.string
            let value = text.secret(
                after: index, beginsLine: start == 0 || text[start - 1].isIn("\r\n"))
            // `=` without a quote after it is a sign of a URL, as in `?code=c0d3`. In a URL, a
            // `code` is secret even if the URL is in a response.
            let isInURL =
                text.has("=", at: index) && !text.has("\"", at: index + 1)
                && !text.has("'", at: index + 1)
            guard value != nil || hasLooseName == false,
                names.contains(name, inResponse: isOfResponse && !isInURL)
            else {
                masked += (name.contains("%") ? reencoded(name) : nil) ?? word
                continue
            }
            masked += word
            guard let value else {
                hasLooseName = true
                continue
            }
            guard !value.isEmpty else { continue }
            masked += text.part(index, value.lowerBound) + Self.mask
            find(text.part(value).string)
            index = value.upperBound
        }
        return masked
    }

    /// A form without its secrets, or the query of a URL.
    mutating func form(_ text: [UInt8], separatedBy separator: String = "&") -> [UInt8] {
        each(of: text, separatedBy: separator) { masking, field in
            let end = field.index(of: "=", from: 0)
            guard end < field.count else { return field }
            let name = field.part(0, end + 1)
            let value = field.part(end + 1).string
            let decoded = value.replacingOccurrences(of: "+", with: " ")
            guard masking.names.contains(field.part(0, end).string, inResponse: false) else {
                return masking.reencoded(decoded).map { name + $0 } ?? field
            }
            masking.find(value)
            masking.find(decoded)
            return name + Self.mask
        }
    }

    /// A percent-encoded text without the secrets in it; `nil` if it has none.
    private mutating func reencoded(_ text: String) -> [UInt8]? {
        guard let decoded = text.removingPercentEncoding.map({ Array($0.utf8) }) else { return nil }
        let shown = leaf(decoded)
        guard shown != decoded else { return nil }
        let unreserved = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        return shown.string.addingPercentEncoding(withAllowedCharacters: unreserved)
            .map { Array($0.utf8) }
    }

    /// A URL without user info and fragment, and with `…` for secret values; empty for `nil`.
    mutating func url(_ url: URL?) -> String {
        var address = Array((url?.absoluteString ?? "").utf8)
        address = address.part(0, address.index(of: "#", from: 0))
        if let userInfo = address.userInfo {
            let password = address.part(userInfo)
            find(password.part(min(password.index(of: ":", from: 0) + 1, password.count)).string)
            address.removeSubrange(userInfo.lowerBound...userInfo.upperBound)
        }
        let end = address.index(of: "?", from: 0)
        // A segment may have parameters: `/a;jsessionid=1`.
        var masked = form(address.part(0, end), separatedBy: ";")
        if end < address.count { masked += [address[end]] + form(address.part(end + 1)) }
        return masked.string
    }
}

extension [UInt8] {
    /// The range of the user info in a URL's text, without the `@`; `nil` if there is none.
    package var userInfo: Range<Int>? {
        userInfo(after: index(before: "/?#", from: 0) + 2, before: "/?#")
    }

    /// The range of the user info of a URL whose `//` is before an index, and whose authority ends
    /// before one of these bytes; `nil` if there is none.
    fileprivate func userInfo(after start: Int, before ends: StaticString) -> Range<Int>? {
        guard start > 1, has("//", at: start - 2), start == 2 || self[start - 3] == .colon
        else { return nil }
        let authority = part(start, index(before: ends, from: start))
        return authority.lastIndex(of: UInt8(ascii: "@")).map { start..<start + $0 }
    }

    /// The range of the value after a name in a text, such as `: 1`, `": "text"` or `=text`; empty
    /// if there is no value, and `nil` if there is no `:` or `=`.
    fileprivate func secret(after name: Int, beginsLine: Bool) -> Range<Int>? {
        var separator = index(after: "\\\"' \t", from: name)
        // After a name in quotes, as in JSON, the `:` may be on the next line.
        if self[name..<separator].contains(where: { $0.isIn("\"'") }) {
            separator = index(after: " \t\r\n", from: separator)
        }
        guard separator < count, self[separator].isIn(":=") else { return nil }
        let backslash = index(after: " \t\r\n", from: separator + 1)
        // In JSON inside a JSON string, quotes are escaped: `{\"token\": \"t0k3n\"}`.
        let start = index(after: "\\", from: backslash)
        guard start < count else { return start..<start }
        if self[start].isIn("\"'") {
            let end = rangeOfQuote(endingQuoteAt: start, escapes: start - backslash)
            return start + 1..<end.lowerBound
        }
        if self[start].isIn("{[") { return start..<endOfBrackets(from: start) }
        // A header may have commas, quotes and further lines that are indented.
        let isHeader = beginsLine && self[separator] == .colon
        let ends: StaticString =
            isHeader ? "\r\n" : self[separator] == .equals ? "&\r\n\"'<>" : "&\r\n\"'<"
        var end = start
        while end < count {
            let next = end + 1 < count ? self[end + 1] : 0
            if self[end].isIn(ends), !isHeader || !next.isIn(" \t") { break }
            // A comma ends the value only before a blank, as it may be a part of it.
            if !isHeader, self[end].isIn(",;}])"),
                end + 1 == count || next.isBlank || next.isIn("\"',;}])<")
            {
                break
            }
            end += 1
        }
        return start..<end
    }

    /// The range of the quote that ends a quoted text, with the backslashes that belong to the
    /// quote; the empty range at the end if the text is cut off before it.
    ///
    /// - Parameters:
    ///   - start: Where the quote is that begins the text.
    ///   - escapes: How many backslashes are before that quote: 0, or 1 in JSON inside a JSON
    ///     string, or 3 in JSON inside that one.
    func rangeOfQuote(endingQuoteAt start: Int, escapes: Int = 0) -> Range<Int> {
        var (index, backslashes) = (start + 1, 0)
        while index < count {
            if self[index] == self[start],
                escapes == 0 ? backslashes % 2 == 0 : backslashes <= escapes
            {
                return index - Swift.min(backslashes, escapes)..<index + 1
            }
            backslashes = self[index] == .backslash ? backslashes + 1 : 0
            index += 1
        }
        return count..<count
    }

    /// The end of the text from a bracket to the one that closes it, or of a text that is cut off.
    func endOfBrackets(from start: Int) -> Int {
        var (index, depth, backslashes) = (start, 0, 0)
        while index < count {
            let byte = self[index]
            if byte == .quote {
                index = rangeOfQuote(endingQuoteAt: index, escapes: backslashes).upperBound
                backslashes = 0
                continue
            }
            if byte.isIn("{[") { depth += 1 }
            if byte.isIn("}]") { depth -= 1 }
            backslashes = byte == .backslash ? backslashes + 1 : 0
            index += 1
            if depth == 0 { return index }
        }
        return count
    }
}
