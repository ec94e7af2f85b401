/// What is cut off an environment's base URL before a request's path is appended to it.
struct BaseURL {
    let hasTrailingSlash: Bool
    /// The escaped query, without its `?` and without `&` at its end; `nil` if the URL has no `?`.
    let query: [UInt8]?

    /// Cuts the fragment, the query and the path's trailing slash off a base URL, and writes its
    /// scheme in lower case.
    init(cutting url: inout Bytes) throws(FieldError) {
        guard let authority = Self.lowercaseScheme(of: &url) else {
            throw FieldError(.baseUrl, "must begin with `https://` or `http://` and a host")
        }
        let fragment = url.firstIndex(of: UInt8(ascii: "#"), in: authority..<url.count)
        let end = url.firstIndex(of: UInt8(ascii: "?"), in: authority..<fragment)
        let path = url.firstIndex(of: .slash, in: authority..<end)
        guard Self.hasHost(url, authority..<path) else {
            throw FieldError(.baseUrl, "has no host; add one, as in `https://example.com`")
        }
        query = end == fragment ? nil : Self.query(of: url, end + 1..<fragment)
        url.remove(from: end)
        guard !Self.hasDotSegment(url, from: path) else {
            throw FieldError(.baseUrl, #"has a path segment "." or ".."; write the resolved path"#)
        }
        hasTrailingSlash = end > path && url.last == .slash
        if hasTrailingSlash { url.remove(from: end - 1) }
    }

    /// Writes the scheme in lower case, as `URLSession` needs it, and returns where the authority
    /// begins; `nil` if the URL doesn't begin with `https://` or `http://`.
    @inline(__always)
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

    /// Whether an authority has a host, and not only user info or a port (RFC 3986, section 3.2).
    @inline(__always)
    private static func hasHost(_ url: borrowing Bytes, _ authority: Range<Int>) -> Bool {
        var host = authority
        while true {
            let at = url.firstIndex(of: UInt8(ascii: "@"), in: host)
            guard at < host.upperBound else { break }
            host = at + 1..<host.upperBound
        }
        return !host.isEmpty && url[host.lowerBound] != UInt8(ascii: ":")
    }

    @inline(__always)
    private static func hasDotSegment(_ url: borrowing Bytes, from path: Int) -> Bool {
        var slash = path
        while slash < url.count {
            let end = url.firstIndex(of: .slash, in: slash + 1..<url.count)
            if url.isDotSegment(slash + 1..<end) { return true }
            slash = end
        }
        return false
    }

    private static func query(of url: borrowing Bytes, _ range: Range<Int>) -> [UInt8] {
        var query = url.array[range]
        while query.last == UInt8(ascii: "&") { query.removeLast() }
        return Array(query)
    }
}
