/// Joins the literals and values of one path so that every value begins a segment of its own.
struct PathWriter {
    /// The URL up to here.
    private(set) var url: [UInt8]
    /// Where the path begins in it.
    let start: Int
    /// Where a value without a character was written last; a slash before it begins an empty segment.
    private var emptyValue: Int?

    private var endsInEmptyValue: Bool { url.count == emptyValue }

    private var endsInSlash: Bool { url.count > start && url.last == .slash && !endsInEmptyValue }

    init(continuing url: consuming [UInt8]) {
        start = url.count
        self.url = url
    }

    mutating func append(literal: [UInt8]) {
        let beginsWithSlash = literal.first == .slash
        if endsInSlash && beginsWithSlash { url.removeLast() }
        if url.count == start && !beginsWithSlash { url.append(.slash) }
        url.append(contentsOf: literal)
    }

    mutating func append(value: String, includesSlash: Bool) {
        if url.count == start || (includesSlash && !endsInSlash) { url.append(.slash) }
        url.append(value, in: .path)
        if value.isEmpty { emptyValue = url.count }
    }

    /// A value that is left out takes its slash along.
    mutating func leaveOutValue(includesSlash: Bool) {
        if includesSlash && endsInSlash { url.removeLast() }
    }

    /// The first segment that is `.` or `..`, or empty and not merely a trailing slash.
    ///
    /// Parsers remove dot segments, escaped ones too (RFC 3986, section 5.2.4; WHATWG URL, "single-dot URL
    /// path segment"), so that the request would go elsewhere.
    func forbiddenSegment() -> Range<Int>? {
        var segment = start + 1
        while segment <= url.count {
            let end = url[segment...].firstIndex(of: .slash) ?? url.count
            let isTrailingSlash = segment == end && end == url.count && !endsInEmptyValue
            if !isTrailingSlash && (segment == end || url[segment..<end].isDotSegment) {
                return segment..<end
            }
            segment = end + 1
        }
        return nil
    }
}

extension UInt8 {
    static let slash = UInt8(ascii: "/")
    static let dot = UInt8(ascii: ".")
}

extension ArraySlice<UInt8> {
    /// Whether this is `.` or `..`, with `%2e` counted as a dot.
    var isDotSegment: Bool {
        var rest = self
        for _ in 0..<2 {
            if rest.first == .dot {
                rest = rest.dropFirst()
            } else if rest.starts(with: "%2e".utf8) || rest.starts(with: "%2E".utf8) {
                rest = rest.dropFirst(3)
            }
        }
        return rest.isEmpty && !isEmpty
    }
}
