import Foundation

extension Masking {
    /// XML without its secrets. It may be cut off.
    ///
    ///     <wsse:Password Type="text">s3cret</wsse:Password>   ->  …Type="text">…</wsse:Password>
    ///     <token value="t0k3n"/>                              ->  <token …/>
    mutating func xml(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var masked: [UInt8] = []
        var rest = text
        while !rest.isEmpty {
            let token = rest.xmlToken
            rest = rest[token.endIndex...]
            let name = token.elementName
            let localName = name.split(separator: .colon).last ?? name
            if let (begin, content, end) = token.section {
                masked += begin + leaf(content) + end
            } else if token.first != .less {
                masked += characters(token)
            } else if !members.contains(String(decoding: localName, as: UTF8.self)) {
                masked += self.text(token)
            } else {
                let isEmpty = token.dropLast().last == .slash
                let content = isEmpty ? rest.prefix(0) : rest.content(of: name)
                var value = content.trimmingBlanks
                // Of a CDATA section that is the whole content, the marks are kept.
                if let (begin, inner, _) = value.section, begin.count == 9,
                    inner.endIndex >= value.endIndex - 3
                {
                    value = inner.trimmingBlanks
                }
                if value.isEmpty {
                    // The attributes are the value.
                    let end = (token.last == .greater ? 1 : 0) + (isEmpty ? 1 : 0)
                    value = token.dropLast(end)[name.endIndex...].trimmingBlanks
                    masked += token[..<value.startIndex]
                } else {
                    masked += self.text(token) + rest[..<value.startIndex]
                }
                if !value.isEmpty {
                    find(String(decoding: value, as: UTF8.self))
                    masked += Self.mask
                }
                rest = text[value.endIndex...]
            }
        }
        return masked
    }

    /// Text with entities such as `&quot;`, without its secrets.
    private mutating func characters(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.contains(UInt8(ascii: "&")) else { return leaf(text) }
        let decoded = Self.entities.reduce(String(decoding: text, as: UTF8.self)) {
            $0.replacingOccurrences(of: $1.0, with: $1.1)
        }
        let shown = leaf(Array(decoded.utf8)[...])
        guard !shown.elementsEqual(decoded.utf8) else { return Array(text) }
        return Array(
            Self.entities.suffix(5).reversed().reduce(String(decoding: shown, as: UTF8.self)) {
                $0.replacingOccurrences(of: $1.1, with: $1.0)
            }.utf8)
    }

    private static let entities = [
        ("&#34;", "\""), ("&#x22;", "\""), ("&quot;", "\""), ("&apos;", "'"), ("&lt;", "<"),
        ("&gt;", ">"), ("&amp;", "&"),
    ]
}

extension ArraySlice<UInt8> {
    /// The text of a CDATA section or a comment, in which a `<` begins no tag, with the marks at
    /// its ends; `nil` for any other text. One that is cut off has no mark at its end.
    fileprivate var section: (begin: ArraySlice, content: ArraySlice, end: ArraySlice)? {
        for (begin, end) in [("<![CDATA[", "]]>"), ("<!--", "-->")] where starts(with: begin.utf8) {
            let start = startIndex + begin.utf8.count
            let stop = self[start...].indices.first { self[$0...].starts(with: end.utf8) }
            let content = self[start..<(stop ?? endIndex)]
            return (self[..<start], content, self[content.endIndex...].prefix(stop == nil ? 0 : 3))
        }
        return nil
    }

    /// The section, the tag or the text between tags that comes first.
    fileprivate var xmlToken: ArraySlice {
        if let end = section?.end.endIndex { return self[..<end] }
        guard first == .less else { return prefix { $0 != .less } }
        var quote: UInt8?
        let end = firstIndex { byte in
            if byte == quote {
                quote = nil
            } else if quote == nil, byte == .quote || byte == .apostrophe {
                quote = byte
            }
            return quote == nil && byte == .greater
        }
        return end.map { self[...$0] } ?? self
    }

    /// The name of a tag with its prefix, such as `wsse:Password`; empty for an end tag.
    fileprivate var elementName: ArraySlice {
        dropFirst().prefix { $0.isNameByte || $0 == .colon }
    }

    /// The text up to the end tag of an element, or to the end of a text that is cut off.
    fileprivate func content(of name: ArraySlice) -> ArraySlice {
        var depth = 1
        var rest = self
        while !rest.isEmpty {
            let token = rest.xmlToken
            if token.first == .less, token.dropFirst().first == .slash {
                depth -= token.dropFirst().elementName.elementsEqual(name) ? 1 : 0
            } else if token.first == .less, token.elementName.elementsEqual(name) {
                depth += token.dropLast().last == .slash ? 0 : 1
            }
            if depth == 0 { return self[..<token.startIndex] }
            rest = rest[token.endIndex...]
        }
        return self
    }

    fileprivate var trimmingBlanks: ArraySlice {
        let text = drop(while: \.isBlank)
        return text[..<(text.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? text.startIndex)]
    }
}
