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
