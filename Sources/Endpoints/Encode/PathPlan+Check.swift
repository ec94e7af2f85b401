extension PathPlan {
    /// Throws the first error that every request would have, whatever its values.
    func check() throws(FieldError) {
        try checkIsNoURL()
        for piece in template { try piece.check() }
        try checkSegments()
        for index in sources.indices { try checkValue(index) }
    }

    @inline(never)
    package func checkIsNoURL() throws(FieldError) {
        guard case .literal(let text)? = template.first,
            text.prefix(while: { $0 != "/" }).hasSuffix(":"), text.contains("://")
        else { return }
        throw FieldError(.path, "is a whole URL; put its scheme and host into the environment")
    }

    /// Throws if a segment that is made of literals and constants is empty, `.` or `..`.
    package func checkSegments() throws(FieldError) {
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
        throw FieldError(.path, #"has a segment that is empty, "." or ".."; remove it"#)
    }

    @inline(never)
    package func checkValue(_ index: Int) throws(FieldError) {
        try sources[index].check(as: .pathValue(sources[index].name(at: index)))
    }
}

extension PathPiece {
    @inline(never)
    package func check() throws(FieldError) {
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
