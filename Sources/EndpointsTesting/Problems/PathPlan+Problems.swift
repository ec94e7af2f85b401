import Endpoints

extension PathPlan {
    func addProblems(to problems: inout Problems) {
        do throws(FieldError) { try checkIsNoURL() } catch { return problems.list.append(error) }
        for piece in template {
            problems.check { () throws(FieldError) in try piece.check() }
            guard case .literal(let text) = piece, let brace = text.firstIndex(of: "{"),
                text[brace...].contains("}")
            else { continue }
            problems.add(
                .path, "has a name in braces, which no value replaces; write `\\(path: \\.name)`")
        }
        problems.check { () throws(FieldError) in try checkSegments() }
        for index in sources.indices {
            problems.check { () throws(FieldError) in try checkValue(index) }
        }
        addSlashWarnings(to: &problems)
    }

    /// `events\(path: \.id)` is short for `events/\(path: \.id)`. After a punctuation mark, as in
    /// `file-\(path: \.name)`, a slash is probably not meant.
    private func addSlashWarnings(to problems: inout Problems) {
        for index in template.indices.dropFirst() {
            guard case .literal(let text) = template[index - 1],
                case .value(let source, includesSlash: true) = template[index],
                let last = text.last, last != "/", last.isPunctuation || last.isSymbol
            else { continue }
            let number = template[..<index].compactMap(\.source).count
            problems.add(
                .pathValue(source.name(at: number)),
                """
                comes after \(text.quoted), and a slash is sent between them; write the slash if \
                you want it, or add `includesSlash: false` if you don't
                """)
        }
    }
}
