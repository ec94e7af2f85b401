extension PathTemplate {
    var problems: [Problem] {
        if case .literal(let text) = pieces.first, text.prefix(while: { $0 != "/" }).hasSuffix(":"),
            text.contains("://")
        {
            let reason = "is a whole URL; put its scheme and host into the environment"
            return [.error(FieldError(.path, reason))]
        }
        return literalProblems + valueProblems + slashProblems
    }

    private var valueProblems: [Problem] {
        pieces.compactMap(\.source).enumerated().compactMap { index, source in
            source.problem(in: .pathValue(source.name(at: index)))
        }
    }

    /// The problems that every request would have, whatever its values: those of the literals, and
    /// of segments made of literals and constants.
    private var literalProblems: [Problem] {
        var problems: [Problem] = []
        var writer = PathWriter(start: 0)
        var url = Bytes()
        for piece in pieces {
            guard case .literal(let text) = piece else {
                let text = piece.source.map(\.exampleText) ?? nil
                writer.append(value: text, includesSlash: piece.includesSlash, to: &url)
                continue
            }
            if text.utf8.contains(where: [UInt8(ascii: "?"), UInt8(ascii: "#")].contains) {
                let reason = "has a `?` or a `#`; remove it, and declare query items as parameters"
                problems.append(.error(FieldError(.path, reason)))
            }
            if let brace = text.firstIndex(of: "{"), text[brace...].contains("}") {
                let reason =
                    "has a name in braces, which no value replaces; write `\\(path: \\.name)`"
                problems.append(.warning(FieldError(.path, reason)))
            }
            var bytes = Bytes()
            bytes.append(literal: text.utf8, .pathLiteral)
            writer.append(0..<bytes.count, of: bytes.array, to: &url)
        }
        if writer.forbiddenSegment(in: url) != nil {
            let reason = #"has a segment that is empty, "." or ".."; remove it"#
            problems.append(.error(FieldError(.path, reason)))
        }
        return problems
    }

    /// `events\(path: \.id)` is short for `events/\(path: \.id)`. After a punctuation mark, as in
    /// `file-\(path: \.name)`, a slash is probably not meant.
    private var slashProblems: [Problem] {
        pieces.indices.dropFirst().compactMap { index in
            guard case .literal(let text) = pieces[index - 1],
                case .value(let source, includesSlash: true) = pieces[index], let last = text.last,
                last != "/", last.isPunctuation || last.isSymbol
            else { return nil }
            let reason = """
                comes after \(text.quoted), and a slash is sent between them; write the slash if \
                you want it, or add `includesSlash: false` if you don't
                """
            let number = pieces[..<index].compactMap(\.source).count
            return .warning(FieldError(.pathValue(source.name(at: number)), reason))
        }
    }
}

extension ValueSource {
    /// The text with which the path is checked: a constant's own text, or `x` if no text is known.
    fileprivate var exampleText: String? {
        guard case .success(let texts)? = constant else { return "x" }
        return texts.text
    }
}
