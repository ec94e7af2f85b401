/// The path of an endpoint, compiled: literals escaped, one reader per value.
struct PathPlan: Sendable {
    /// What of a piece costs no reference counting to look at.
    private enum Step: Sendable {
        /// Where its text is in ``literals``.
        case literal(Range<Int>)
        case value(StoredProperty<String?>, includesSlash: Bool)
        /// Anything else, which is in ``pieces``.
        case other
    }

    private let pieces: [PathPiece]
    private let steps: [Step]
    /// The text of each literal, escaped.
    private let literals: [UInt8]
    /// Whether the path is one literal, with its slash, or empty.
    private let isLiteral: Bool
    /// Whether a request's values have a part in the path.
    let hasValues: Bool
    /// What is wrong with the literal text.
    let problems: [Problem]
    /// About how many bytes a path has.
    let capacity: Int

    init<Root>(_ template: PathTemplate<Root>) {
        pieces = template.pieces
        hasValues = pieces.contains { if case .literal = $0 { false } else { true } }
        var bytes = Bytes()
        isLiteral = !hasValues && pieces.count <= 1
        if isLiteral, case .literal(let text)? = pieces.first, text.utf8.first != .slash {
            bytes.append(.slash)
        }
        steps = pieces.map { piece in
            switch piece {
            case .literal(let text):
                let start = bytes.count
                bytes.append(pathLiteral: text)
                return .literal(start..<bytes.count)
            case .value(let source, let includesSlash):
                return source.stored.map { .value($0, includesSlash: includesSlash) } ?? .other
            case .segments:
                return .other
            }
        }
        literals = bytes.array
        problems = template.problems
        capacity = bytes.count + (hasValues ? 32 * pieces.count : 0)
    }

    /// The names of the properties that are read.
    var propertyNames: [String] { pieces.compactMap(\.propertyName) }

    /// Appends the path of a request.
    func append(_ values: Values, to url: inout Bytes) throws(FieldError) {
        guard !isLiteral else { return url.append(0..<literals.count, of: literals) }
        var writer = PathWriter(start: url.count)
        for index in steps.indices {
            try append(index, values, to: &url, &writer)
        }
        if writer.isSuspicious, let segment = writer.forbiddenSegment(in: url) {
            throw error(about: segment, values, start: writer.start)
        }
    }

    private func append(
        _ index: Int, _ values: Values, to url: inout Bytes, _ writer: inout PathWriter
    ) throws(FieldError) {
        do {
            switch steps[index] {
            case .literal(let range):
                writer.append(range, of: literals, to: &url)
            case .value(let stored, let includesSlash):
                let text = try stored.read(values)
                writer.append(value: text, includesSlash: includesSlash, to: &url)
            case .other:
                try append(pieces[index], values, to: &url, &writer)
            }
        } catch {
            throw FieldError(field(of: index), unrepresentableBecauseOf: error)
        }
    }

    private func append(
        _ piece: PathPiece, _ values: Values, to url: inout Bytes, _ writer: inout PathWriter
    ) throws {
        switch piece {
        case .literal:
            break
        case .value(let source, let includesSlash):
            let text = try source.value(in: values)
            writer.append(value: text, includesSlash: includesSlash, to: &url)
        case .segments(let source):
            let texts = try source.value(in: values)
            if texts.isEmpty { writer.append(value: nil, includesSlash: true, to: &url) }
            for text in texts { writer.append(value: text, includesSlash: true, to: &url) }
        }
    }

    private func field(of index: Int) -> EndpointError.Field {
        .pathValue(pieces[index].propertyName ?? "#\(index + 1)")
    }

    /// Writes the path once more, to see which value has a part in the segment.
    private func error(
        about segment: Range<Int>, _ values: Values, start: Int
    ) -> FieldError {
        var url = Bytes()
        for _ in 0..<start { url.append(.slash) }
        var writer = PathWriter(start: start)
        var (culprit, leftOut): (Int?, Int?)
        for index in steps.indices {
            let count = url.count
            guard (try? append(index, values, to: &url, &writer)) != nil else { break }
            if case .literal = steps[index] { continue }
            guard count <= segment.upperBound else { break }
            if url.count >= segment.lowerBound { culprit = culprit ?? index }
            // A value that is left out can bring two literals together before the segment's slash.
            if url.count == segment.lowerBound - 1 { leftOut = index }
        }
        return FieldError(
            (culprit ?? leftOut).map(field) ?? .path,
            """
            makes a segment that is empty, "." or "..", which servers read as another path; \
            give it a character besides dots, or leave it out
            """)
    }
}

extension PathPiece {
    var propertyName: String? {
        switch self {
        case .literal: nil
        case .value(let source, _): source.propertyName
        case .segments(let source): source.propertyName
        }
    }

    var includesSlash: Bool {
        if case .value(_, let includesSlash) = self { includesSlash } else { true }
    }
}
