/// The path of an endpoint, prepared once: text is escaped, and the way to read values is chosen.
package struct PathPlan: Sendable {
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
    /// The pieces as they are declared.
    package let template: [PathPiece]
    /// The approximate number of bytes of a path.
    let capacity: Int
    /// Whether the path needs all values, because the method would otherwise change or remove
    /// another resource.
    private let needsValues: Bool

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
        literals = bytes.array
        capacity = bytes.count + (hasValues ? 32 * pieces.count : 0)
    }

    package var sources: [ValueSource] { values.sources }

    @inline(__always)
    func append(_ request: BorrowedValues, to url: inout Bytes) throws(FieldError) {
        guard !isLiteral else { return url.append(0..<literals.count, of: literals) }
        var writer = PathWriter(start: url.count)
        for index in pieces.indices {
            try append(index, request, to: &url, &writer)
        }
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
                    writer.append(commaSeparated: texts, includesSlash: includesSlash, to: &url)
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
            case .one(let text)?:
                if case .segments = pieces[index] { return text?.isEmpty ?? true }
                return text == nil
            case .several(let texts)?: return texts.isEmpty
            case .keyed?, nil: return false
            }
        }
    }
}

extension ValueSource {
    /// The name of a path value: its property, or else its number among the values, such as `#1`.
    package func name(at index: Int) -> String { propertyName ?? "#\(index + 1)" }
}

extension PathPiece {
    package var source: ValueSource? {
        switch self {
        case .literal: nil
        case .value(let source, _), .segments(let source): source
        }
    }
}
