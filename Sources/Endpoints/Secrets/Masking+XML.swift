import Foundation

extension Masking {
    /// XML without its secrets. It may be cut off.
    ///
    ///     <wsse:Password Type="text">s3cret</wsse:Password>   ->  …Type="text">…</wsse:Password>
    ///     <token value="t0k3n"/>                              ->  <token …/>
    mutating func xml(_ text: [UInt8]) -> [UInt8] {
        var masked: [UInt8] = []
        var index = 0
        while index < text.count {
            let start = index
            index = text.endOfXMLToken(from: start)
            let token = text.part(start, index)
            let name = token.elementName(after: 1)
            if let content = text.section(at: start) {
                masked += text.part(start, content.lowerBound) + leaf(text.part(content))
                masked += text.part(content.upperBound, index)
            } else if token[0] != .less {
                masked += characters(token)
            } else if !hides(name.localName) {
                masked += self.text(token)
            } else {
                let end = token.isEmptyElement ? index : text.endOfContent(from: index, of: name)
                var value = text.trimmed(index, end)
                // Of a CDATA section that is the whole content, the marks are kept.
                if text.has("<![CDATA[", at: value.lowerBound),
                    let inner = text.section(at: value.lowerBound),
                    inner.upperBound + 3 >= value.upperBound
                {
                    value = text.trimmed(inner.lowerBound, min(inner.upperBound, value.upperBound))
                }
                if value.isEmpty {
                    // The attributes are the value.
                    let marks = (token.last == .greater ? 1 : 0) + (token.isEmptyElement ? 1 : 0)
                    value = text.trimmed(start + 1 + name.count, index - marks)
                    masked += text.part(start, value.lowerBound)
                } else {
                    masked += self.text(token) + text.part(index, value.lowerBound)
                }
                if !value.isEmpty {
                    find(text.part(value).string)
                    masked += Self.mask
                }
                index = value.upperBound
            }
        }
        return masked
    }

    /// Text with entities such as `&quot;`, without its secrets.
    private mutating func characters(_ text: [UInt8]) -> [UInt8] {
        guard text.index(of: "&", from: 0) < text.count else { return leaf(text) }
        var decoded = text.string
        for (entity, sign) in Self.entities {
            decoded = decoded.replacingOccurrences(of: entity, with: sign)
        }
        let bytes = Array(decoded.utf8)
        let shown = leaf(bytes)
        guard shown != bytes else { return text }
        var encoded = shown.string
        for (entity, sign) in Self.entities.suffix(5).reversed() {
            encoded = encoded.replacingOccurrences(of: sign, with: entity)
        }
        return Array(encoded.utf8)
    }

    private static let entities = [
        ("&#34;", "\""), ("&#x22;", "\""), ("&quot;", "\""), ("&apos;", "'"), ("&lt;", "<"),
        ("&gt;", ">"), ("&amp;", "&"),
    ]
}

extension [UInt8] {
    /// The range of the text of a CDATA section or a comment, in which a `<` begins no tag; `nil`
    /// if neither begins there. Three bytes end it, unless it is cut off.
    fileprivate func section(at start: Int) -> Range<Int>? {
        for (begin, end) in [("<![CDATA[", "]]>"), ("<!--", "-->")] where has(begin, at: start) {
            let start = start + begin.utf8.count
            return start..<index(of: end, from: start)
        }
        return nil
    }

    /// The end of the section, the tag or the text between tags that comes first.
    fileprivate func endOfXMLToken(from start: Int) -> Int {
        if let section = section(at: start) { return Swift.min(section.upperBound + 3, count) }
        guard self[start] == .less else { return index(of: "<", from: start) }
        var (index, quote): (Int, UInt8?) = (start, nil)
        while index < count {
            let byte = self[index]
            index += 1
            if byte == quote {
                quote = nil
            } else if quote == nil, byte.isIn("\"'") {
                quote = byte
            }
            if quote == nil, byte == .greater { break }
        }
        return index
    }

    /// The name of a tag with its prefix, such as `wsse:Password`; empty for an end tag.
    fileprivate func elementName(after start: Int) -> [UInt8] {
        part(Swift.min(start, count), endOfName(from: start, or: ":"))
    }

    fileprivate var localName: String {
        string.split(at: .colon, outsideQuotes: false).last { !$0.isEmpty } ?? string
    }

    /// Whether a tag ends in `/` and another character.
    fileprivate var isEmptyElement: Bool { count > 1 && self[count - 2] == .slash }

    /// The start of the end tag of an element, or the end of a text that is cut off.
    fileprivate func endOfContent(from start: Int, of name: [UInt8]) -> Int {
        var (index, depth) = (start, 1)
        while index < count {
            let end = endOfXMLToken(from: index)
            let token = part(index, end)
            if token.has("</", at: 0) {
                if token.elementName(after: 2) == name { depth -= 1 }
            } else if token[0] == .less, token.elementName(after: 1) == name {
                if !token.isEmptyElement { depth += 1 }
            }
            if depth == 0 { return index }
            index = end
        }
        return count
    }

    /// A range without the blanks at its ends.
    fileprivate func trimmed(_ start: Int, _ end: Int) -> Range<Int> {
        let start = Swift.min(endOfBlanks(from: start), end)
        var end = end
        while end > start, self[end - 1].isBlank { end -= 1 }
        return start..<end
    }
}
