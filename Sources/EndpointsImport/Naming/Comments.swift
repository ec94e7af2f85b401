/// Words that say nothing beside a name and a type.
private let plain = Set(
    """
    a an s the this that these those of for to in on at by with from as and or its it is are was be been \
    will which whose who has have used unique identifier id uuid uid name type value object resource \
    entity record item list array collection field property parameter string number integer boolean \
    flag date time timestamp datetime whether indicates specifies determines represents contains \
    describes denotes defines if when given specific specified associated corresponding related \
    belongs return returned get retrieve request response body detail info information data new
    """.split(separator: " ").map { String($0).stem })

extension String {
    /// The comment that a description becomes; `nil` if it says no more than the names:
    /// `The unique identifier of the user.` of the `id` of a `User`.
    func comment(besides name: String, in owner: String = "") -> String? {
        guard let sentence = firstSentence else { return nil }
        let known = (name.words + owner.words).map(\.stem)
        let saysMore = sentence.words.contains { word in
            let stem = word.stem
            return !plain.contains(stem) && !known.contains(stem)
        }
        return saysMore ? sentence : nil
    }

    /// The word in lower case, and without the `s` of a plural.
    fileprivate var stem: String {
        let word = lowercased()
        return word.count > 3 && word.hasSuffix("s") && !word.hasSuffix("ss")
            ? String(word.dropLast()) : word
    }

    /// The text up to the first full stop or line break, for a comment; at most 300 characters.
    var firstSentence: String? {
        let text = firstLines.withoutLinks.split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        var sentence = String(text[..<text.endOfSentence]).trimmed
        if sentence.count > 300 {
            let start = sentence.prefix(300)
            sentence = start[..<(start.lastIndex(of: " ") ?? start.endIndex)] + "…"
        }
        while sentence.hasSuffix(".") || sentence.hasPrefix("#") {
            if sentence.hasSuffix(".") { sentence.removeLast() } else { sentence.removeFirst() }
        }
        return sentence.trimmed.isEmpty ? nil : sentence.trimmed
    }

    /// The first line, and those after it that go on in the middle of a sentence.
    private var firstLines: String {
        var rest = trimmed[...]
        func nextLine() -> String? {
            guard let end = rest.firstIndex(where: \.isNewline) else {
                defer { rest = "" }
                return rest.isEmpty ? nil : String(rest).trimmed
            }
            defer { rest = rest[rest.index(after: end)...] }
            return String(rest[..<end]).trimmed
        }
        guard var last = nextLine() else { return "" }
        var all = [last]
        while let line = nextLine() {
            guard let first = line.first else { break }
            let goesOn =
                first.isLowercase || "`([".contains(first)
                || (first.isLetter || first.isNumber) && last.isOpen(before: line)
            guard goesOn else { break }
            all.append(line)
            last = line
        }
        return all.joined(separator: " ")
    }

    /// Whether a line ends in the middle of a sentence: it ends in a word that asks for another
    /// one, or is so long that the next line's first word didn't fit.
    private func isOpen(before next: String) -> Bool {
        guard let end = last, !".:!?".contains(end) else { return false }
        let word = split(separator: " ").last.map { $0.lowercased() } ?? ""
        let isItem =
            next.first?.isNumber == true && next.dropFirst().first.map { ".)".contains($0) } == true
        let width = count + 1 + (next.split(separator: " ").first?.count ?? 0)
        return !isItem && (end == "," || Self.open.contains(word) || width > 72)
    }

    /// Words that no sentence ends with.
    private static let open: Set<String> = [
        "a", "an", "the", "of", "to", "for", "in", "on", "and", "or", "with", "by", "from", "is",
        "are", "at", "as", "that", "be", "this", "these", "its", "their", "your", "via", "when",
        "if", "not", "than", "per", "which", "where", "using",
    ]

    /// Where the first full stop is that isn't one of an abbreviation, nor in parentheses.
    private var endOfSentence: Index {
        var rest = self[...]
        while let stop = rest.range(of: ". ") {
            let before = self[..<stop.lowerBound]
            let word = before.split { $0.isWhitespace || "(*_".contains($0) }.last ?? ""
            let isShort =
                word.split(separator: ".").allSatisfy { $0.count == 1 }
                || ["etc", "ex", "vs", "cf", "approx", "incl"].contains(word.lowercased())
            let isInside =
                before.count { $0 == "(" } > before.count { $0 == ")" }
                && self[stop.upperBound...].contains(")")
            if !isShort && !isInside { return stop.lowerBound }
            rest = rest[stop.upperBound...]
        }
        return endIndex
    }

    /// The text with the texts of its links in their place: `[users](https://…)` is `users`.
    private var withoutLinks: String {
        guard has("](") else { return self }
        var (text, rest) = ("", self[...])
        while let middle = rest.range(of: "]("),
            let open = rest[..<middle.lowerBound].lastIndex(of: "["),
            let close = rest[middle.upperBound...].endOfBrackets
        {
            text += rest[..<open] + rest[rest.index(after: open)..<middle.lowerBound]
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }
}

extension Substring {
    /// Where the bracket ends that was opened before the text.
    fileprivate var endOfBrackets: Index? {
        var depth = 1
        return indices.first { index in
            if self[index] == "(" { depth += 1 }
            if self[index] == ")" { depth -= 1 }
            return depth == 0
        }
    }
}
