/// An XML element in a text that may be cut off.
struct ElementText {
    /// The name with its prefix, such as `wsse:Password`.
    let name: ArraySlice<UInt8>
    private let rest: ArraySlice<UInt8>

    /// - Parameter text: The text after the `<` of an element.
    init(after text: ArraySlice<UInt8>) {
        name = text.prefix { $0.isElementNameByte }
        rest = text[name.endIndex...]
    }

    var localName: String {
        String(decoding: name.split(separator: .colon).last ?? name, as: UTF8.self)
    }

    /// The range of the content, or of the attributes if there is no content; `nil` if the element
    /// has neither. The range has no blanks at its ends. If the content is a CDATA section, the
    /// range is that of the text between `<![CDATA[` and `]]>`.
    ///
    ///     <wsse:Password Type="text">s3cret</wsse:Password>   ->  s3cret
    ///     <token value="t0k3n"/>                              ->  value="t0k3n"
    var value: Range<Int>? {
        let tagEnd = rest.endOfTag
        var value = rest[..<tagEnd]
        if value.last == .slash {
            value = value.dropLast()
        } else if tagEnd < rest.endIndex {
            let content = self.content(from: tagEnd + 1).trimmingBlanks.withoutCDATAMarks
                .trimmingBlanks
            if !content.isEmpty { value = content }
        }
        value = value.trimmingBlanks
        return value.isEmpty ? nil : value.startIndex..<value.endIndex
    }

    /// The text up to the element's end tag, or to the end of a text that is cut off.
    private func content(from start: Int) -> ArraySlice<UInt8> {
        var depth = 1
        var index = start
        while let next = rest[index...].firstIndex(of: .less) {
            index = next
            let text = rest[index...]
            if let end = text.end(of: .cdata) ?? text.end(of: .comment) {
                index = end
                continue
            }
            if isTag(text, beginningWith: "</") { depth -= 1 }
            if depth == 0 { return rest[start..<index] }
            if isTag(text, beginningWith: "<"), text[..<text.endOfTag].last != .slash { depth += 1 }
            index += 1
        }
        return rest[start...]
    }

    /// Whether a text begins with a tag of this element's name.
    private func isTag(_ text: ArraySlice<UInt8>, beginningWith mark: String) -> Bool {
        let tag = Array(mark.utf8) + name
        guard text.starts(with: tag) else { return false }
        return text.dropFirst(tag.count).first?.isElementNameByte != true
    }
}

/// A kind of section of an XML text, by its first and its last characters. Inside such a section,
/// a `<` begins no tag.
private struct Section {
    let begin: [UInt8]
    let end: [UInt8]

    static let cdata = Section(begin: Array("<![CDATA[".utf8), end: Array("]]>".utf8))
    static let comment = Section(begin: Array("<!--".utf8), end: Array("-->".utf8))
}

extension UInt8 {
    fileprivate static let colon = UInt8(ascii: ":")

    fileprivate var isElementNameByte: Bool { isNameByte || self == .colon }
    fileprivate var isBlank: Bool { self == .space || (.tab ... .carriageReturn).contains(self) }
}

extension ArraySlice<UInt8> {
    /// The index of the first `>` outside quotes, or the end of a text that is cut off before it.
    fileprivate var endOfTag: Int {
        var quote: UInt8?
        let end = firstIndex { byte in
            if byte == quote {
                quote = nil
            } else if quote == nil, byte == .quote || byte == UInt8(ascii: "'") {
                quote = byte
            }
            return quote == nil && byte == .greater
        }
        return end ?? endIndex
    }

    /// The index after a section, or the end of a text that is cut off in it; `nil` if the text
    /// doesn't begin with such a section.
    fileprivate func end(of section: Section) -> Int? {
        guard starts(with: section.begin) else { return nil }
        var rest = dropFirst(section.begin.count)
        while !rest.isEmpty, !rest.starts(with: section.end) { rest = rest.dropFirst() }
        return rest.isEmpty ? endIndex : rest.startIndex + section.end.count
    }

    /// The content of a CDATA section, if the text is one such section; otherwise the text.
    fileprivate var withoutCDATAMarks: ArraySlice {
        guard end(of: .cdata) == endIndex else { return self }
        let content = dropFirst(Section.cdata.begin.count)
        let isWhole = content.suffix(3).elementsEqual(Section.cdata.end)
        return isWhole ? content.dropLast(3) : content
    }

    fileprivate var trimmingBlanks: ArraySlice {
        let text = drop(while: \.isBlank)
        return text[..<(text.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? text.startIndex)]
    }
}
