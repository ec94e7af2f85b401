/// Text as `swift format` leaves it: lines of at most 100 columns, four spaces a level.
enum Lines {
    static let width = 100

    /// A text of the document as a comment of `///` lines.
    static func comment(_ text: String, _ indent: Int) -> [Written] {
        comment(of: Written.comment(text), indent)
    }

    /// A comment of `///` lines.
    static func comment(of text: Written, _ indent: Int) -> [Written] {
        let limit = width - indent - 4
        var (lines, line) = ([Written](), Written(stringLiteral: ""))
        for word in text.text.split(whereSeparator: \.isWhitespace) {
            if !line.isEmpty && line.count + word.count + 1 > limit {
                lines.append(line)
                line = ""
            }
            let word = Written.part(word, of: text)
            line += line.isEmpty ? word : " \(word)"
        }
        return (line.isEmpty ? lines : lines + [line]).map { "/// \($0)" }
    }

    /// Elements in brackets: on one line if they fit, else as many on each line as fit.
    static func list(
        _ head: Written, _ elements: [Written], _ tail: Written, _ indent: Int
    ) -> [Written] {
        let line: Written = "\(head)[\(elements.joined(separator: ", "))]\(tail)"
        if line.count + indent <= width { return [line] }
        let last: Written = elements.count > 1 ? "," : ""
        return ["\(head)["] + filled(elements, indent + 4, last: last).map { "    \($0)" }
            + ["]\(tail)"]
    }

    /// A call: on one line if it fits, else with its arguments on lines of their own.
    static func call(_ head: Written, _ arguments: [Written], _ indent: Int) -> [Written] {
        let line: Written = "\(head)\(arguments.joined(separator: ", ")))"
        if line.count + indent <= width { return [line] }
        return [head] + filled(arguments, indent + 4, last: ")").indented
    }

    /// Elements with commas, as many on a line as fit.
    static func filled(_ elements: [Written], _ indent: Int, last: Written = "") -> [Written] {
        var lines: [Written] = []
        var line: Written = ""
        for (index, element) in elements.enumerated() {
            let element = element + (index == elements.count - 1 ? last : ",")
            if !line.isEmpty && line.count + element.count + 1 + indent > width {
                lines.append(line)
                line = ""
            }
            if element.count + indent > width {
                if !line.isEmpty { lines.append(line) }
                lines += broken(element, indent)
                line = ""
                continue
            }
            line += line.isEmpty ? element : " \(element)"
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// A call that doesn't fit: its arguments on lines of their own.
    private static func broken(_ call: Written, _ indent: Int) -> [Written] {
        let text = call.text
        guard let open = call.place(of: "(")?.lowerBound, !text[..<open].contains(" "),
            let close = text.lastIndex(of: ")")
        else { return brokenField(call) }
        let arguments = text[text.index(after: open)..<close].arguments.map {
            Written.part($0, of: call)
        }
        let end = Written.part(text[close...], of: call)
        var lines = filled(arguments, indent + 4)
        if let last = lines.last, last.count + indent + 4 + end.count > width, arguments.count > 1 {
            lines = filled(Array(arguments.dropLast()), indent + 4, last: ",")
            lines.append(arguments[arguments.count - 1])
        }
        lines[lines.count - 1] += end
        return [.part(text[...open], of: call)] + lines.indented
    }

    private static func brokenField(_ field: Written) -> [Written] {
        for separator in [": .field(", ": \""] {
            guard let range = field.place(of: separator) else { continue }
            let rest = field.text[range.lowerBound...].dropFirst(2)
            return [
                "\(.part(field.text[..<range.lowerBound], of: field)):",
                "    \(.part(rest, of: field))",
            ]
        }
        return [field]
    }

    /// `case a, b` on as many lines as it takes.
    static func cases(_ cases: [Written], _ indent: Int) -> [Written] {
        var lines: [Written] = []
        var line: Written = ""
        for element in cases {
            if !line.isEmpty && line.count + element.count + 2 + indent > width {
                lines.append(line)
                line = ""
            }
            if line.isEmpty, element.count + 5 + indent > width {
                lines += brokenCase(element)
                continue
            }
            line += line.isEmpty ? "case \(element)" : ", \(element)"
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// Declarations in their order; those after one another with the same word share lines, unless
    /// they have comments.
    static func declarations(_ all: [Declaration], _ indent: Int) -> [Written] {
        var (lines, line, word, type) = (
            [Written](), Written(stringLiteral: ""), Written(stringLiteral: ""),
            Written(stringLiteral: "")
        )
        for item in all {
            let typed = item.type.isEmpty ? item.name : "\(item.name): \(item.type)"
            let written = item.standard.map { "\(typed) = \($0)" } ?? typed
            // Swift 6.3 doesn't complete `let a = 1, b: Int`, nor `var a, b: String?`.
            let standsAlone = item.word == "let" && item.standard != nil || item.comment != nil
            let canJoin =
                item.prefix.isEmpty && item.word == word && !line.isEmpty && !standsAlone
            let isSame = canJoin && word == "let" && item.standard == nil && item.type == type
            let joined: Written =
                isSame
                ? "\(.part(line.text.dropLast(type.count + 2), of: line)), \(written)"
                : "\(line), \(written)"
            type = item.standard == nil ? item.type : ""
            if canJoin && joined.count + indent <= width {
                line = joined
                continue
            }
            if !line.isEmpty { lines.append(line) }
            (line, word) = ("\(item.word) \(written)", item.word)
            lines += (item.comment.map { comment($0, indent) } ?? []) + item.prefix
            if let prefix = item.prefix.first, prefix.hasPrefix("@"),
                prefix.count + line.count + 1 + indent <= width
            {
                lines[lines.count - 1] += " \(line)"
                line = ""
            } else if line.count + indent > width || !item.prefix.isEmpty || standsAlone {
                lines += declaration(line, indent)
                line = ""
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// A case that doesn't fit: its value on a line of its own.
    private static func brokenCase(_ element: Written) -> [Written] {
        for separator in [" = ", "("] {
            guard let range = element.place(of: separator) else { continue }
            let first: Written = separator == "(" ? "(" : " ="
            return [
                "case \(.part(element.text[..<range.lowerBound], of: element))\(first)",
                "    \(.part(element.text[range.upperBound...], of: element))",
            ]
        }
        return ["case \(element)"]
    }

    /// The head of a type, with its parents on a line of their own if it doesn't fit.
    static func head(_ text: Written, _ indent: Int) -> [Written] {
        guard text.count + indent > width, let colon = text.place(of: ": ") else {
            return [text]
        }
        return [
            .part(text.text[...colon.lowerBound], of: text),
            "    \(.part(text.text[colon.upperBound...].dropLast(2), of: text))", "{",
        ]
    }

    /// `let name: Type`, with a break after the colon if it doesn't fit.
    static func declaration(_ text: Written, _ indent: Int) -> [Written] {
        guard text.count + indent > width, let colon = text.place(of: ": ") else {
            return [text]
        }
        return [
            "\(.part(text.text[..<colon.lowerBound], of: text)):",
            "    \(.part(text.text[colon.upperBound...], of: text))",
        ]
    }
}

extension Written {
    /// Where a text begins that isn't inside a literal: a line break there would end the literal.
    fileprivate func place(of part: String) -> Range<String.Index>? {
        var (isQuoted, isEscaped) = (false, false)
        for index in text.indices {
            if !isQuoted, text[index...].hasPrefix(part) {
                return index..<text.index(index, offsetBy: part.count)
            }
            if text[index] == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && text[index] == "\\" && !isEscaped
        }
        return nil
    }
}

/// A property: `let name: Type`.
struct Declaration {
    /// What the document says of it.
    var comment: String?
    /// An attribute, or a comment of the importer's own.
    var prefix: [Written] = []
    let word: Written
    let name: Written
    /// Empty if the value says it.
    var type: Written = ""
    var standard: Written?
}

extension [[Written]] {
    /// The texts after properties; with an empty line, unless each of them is one line.
    func joined(after properties: [Written]) -> [Written] {
        guard !properties.isEmpty else { return spaced }
        return allSatisfy { $0.count == 1 }
            ? properties + flatMap(\.self) : ([properties] + self).spaced
    }

    /// The texts with an empty line between two of them, unless both have one line.
    var spaced: [Written] {
        var lines: [Written] = []
        for (index, text) in enumerated() {
            if index > 0, text.count > 1 || self[index - 1].count > 1 { lines.append("") }
            lines += text
        }
        return lines
    }
}

extension Substring {
    /// The arguments of a call; a comma inside quotes or brackets doesn't end one.
    fileprivate var arguments: [String] {
        var (arguments, argument, depth, isQuoted, isEscaped) = ([String](), "", 0, false, false)
        for character in self {
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && character == "\\" && !isEscaped
            if !isQuoted {
                if "([{".contains(character) { depth += 1 }
                if ")]}".contains(character) { depth -= 1 }
            }
            if character == ",", depth == 0, !isQuoted {
                arguments.append(argument)
                argument = ""
            } else if !argument.isEmpty || character != " " {
                argument.append(character)
            }
        }
        return arguments + [argument]
    }
}

extension [Written] {
    /// The texts without those that were there before.
    var unique: [Written] {
        var seen: Set<Written> = []
        return filter { seen.insert($0).inserted }
    }

    /// The lines one level further in.
    var indented: [Written] { map { $0.isEmpty ? $0 : "    \($0)" } }
}

extension [String] {
    /// The texts without those that were there before.
    var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
