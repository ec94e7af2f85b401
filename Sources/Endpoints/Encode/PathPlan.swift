/// The path of an endpoint, prepared once: text is escaped, and the way to read values is chosen.
struct PathPlan: Sendable {
    /// A piece of the path. It has no string or array, whose reference counting takes time.
    enum Piece: Sendable {
        /// The piece's text in ``literals``.
        case literal(Range<Int>)
        /// The index of a value in ``values``, and whether a slash is written before it.
        case value(Int, includesSlash: Bool)
        /// The index of a list of segments in ``values``.
        case segments(Int)
    }

    let pieces: [Piece]
    private let values: ValueReader
    /// The text of each literal, escaped.
    let literals: [UInt8]
    /// Whether the path is empty or only one literal, so that ``literals`` is the whole path.
    private let isLiteral: Bool
    let hasValues: Bool
    /// The values that are secret.
    let secrets: [ValueSource]
    /// The pieces as they are declared.
    let template: [PathPiece]
    /// The approximate number of bytes of a path.
    let capacity: Int
    /// Whether the path needs all values, because the method would otherwise change or remove
    /// another resource.
    private let needsValues: Bool
    /// Whether a value that the path needs may be a list, an element of which may be lost.
    private let needsElements: Bool

    init(_ template: [PathPiece], _ method: HTTPMethod) {
        needsValues = [.put, .patch, .delete].contains(method)
        var sources: [ValueSource] = []
        var pieces: [Piece] = []
        var bytes = Bytes()
        isLiteral = template.isEmpty || (template.count == 1 && template[0].source == nil)
        if isLiteral, case .literal(let text)? = template.first, text.utf8.first != .slash {
            bytes.append(.slash)
        }
        for piece in template {
            switch piece {
            case .literal(let text):
                let start = bytes.count
                bytes.append(literal: text, .pathLiteral)
                pieces.append(.literal(start..<bytes.count))
            case .value(let source, let includesSlash):
                pieces.append(.value(sources.count, includesSlash: includesSlash))
                sources.append(source)
            case .segments(let source):
                pieces.append(.segments(sources.count))
                sources.append(source)
            }
        }
        self.template = template
        self.pieces = pieces
        hasValues = !sources.isEmpty
        values = ValueReader(sources)
        needsElements = needsValues && sources.contains(where: \.mayLackElements)
        secrets = sources.filter(\.isSecret)
        literals = bytes.array
        capacity = bytes.count + (hasValues ? 32 * pieces.count : 0)
    }

    var sources: [ValueSource] { values.sources }

    /// The path with the name of each value's property in braces, or its number if the property has
    /// no name; empty for an empty path.
    var text: String {
        guard !isLiteral else { return literals.string }
        var path = Bytes()
        var writer = PathWriter(start: 0)
        for piece in pieces {
            switch piece {
            case .literal(let range): writer.append(range, of: literals, to: &path)
            case .value(let value, let includesSlash):
                append(value, includesSlash: includesSlash, to: &path, &writer)
            case .segments(let value): append(value, includesSlash: true, to: &path, &writer)
            }
        }
        return path.array.string
    }

    private func append(
        _ value: Int, includesSlash: Bool, to path: inout Bytes, _ writer: inout PathWriter
    ) {
        if case .success(let texts)? = sources[value].constant, !sources[value].isSecret {
            writer.append(value: texts.text, includesSlash: includesSlash, to: &path)
        } else {
            let name = sources[value].propertyName ?? "\(value + 1)"
            writer.append(name: name, includesSlash: includesSlash, to: &path)
        }
    }

    @inline(__always)
    func append(_ request: BorrowedValues, to url: inout Bytes) throws(FieldError) {
        guard !isLiteral else { return url.append(0..<literals.count, of: literals) }
        var writer = PathWriter(start: url.count)
        for index in pieces.indices {
            try append(index, request, to: &url, &writer)
        }
        if needsElements { try checkHasElements(request) }
        guard writer.needsSegmentCheck else { return }
        if let segment = writer.forbiddenSegment(in: url) {
            throw error(about: segment, request, start: writer.start)
        }
        if needsValues { try checkHasValues(request) }
    }

    @inline(never)
    private func checkHasValues(_ request: BorrowedValues) throws(FieldError) {
        for (index, piece) in template.enumerated() {
            guard piece.source?.mayBeLeftOut == false, isLeftOut(index, in: request)
            else { continue }
            throw FieldError(
                field(of: index),
                """
                is nil or empty, and a PUT, PATCH or DELETE without it would change another \
                resource; give it a value, or declare it with `mayBeLeftOut: true`
                """)
        }
    }

    /// Throws if an element of a list has no text, as the path would then be another resource's.
    private func checkHasElements(_ request: BorrowedValues) throws(FieldError) {
        for (index, piece) in template.enumerated() {
            guard let source = piece.source, source.lacksElement(in: request) else { continue }
            throw FieldError(
                field(of: index),
                """
                has a nil element, and a PUT, PATCH or DELETE without it would change another \
                resource; remove the element, or declare the value with `mayBeLeftOut: true`
                """)
        }
    }

    private func append(
        _ index: Int, _ request: BorrowedValues, to url: inout Bytes, _ writer: inout PathWriter
    ) throws(FieldError) {
        do {
            switch pieces[index] {
            case .literal(let range):
                writer.append(range, of: literals, to: &url)
            case .value(let value, let includesSlash):
                switch try values.texts(value, in: request) {
                case .several(let texts) where !texts.isEmpty:
                    try writer.append(
                        list: texts, separator: values[value].separator,
                        includesSlash: includesSlash, to: &url)
                case .keyed:
                    throw UnrepresentableValue(
                        "the value has keys, which a path can't hold; write a text or a list")
                case let texts:
                    writer.append(value: texts.text, includesSlash: includesSlash, to: &url)
                }
            case .segments(let value):
                writer.append(segments: try values.texts(value, in: request), to: &url)
            }
        } catch {
            throw FieldError(field(of: index), unrepresentableBecauseOf: error)
        }
    }

    private func field(of index: Int) -> EndpointError.Field {
        switch pieces[index] {
        case .literal: .path
        case .value(let value, _), .segments(let value):
            .pathValue(values[value].name(at: value))
        }
    }

    /// Writes the path again to find the value that made a segment empty, `.` or `..`.
    private func error(
        about segment: Range<Int>, _ request: BorrowedValues, start: Int
    ) -> FieldError {
        var url = Bytes()
        for _ in 0..<start { url.append(.slash) }
        var writer = PathWriter(start: start)
        var (culprit, leftOut): (Int?, Int?)
        for index in pieces.indices {
            let count = url.count
            guard (try? append(index, request, to: &url, &writer)) != nil else { break }
            if case .literal = pieces[index] { continue }
            // Only a value of `\(path:)` can be an empty segment that is refused.
            if case .segments = pieces[index], segment.isEmpty { continue }
            guard count <= segment.upperBound else { break }
            if isLeftOut(index, in: request) {
                // Leaving this value out can make the literal after it a whole segment, such as
                // `..`. At the path's beginning, the slash before that literal isn't written yet:
                // hence the `- 1`.
                if url.count >= segment.lowerBound - 1 { leftOut = leftOut ?? index }
            } else if url.count >= segment.lowerBound {
                culprit = culprit ?? index
            }
        }
        let index = culprit ?? leftOut
        let rule = """
            makes a segment that is empty, "." or "..", so servers would read another path
            """
        return FieldError(
            index.map(field) ?? .path,
            index.map { isLeftOut($0, in: request) } == true
                ? "is nil or empty, and leaving it out \(rule); give it a value"
                : "\(rule); change the value")
    }

    private func isLeftOut(_ index: Int, in request: BorrowedValues) -> Bool {
        switch pieces[index] {
        case .literal: return false
        case .value(let value, _), .segments(let value):
            switch try? values.texts(value, in: request) {
            case let texts?:
                if case .segments = pieces[index] { return texts.pathSegments.isEmpty }
                return texts.isLeftOut
            case nil: return false
            }
        }
    }
}

extension ValueSource {
    /// The name of a path value: its property, or else its number among the values, such as `#1`.
    func name(at index: Int) -> String { propertyName ?? "#\(index + 1)" }
}

extension PathPiece {
    var source: ValueSource? {
        switch self {
        case .literal: nil
        case .value(let source, _), .segments(let source): source
        }
    }
}

/// Writes one path. A value with `includesSlash` gets a slash before it, unless there is one.
///
/// What a segment may be, in literals, values and base URLs alike:
///
/// - An empty segment is sent where it is written with a slash of its own: in a base URL, in
///   literal text, and in a text or list for `\(segments:)`. It is a segment like others (RFC 3986,
///   section 3.3), and URL parsers keep it.
/// - An empty value of `\(path:)` has no slash of its own. If it is all of its segment, it is lost,
///   and the path is another resource's. This is an error.
/// - `.` and `..` are an error everywhere, also as `%2e`. URL parsers and libcurl remove such a
///   segment, escaped or not (RFC 3986, section 5.2.4; WHATWG URL, "single-dot URL path segment").
struct PathWriter {
    /// Where the path begins in the URL.
    let start: Int
    /// Where the last empty value was appended: in `a/\(value: "")/b`, after `/a/`. The slash
    /// before an empty value isn't merged with the slash of `/b`, and isn't a trailing slash if the
    /// path ends there.
    private var emptyValue: Int?
    /// Where the first empty value is that is all of its segment, if another empty value follows.
    private var lostValue: Int?
    /// Where the last text for `\(segments:)` ends. A slash at its end isn't that of a value that
    /// is left out.
    private var textEnd: Int?
    /// Whether a value was left out, is empty, is a comma-separated list or begins with a dot, or a
    /// text for `\(segments:)` ends in a slash. Only this can lose a value, or make a segment `.`
    /// or `..`.
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
            let hasSlash = includesSlash && endsInSlash(url) && url.count != textEnd
            if hasSlash { url.remove(from: url.count - 1) }
            return
        }
        beginSegment(includesSlash, in: &url)
        let beginning = url.count
        url.appendFast(value, .path)
        if url.count == beginning { noteEmptyValue(in: url) }
        if url.count == beginning || url[beginning] == .dot { needsSegmentCheck = true }
    }

    /// Appends a name in braces where its value would be.
    mutating func append(name: String, includesSlash: Bool, to url: inout Bytes) {
        beginSegment(includesSlash, in: &url)
        url.append("{\(name)}")
    }

    /// Appends texts with a separator between them, which is written like literal text.
    ///
    /// - Throws: An ``UnrepresentableValue`` if a reader couldn't tell the separator from a text.
    mutating func append(
        list texts: [String], separator: String, includesSlash: Bool, to url: inout Bytes
    ) throws {
        let isComma = separator == ","
        // A `;` in a text is escaped, so that it can't be one of the separator's.
        let isTold = isComma || separator.utf8.contains(UInt8(ascii: ";"))
        guard isTold || !texts.contains(where: { $0.contains(separator) }) else {
            throw UnrepresentableValue(
                "a value has the separator \(separator.quoted), so a server couldn't tell them apart"
            )
        }
        needsSegmentCheck = true
        beginSegment(includesSlash, in: &url)
        let beginning = url.count
        for (index, text) in texts.enumerated() {
            if index > 0 {
                if isComma {
                    url.append(UInt8(ascii: ","))
                } else {
                    url.append(literal: separator, .pathLiteral)
                }
            }
            url.append(text, isComma ? .pathListElement : .path)
        }
        if url.count == beginning { noteEmptyValue(in: url) }
    }

    /// Appends a segment for each text. They are the same as one text with slashes between them:
    /// `[""]` is left out like `""`, and `["a", ""]` ends in a slash like `a/`.
    mutating func append(segments: ParameterTexts, to url: inout Bytes) {
        let texts = segments.pathSegments
        guard !texts.isEmpty else { return append(value: nil, includesSlash: true, to: &url) }
        for (index, text) in texts.enumerated() {
            if index == 0 { beginSegment(true, in: &url) } else { url.append(.slash) }
            let beginning = url.count
            url.append(text, .path)
            if url.count == beginning || url[beginning] == .dot { needsSegmentCheck = true }
        }
        textEnd = url.count
    }

    private func beginSegment(_ includesSlash: Bool, in url: inout Bytes) {
        if url.count == start || (includesSlash && !endsInSlash(url)) { url.append(.slash) }
    }

    private func endsInSlash(_ url: borrowing Bytes) -> Bool {
        url.count > start && url.last == .slash && url.count != emptyValue
    }

    private mutating func noteEmptyValue(in url: borrowing Bytes) {
        if let emptyValue, emptyValue < url.count, isLost(emptyValue, in: url) {
            lostValue = lostValue ?? emptyValue
        }
        emptyValue = url.count
    }

    /// Whether an empty value is all of its segment.
    private func isLost(_ value: Int, in url: borrowing Bytes) -> Bool {
        url[value - 1] == .slash && (value == url.count || url[value] == .slash)
    }

    /// The first segment that is `.`, `..` or only an empty value.
    func forbiddenSegment(in url: borrowing Bytes) -> Range<Int>? {
        let lost = lostValue ?? emptyValue.flatMap { isLost($0, in: url) ? $0 : nil }
        var segment = start + 1
        while segment <= lost ?? url.count {
            let end = url.firstIndex(from: segment) { $1 == .slash }
            if url.isDotSegment(segment..<end) { return segment..<end }
            segment = end + 1
        }
        return lost.map { $0..<$0 }
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

extension PathPlan {
    /// Finds the errors that every request would have, whatever its values.
    func check(_ errors: inout DeclarationErrors) {
        let count = errors.list.count
        errors.check { () throws(FieldError) in try checkIsNoURL() }
        guard errors.list.count == count else { return }
        for piece in template {
            errors.check { () throws(FieldError) in try piece.check() }
        }
        errors.check { () throws(FieldError) in try checkSegments() }
        for (index, source) in sources.enumerated() {
            let field = EndpointError.Field.pathValue(source.name(at: index))
            errors.check { () throws(FieldError) in try source.check(as: field) }
            errors.check { () throws(FieldError) in try source.checkSeparator(as: field) }
        }
    }

    private func checkIsNoURL() throws(FieldError) {
        guard case .literal(let text)? = template.first,
            text.prefix(while: { $0 != "/" }).hasSuffix(":"), text.contains("://")
        else { return }
        throw FieldError(.path, "is a whole URL; put its scheme and host into the environment")
    }

    /// Throws if a segment that is made of literals and constants is `.`, `..` or only an empty
    /// constant.
    private func checkSegments() throws(FieldError) {
        var writer = PathWriter(start: 0)
        var url = Bytes()
        for piece in pieces {
            let (value, includesSlash): (Int, Bool)
            switch piece {
            case .literal(let range):
                writer.append(range, of: literals, to: &url)
                continue
            case .value(let index, let hasSlash): (value, includesSlash) = (index, hasSlash)
            case .segments(let index): (value, includesSlash) = (index, true)
            }
            let text = sources[value].exampleText
            writer.append(value: text, includesSlash: includesSlash, to: &url)
        }
        guard writer.forbiddenSegment(in: url) != nil else { return }
        throw FieldError(.path, #"has a segment that is ".", ".." or an empty value; remove it"#)
    }
}

extension ValueSource {
    /// Throws if a server couldn't tell the separator of a list.
    fileprivate func checkSeparator(as field: EndpointError.Field) throws(FieldError) {
        guard separator.isEmpty || separator.utf8.contains(where: { "/?#".utf8.contains($0) })
        else { return }
        throw FieldError(
            field,
            separator.isEmpty
                ? "has an empty separator, so a server couldn't tell the elements; write one"
                : "has a separator with a `/`, a `?` or a `#`; use another, or `segments:`")
    }
}

extension PathPiece {
    fileprivate func check() throws(FieldError) {
        guard case .literal(let text) = self else { return }
        let hasMark = text.withBytes { utf8 in
            utf8.contains(UInt8(ascii: "?")) || utf8.contains(UInt8(ascii: "#"))
        }
        guard hasMark else { return }
        let reason = "has a `?` or a `#`; remove it, and declare query items as parameters"
        throw FieldError(.path, reason)
    }
}

extension ValueSource {
    /// The text with which the path is checked: a constant's own text, or `x` if no text is known.
    fileprivate var exampleText: String? {
        guard case .success(let texts)? = constant else { return "x" }
        return texts.text
    }
}

extension ParameterTexts {
    /// The segments that a value of `\(segments:)` makes; none if it is left out. A stored `String`
    /// is read as one text.
    fileprivate var pathSegments: [String] {
        switch self {
        case .one(let text): text?.pathSegments ?? []
        case .several(let texts): texts == [""] ? [] : texts
        case .keyed: []
        }
    }

    fileprivate var isLeftOut: Bool {
        switch self {
        case .one(let text): text == nil
        case .several(let texts): texts.isEmpty
        case .keyed: false
        }
    }
}
