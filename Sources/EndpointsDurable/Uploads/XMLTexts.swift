import EndpointsShared
import Foundation

/// The texts of XML's innermost elements, in order, as a server like S3 sends them: no attributes
/// and no comments are needed. It reads each byte once, and a text that isn't XML has no elements.
struct XMLTexts {
    /// An element's name without its prefix, and its text; a `nil` text where an element ends that
    /// has others in it.
    let elements: [(name: String, text: String?)]

    init(_ data: Data) {
        var elements: [(String, String?)] = []
        var open: String?
        var text: [UInt8] = []
        var rest = data[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            text += rest[..<start]
            guard let end = rest[start...].firstIndex(of: UInt8(ascii: ">")) else { break }
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.first == UInt8(ascii: "?") || tag.first == UInt8(ascii: "!") { continue }
            if tag.first == UInt8(ascii: "/") {
                let name = Self.name(tag.dropFirst())
                elements.append((name, open == name ? Self.unescaped(text) : nil))
                open = nil
            } else {
                open = tag.last == UInt8(ascii: "/") ? nil : Self.name(tag)
                if open == nil { elements.append((Self.name(tag.dropLast()), "")) }
                text = []
            }
        }
        self.elements = elements
    }

    /// The text of the first element of a name.
    subscript(name: String) -> String? {
        elements.first { $0.name == name && $0.text != nil }?.text
    }

    /// Whether there is an element of a name.
    func has(_ name: String) -> Bool { elements.contains { $0.name == name } }

    private static func name(_ tag: Data) -> String {
        let name = tag.prefix { $0 > .space }
        return String(
            decoding: name.split(separator: UInt8(ascii: ":")).last ?? name, as: UTF8.self)
    }

    private static func unescaped(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.contains("&") else { return text }
        return [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&apos;", "'"),
            ("&#39;", "'"), ("&amp;", "&"),
        ].reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}

/// Text as an element of XML has it.
extension String {
    var escapedForXML: String {
        replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
    }
}
