import Foundation

/// What of an environment's base URL comes behind its path.
struct BaseURL {
    let hasTrailingSlash: Bool
    /// The query without its `?` and a trailing `&`, escaped.
    let query: ArraySlice<UInt8>

    /// Begins a request's URL with the scheme, the authority and the path without a trailing slash.
    ///
    /// - Parameter capacity: How many bytes are going to be appended to that, more or less.
    init(_ url: URL, beginning text: inout [UInt8], capacity: Int) throws(FieldError) {
        let url = url.absoluteString
        text.reserveCapacity(url.utf8.count + capacity)
        text.append(contentsOf: url.utf8)

        guard let authority = Self.lowercaseScheme(of: &text) else {
            throw FieldError(.baseUrl, "is not absolute; begin it with `https://` and a host")
        }
        let path = text.firstIndex(from: authority) {
            $0 == .slash || $0 == .question || $0 == .hash
        }
        guard Self.hasHost(text[authority..<path]) else {
            throw FieldError(.baseUrl, "has no host; write one behind `https://`")
        }
        let question = text.firstIndex(from: path) { $0 == .question || $0 == .hash }
        query = question == text.count ? [] : Self.items(of: text[question...])
        text.removeLast(text.count - question)
        guard !Self.hasDotSegment(text, path) else {
            throw FieldError(.baseUrl, #"has a segment "." or ".." in its path; write it without"#)
        }
        hasTrailingSlash = question > path && text.last == .slash
        if hasTrailingSlash { text.removeLast() }
    }

    /// Writes the scheme in lower case, which URLSession wants; where the authority begins, if the scheme is
    /// one of http's.
    private static func lowercaseScheme(of url: inout [UInt8]) -> Int? {
        for scheme: StaticString in ["https://", "http://"] {
            let count = scheme.utf8CodeUnitCount
            guard url.count >= count else { continue }
            for index in 0..<5 where (0x41...0x5A).contains(url[index]) { url[index] |= 0x20 }
            if (0..<count).allSatisfy({ url[$0] == scheme.utf8Start[$0] }) { return count }
        }
        return nil
    }

    /// Whether an authority names a host beside user info and port.
    private static func hasHost(_ authority: ArraySlice<UInt8>) -> Bool {
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        let host = authority[(at.map { $0 + 1 } ?? authority.startIndex)...]
        return !host.isEmpty && host.first != UInt8(ascii: ":")
    }

    private static func hasDotSegment(_ url: [UInt8], _ path: Int) -> Bool {
        var slash = path
        while slash < url.count {
            let end = url.firstIndex(from: slash + 1) { $0 == .slash }
            if url.isDotSegment(slash + 1..<end) { return true }
            slash = end
        }
        return false
    }

    /// A query without its `?`, a trailing `&` and the fragment behind it.
    private static func items(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var items = text.prefix { $0 != .hash }.dropFirst()
        while items.last == UInt8(ascii: "&") { items.removeLast() }
        return items
    }
}

extension UInt8 {
    fileprivate static let question = UInt8(ascii: "?")
    fileprivate static let hash = UInt8(ascii: "#")
}
