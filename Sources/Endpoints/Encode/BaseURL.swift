import Foundation

/// The parts of an environment's base URL that a request's URL begins with.
struct BaseURL {
    /// Scheme, authority and path, the path without a trailing slash.
    private(set) var beginning: [UInt8]
    let hasTrailingSlash: Bool
    /// The query without its `?` and a trailing `&`, escaped.
    let query: Substring.UTF8View

    /// - Parameter capacity: How many bytes are going to be appended, more or less.
    init(_ url: URL, capacity: Int) throws(FieldError) {
        let text = url.absoluteString[...].utf8
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")),
            let scheme = Self.schemes.first(where: { text[..<colon].equalsIgnoringCase($0) }),
            text[colon...].starts(with: "://".utf8)
        else { throw FieldError(.baseUrl, "is not absolute; begin it with `https://` and a host") }

        let authority = text[text.index(colon, offsetBy: 3)...]
        let path = authority.firstIndex(where: Self.endsAuthority) ?? text.endIndex
        guard authority[..<path].hasHost else {
            throw FieldError(.baseUrl, "has no host; write one behind `https://`")
        }
        let fragment = text[path...].firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let question = text[path..<fragment].firstIndex(of: UInt8(ascii: "?")) ?? fragment

        let hasTrailingSlash = text[path..<question].last == .slash
        beginning = []
        beginning.reserveCapacity(text.count + capacity)
        beginning.append(contentsOf: scheme.utf8)
        beginning.append(contentsOf: text[colon..<question])
        if hasTrailingSlash { beginning.removeLast() }
        self.hasTrailingSlash = hasTrailingSlash
        query = Self.items(of: text[question..<fragment])
        for segment in text[path..<question].split(separator: .slash)
        where Array(segment)[...].isDotSegment {
            throw FieldError(.baseUrl, #"has a segment "." or ".." in its path; write it without"#)
        }
    }

    private static let schemes = ["https", "http"]

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == .slash || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// A query without its `?` and a trailing `&`.
    private static func items(of query: Substring.UTF8View) -> Substring.UTF8View {
        var items = query.dropFirst()
        while items.last == UInt8(ascii: "&") { items.removeLast() }
        return items
    }
}

extension Substring.UTF8View {
    fileprivate func equalsIgnoringCase(_ lowercased: String) -> Bool {
        elementsEqual(lowercased.utf8) { $0 | 0x20 == $1 }
    }

    /// Whether this authority names a host beside user info and port.
    fileprivate var hasHost: Bool {
        let host = self[(lastIndex(of: UInt8(ascii: "@")).map(index(after:)) ?? startIndex)...]
        return !host.isEmpty && host.first != UInt8(ascii: ":")
    }
}
