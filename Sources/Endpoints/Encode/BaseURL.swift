/// What of an environment's base URL comes behind its path.
struct BaseURL {
    let hasTrailingSlash: Bool
    /// The query without its `?` and a trailing `&`, escaped.
    let query: [UInt8]

    /// Cuts a base URL behind its path, a trailing slash included, so that a request's goes on
    /// there.
    init(cutting url: inout Bytes) throws(FieldError) {
        guard let authority = Self.lowercaseScheme(of: &url) else {
            throw FieldError(.baseUrl, "is not absolute; begin it with `https://` and a host")
        }
        guard let path = Self.path(of: url, behind: authority) else {
            throw FieldError(.baseUrl, "has no host; write one behind `https://`")
        }
        let end = url.firstIndex(from: path) { $1 == .question || $1 == .hash }
        query = end == url.count ? [] : Self.query(of: url, from: end)
        url.remove(from: end)
        guard !Self.hasDotSegment(url, from: path) else {
            throw FieldError(.baseUrl, #"has a segment "." or ".." in its path; write it without"#)
        }
        hasTrailingSlash = end > path && url.last == .slash
        if hasTrailingSlash { url.remove(from: end - 1) }
    }

    /// Writes the scheme in lower case, which URLSession wants; where the authority begins, if the
    /// scheme is one of http's.
    private static func lowercaseScheme(of url: inout Bytes) -> Int? {
        for _ in 0..<2 {
            if url.hasPrefix("https://") { return 8 }
            if url.hasPrefix("http://") { return 7 }
            for index in 0..<min(5, url.count) where (0x41...0x5A).contains(url[index]) {
                url[index] |= 0x20
            }
        }
        return nil
    }

    /// Where the path begins; `nil` if the authority names no host beside user info and port.
    private static func path(of url: borrowing Bytes, behind authority: Int) -> Int? {
        var host = authority
        let path = url.firstIndex(from: authority) { index, byte in
            if byte == UInt8(ascii: "@") { host = index + 1 }
            return byte == .slash || byte == .question || byte == .hash
        }
        return host < path && url[host] != UInt8(ascii: ":") ? path : nil
    }

    private static func hasDotSegment(_ url: borrowing Bytes, from path: Int) -> Bool {
        var slash = path
        while slash < url.count {
            let end = url.firstIndex(from: slash + 1) { $1 == .slash }
            if url.isDotSegment(slash + 1..<end) { return true }
            slash = end
        }
        return false
    }

    /// A query without its `?`, a trailing `&` and the fragment behind it.
    private static func query(of url: borrowing Bytes, from question: Int) -> [UInt8] {
        let end = url.firstIndex(from: question) { $1 == .hash }
        var query = url.array[question..<end].dropFirst()
        while query.last == UInt8(ascii: "&") { query.removeLast() }
        return Array(query)
    }
}

extension UInt8 {
    fileprivate static let question = UInt8(ascii: "?")
    fileprivate static let hash = UInt8(ascii: "#")
}
