import Foundation

/// Text as `swift format` leaves it: lines of at most 100 columns, four spaces a level.
enum Lines {
    static let width = 100

    /// A comment of `///` lines.
    static func comment(_ text: String, _ indent: Int) -> [String] {
        let limit = width - indent - 4
        var (lines, line) = ([String](), "")
        for word in text.split(whereSeparator: \.isWhitespace) {
            if !line.isEmpty && line.count + word.count + 1 > limit {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return (line.isEmpty ? lines : lines + [line]).map { "/// \($0)" }
    }

    /// Elements in brackets: on one line if they fit, else as many on each line as fit.
    static func list(_ head: String, _ elements: [String], _ tail: String, _ indent: Int)
        -> [String]
    {
        let line = head + "[" + elements.joined(separator: ", ") + "]" + tail
        if line.count + indent <= width { return [line] }
        let last = elements.count > 1 ? "," : ""
        return [head + "["] + filled(elements, indent + 4, last: last).map { "    " + $0 } + [
            "]" + tail
        ]
    }

    /// A call: on one line if it fits, else with its arguments on lines of their own.
    static func call(_ head: String, _ arguments: [String], _ indent: Int) -> [String] {
        let line = head + arguments.joined(separator: ", ") + ")"
        if line.count + indent <= width { return [line] }
        return [head] + filled(arguments, indent + 4, last: ")").indented
    }

    /// Elements with commas, as many on a line as fit.
    static func filled(_ elements: [String], _ indent: Int, last: String = "") -> [String] {
        var lines: [String] = []
        var line = ""
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
    private static func broken(_ call: String, _ indent: Int) -> [String] {
        guard let open = call.firstIndex(of: "("), !call[..<open].contains(" "),
            let close = call.lastIndex(of: ")")
        else { return brokenField(call) }
        let arguments = call[call.index(after: open)..<close].arguments
        let end = String(call[close...])
        var lines = filled(arguments, indent + 4)
        if let last = lines.last, last.count + indent + 4 + end.count > width, arguments.count > 1 {
            lines = filled(Array(arguments.dropLast()), indent + 4, last: ",")
            lines.append(arguments[arguments.count - 1])
        }
        lines[lines.count - 1] += end
        return ["\(call[...open])"] + lines.indented
    }

    private static func brokenField(_ field: String) -> [String] {
        for separator in [": .field(", ": \""] {
            let parts = field.split(at: separator)
            if parts.count == 2 { return [parts[0], "    \(parts[1])"] }
        }
        return [field]
    }

    /// `case a, b` on as many lines as it takes.
    static func cases(_ cases: [String], _ indent: Int) -> [String] {
        var lines: [String] = []
        var line = ""
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

    /// Declarations in their order; those after one another with the same word share lines.
    static func declarations(_ all: [Declaration], _ indent: Int) -> [String] {
        var (lines, line, word, type) = ([String](), "", "", "")
        for item in all {
            let typed = item.name + (item.type.isEmpty ? "" : ": \(item.type)")
            let written = typed + (item.standard.map { " = \($0)" } ?? "")
            // Swift 6.3 doesn't complete `let a = 1, b: Int`, nor `var a, b: String?`.
            let standsAlone = item.word == "let" && item.standard != nil
            let canJoin =
                item.prefix.isEmpty && item.word == word && !line.isEmpty && !standsAlone
            let isSame = canJoin && word == "let" && item.standard == nil && item.type == type
            let joined =
                isSame
                ? "\(line.dropLast(type.count + 2)), \(written)" : "\(line), \(written)"
            type = item.standard == nil ? item.type : ""
            if canJoin && joined.count + indent <= width {
                line = joined
                continue
            }
            if !line.isEmpty { lines.append(line) }
            (line, word) = ("\(item.word) \(written)", item.word)
            lines += item.prefix
            if let prefix = item.prefix.first, prefix.hasPrefix("@"),
                prefix.count + line.count + 1 + indent <= width
            {
                lines[lines.count - 1] += " " + line
                line = ""
            } else if line.count + indent > width || !item.prefix.isEmpty || standsAlone {
                lines += declaration(line, indent)
                line = ""
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// A case that doesn't fit: its value on a line of its own.
    private static func brokenCase(_ element: String) -> [String] {
        for separator in [" = ", "("] {
            guard let range = element.range(of: separator) else { continue }
            let first = separator == "(" ? "(" : " ="
            return [
                "case \(element[..<range.lowerBound])\(first)",
                "    \(element[range.upperBound...])",
            ]
        }
        return ["case \(element)"]
    }

    /// The head of a type, with its parents on a line of their own if it doesn't fit.
    static func head(_ text: String, _ indent: Int) -> [String] {
        guard text.count + indent > width, let colon = text.range(of: ": ") else {
            return [text]
        }
        return [
            "\(text[...colon.lowerBound])", "    \(text[colon.upperBound...].dropLast(2))", "{",
        ]
    }

    /// `let name: Type`, with a break after the colon if it doesn't fit.
    static func declaration(_ text: String, _ indent: Int) -> [String] {
        guard text.count + indent > width, let colon = text.range(of: ": ") else {
            return [text]
        }
        return ["\(text[..<colon.lowerBound]):", "    \(text[colon.upperBound...])"]
    }
}

extension StringProtocol where SubSequence == Substring {
    /// Two halves; the second one begins with the separator, without its first comma and space.
    fileprivate func split(at separator: String) -> [String] {
        guard let range = range(of: separator) else { return [String(self)] }
        let isArgument = separator.hasPrefix(", ")
        let first = self[..<range.lowerBound] + (isArgument ? "," : ":")
        return ["\(first)", "\(self[range.lowerBound...].dropFirst(2))"]
    }
}

/// A property: `let name: Type`.
struct Declaration {
    var prefix: [String] = []
    let word: String
    let name: String
    /// Empty if the value says it.
    var type = ""
    var standard: String?
}

extension [[String]] {
    /// The texts after properties; with an empty line, unless each of them is one line.
    func joined(after properties: [String]) -> [String] {
        guard !properties.isEmpty else { return spaced }
        return allSatisfy { $0.count == 1 }
            ? properties + flatMap(\.self) : ([properties] + self).spaced
    }

    /// The texts with an empty line between two of them, unless both have one line.
    var spaced: [String] {
        var lines: [String] = []
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
        var (arguments, argument, depth, isQuoted, last) = (
            [String](), "", 0, false, Character(" ")
        )
        for character in self {
            if character == "\"", last != "\\" { isQuoted.toggle() }
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
            last = character
        }
        return arguments + [argument]
    }
}

extension [String] {
    /// The texts without those that were there before.
    var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }

    /// The lines one level further in.
    var indented: [String] { map { $0.isEmpty ? $0 : "    " + $0 } }
}
