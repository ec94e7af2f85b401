/// The path of an endpoint, compiled: literals escaped, one reader per value.
struct PathPlan: Sendable {
    private enum Piece: Sendable {
        case literal([UInt8])
        case value(Source<String?>, includesSlash: Bool)
        case segments(Source<[String]>)

        var propertyName: String? {
            switch self {
            case .literal: nil
            case .value(let source, _): source.propertyName
            case .segments(let source): source.propertyName
            }
        }

        var capacity: Int {
            if case .literal(let bytes) = self { bytes.count } else { 24 }
        }
    }

    private let pieces: [Piece]
    /// Whether a request's values have a part in the path.
    let hasValues: Bool
    /// What is wrong with the literal text.
    let problems: [Problem]
    /// About how many bytes a path has.
    let capacity: Int

    init<Root>(_ template: PathTemplate<Root>) {
        pieces = template.pieces.map { piece in
            switch piece {
            case .literal(let text):
                var bytes: [UInt8] = []
                bytes.append(pathLiteral: text)
                return .literal(bytes)
            case .value(let source, let includesSlash):
                return .value(source, includesSlash: includesSlash)
            case .segments(let source):
                return .segments(source)
            }
        }
        hasValues = pieces.contains { if case .literal = $0 { false } else { true } }
        problems = template.problems
        capacity = pieces.reduce(0) { $0 + $1.capacity }
    }

    /// The names of the properties that are read.
    var propertyNames: [String] { pieces.compactMap(\.propertyName) }

    /// Appends the path of a request.
    func append(_ values: Values, to writer: inout PathWriter) throws(FieldError) {
        for index in pieces.indices {
            try write(index, values, to: &writer)
        }
        if let segment = writer.forbiddenSegment() {
            throw error(about: segment, values, start: writer.start)
        }
    }

    /// Appends a path without values, which is checked already.
    func append(to writer: inout PathWriter) {
        for case .literal(let bytes) in pieces { writer.append(literal: bytes) }
    }

    private func write(
        _ index: Int, _ values: Values, to writer: inout PathWriter
    ) throws(FieldError) {
        switch pieces[index] {
        case .literal(let bytes):
            writer.append(literal: bytes)
        case .value(let source, let includesSlash):
            if let text = try read(source, values, index) {
                writer.append(value: text, includesSlash: includesSlash)
            } else {
                writer.leaveOutValue(includesSlash: includesSlash)
            }
        case .segments(let source):
            let texts = try read(source, values, index)
            if texts.isEmpty { writer.leaveOutValue(includesSlash: true) }
            for text in texts { writer.append(value: text, includesSlash: true) }
        }
    }

    private func read<Output: TextOutput>(
        _ source: Source<Output>, _ values: Values, _ index: Int
    ) throws(FieldError) -> Output {
        do { return try source.value(in: values) } catch {
            throw FieldError(field(of: index), unrepresentableBecauseOf: error)
        }
    }

    private func field(of index: Int) -> EndpointError.Field {
        .pathValue(pieces[index].propertyName ?? "#\(index + 1)")
    }

    /// Writes the path once more, to see which value has a part in the segment.
    private func error(
        about segment: Range<Int>, _ values: Values, start: Int
    ) -> FieldError {
        var writer = PathWriter(continuing: [UInt8](repeating: .slash, count: start))
        var (culprit, leftOut): (Int?, Int?)
        for index in pieces.indices {
            let count = writer.url.count
            guard (try? write(index, values, to: &writer)) != nil else { break }
            if case .literal = pieces[index] { continue }
            guard count <= segment.upperBound else { break }
            if writer.url.count >= segment.lowerBound { culprit = culprit ?? index }
            // A value that is left out can bring two literals together before the segment's slash.
            if writer.url.count == segment.lowerBound - 1 { leftOut = index }
        }
        return FieldError(
            (culprit ?? leftOut).map(field) ?? .path,
            """
            makes a segment that is empty, "." or "..", which servers read as another path; \
            give it a character that is not a dot, or leave it out with nil
            """)
    }
}

extension PathTemplate {
    /// What is wrong with the literal text, whatever the values.
    fileprivate var problems: [Problem] {
        var problems: [Problem] = []
        var writer = PathWriter(continuing: [])
        for piece in pieces {
            guard case .literal(let text) = piece else {
                writer.append(value: "x", includesSlash: piece.includesSlash)
                continue
            }
            if text.utf8.contains(where: [UInt8(ascii: "?"), UInt8(ascii: "#")].contains) {
                let problem = "has a `?` or a `#`; declare query items as parameters"
                problems.append(.refusal(FieldError(.path, problem)))
            }
            var bytes: [UInt8] = []
            bytes.append(pathLiteral: text)
            writer.append(literal: bytes)
        }
        if writer.forbiddenSegment() != nil {
            let problem = #"has a segment that is empty, "." or ".."; remove it"#
            problems.append(.refusal(FieldError(.path, problem)))
        }
        return problems
    }
}

extension PathTemplate.Piece {
    fileprivate var includesSlash: Bool {
        if case .value(_, let includesSlash) = self { includesSlash } else { true }
    }
}
