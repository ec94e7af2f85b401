/// Writes one path. A value with `includesSlash` gets a slash before it, unless there is one.
struct PathWriter {
    /// Where the path begins in the URL.
    let start: Int
    /// Where the last empty value was appended: in `a/\(value: "")/b`, after `/a/`. The slash
    /// before an empty value begins an empty segment, so it isn't merged with the slash of `/b`,
    /// and isn't a trailing slash if the path ends there.
    private var emptyValue: Int?
    /// Whether a value was left out, is empty, is a comma-separated list or begins with a dot, or a
    /// text for `\(segments:)` ends in a slash. Only this can make a segment empty, `.` or `..`.
    private(set) var needsSegmentCheck = false

    init(start: Int) {
        self.start = start
    }

    mutating func append(_ literal: Range<Int>, of literals: [UInt8], to url: inout Bytes) {
        let beginsWithSlash = !literal.isEmpty && literals[literal.lowerBound] == .slash
        if beginsWithSlash && endsInSlash(url) { url.remove(from: url.count - 1) }
        if url.count == start && !beginsWithSlash { url.append(.slash) }
        url.append(literal, of: literals)
    }

    /// Appends a value. `nil` is left out, and the slash before it too if `includesSlash`.
    mutating func append(value: String?, includesSlash: Bool, to url: inout Bytes) {
        guard let value else {
            needsSegmentCheck = true
            if includesSlash && endsInSlash(url) { url.remove(from: url.count - 1) }
            return
        }
        if url.count == start || (includesSlash && !endsInSlash(url)) { url.append(.slash) }
        let beginning = url.count
        url.appendFast(value, .path)
        if url.count == beginning { emptyValue = beginning }
        if url.count == beginning || url[beginning] == .dot { needsSegmentCheck = true }
    }

    mutating func append(
        commaSeparated texts: [String], includesSlash: Bool, to url: inout Bytes
    ) {
        append(value: "", includesSlash: includesSlash, to: &url)
        let start = url.count
        for (index, text) in texts.enumerated() {
            if index > 0 { url.append(UInt8(ascii: ",")) }
            url.append(text, .pathListElement)
        }
        if url.count > start { emptyValue = nil }
    }

    /// Appends a list whose elements are a segment each, or a text that is split at its slashes.
    mutating func append(segments: ParameterTexts, to url: inout Bytes) {
        switch segments {
        case .one(let text?) where !text.isEmpty:
            append(text: text, to: &url)
        case .several(let texts) where !texts.isEmpty:
            for text in texts { append(value: text, includesSlash: true, to: &url) }
        default:
            append(value: nil, includesSlash: true, to: &url)
        }
    }

    /// Appends a segment for each part of a text between slashes. Keeps a slash at the text's end.
    private mutating func append(text: String, to url: inout Bytes) {
        var texts = text.pathSegments
        let hasTrailingSlash = texts.count > 1 && texts.last?.isEmpty == true
        if hasTrailingSlash { texts.removeLast() }
        append(segments: .several(texts), to: &url)
        guard hasTrailingSlash else { return }
        url.append(.slash)
        // The literal or value after the slash may be `.` or `..`.
        needsSegmentCheck = true
    }

    private func endsInSlash(_ url: borrowing Bytes) -> Bool {
        url.count > start && url.last == .slash && url.count != emptyValue
    }

    /// The first segment that is `.`, `..` or empty. A trailing slash makes no empty segment.
    ///
    /// URL parsers remove dot segments, also escaped ones (RFC 3986, section 5.2.4; WHATWG URL,
    /// "single-dot URL path segment"). Some servers remove empty segments. Both change the path.
    func forbiddenSegment(in url: borrowing Bytes) -> Range<Int>? {
        var segment = start + 1
        while segment <= url.count {
            let end = url.firstIndex(from: segment) { $1 == .slash }
            if segment == end {
                let isTrailingSlash = end == url.count && end != emptyValue
                if !isTrailingSlash { return segment..<end }
            } else if url.isDotSegment(segment..<end) {
                return segment..<end
            }
            segment = end + 1
        }
        return nil
    }
}

extension Bytes {
    /// Whether a segment is `.` or `..`, where `%2e` counts as a dot.
    @inline(__always)
    func isDotSegment(_ segment: Range<Int>) -> Bool {
        guard segment.count <= 6, !segment.isEmpty else { return false }
        return self[segment.lowerBound] == .dot || self[segment.lowerBound] == .percent
            ? hasOnlyDots(segment) : false
    }

    private func hasOnlyDots(_ segment: Range<Int>) -> Bool {
        var (index, dots) = (segment.lowerBound, 0)
        while index < segment.upperBound {
            if self[index] == .dot {
                index += 1
            } else if isEscapedDot(at: index) {
                index += 3
            } else {
                return false
            }
            dots += 1
        }
        return dots <= 2
    }

    private func isEscapedDot(at index: Int) -> Bool {
        index + 2 < count && self[index] == .percent && self[index + 1] == UInt8(ascii: "2")
            && self[index + 2] | 0x20 == UInt8(ascii: "e")
    }
}

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
