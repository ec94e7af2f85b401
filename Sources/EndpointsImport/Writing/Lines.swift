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
    static func list(_ head: String, _ elements: [String], _ tail: String, _ indent: Int) -> [String] {
        let line = head + "[" + elements.joined(separator: ", ") + "]" + tail
        if line.count + indent <= width { return [line] }
        let last = elements.count > 1 ? "," : ""
        return [head + "["] + filled(elements, indent + 4, last: last).map { "    " + $0 } + ["]" + tail]
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
        guard let open = call.firstIndex(of: "("), !call[..<open].contains(" ") else {
            return brokenField(call)
        }
        let rest = call[call.index(after: open)...]
        if rest.count + indent + 4 <= width { return ["\(call[...open])", "    \(rest)"] }
        return ["\(call[...open])"] + rest.split(at: ", path: ").map { "    \($0)" }
    }

    private static func brokenField(_ field: String) -> [String] {
        let parts = field.split(at: ": .field(")
        return parts.count == 2 ? [parts[0], "    \(parts[1])"] : [field]
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
            line += line.isEmpty ? "case \(element)" : ", \(element)"
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// Declarations in their order; those after one another with the same word share lines.
    static func declarations(_ all: [Declaration], _ indent: Int) -> [String] {
        var (lines, line, word, type) = ([String](), "", "", "")
        for item in all {
            let canJoin = item.prefix.isEmpty && item.standard == nil && item.word == word && !line.isEmpty
            let isSame = canJoin && item.type == type
            let joined = isSame
                ? "\(line.dropLast(type.count + 2)), \(item.name): \(type)"
                : "\(line), \(item.name): \(item.type)"
            if canJoin && joined.count + indent <= width {
                (line, type) = (joined, item.type)
                continue
            }
            if !line.isEmpty { lines.append(line) }
            (line, word, type) = ("\(item.word) \(item.name): \(item.type)", item.word, item.type)
            lines += item.prefix
            if let standard = item.standard {
                let written = item.type.isEmpty ? "\(item.word) \(item.name) = \(standard)" : "\(line) = \(standard)"
                lines += declaration(written, indent)
                line = ""
            } else if line.count + indent > width {
                lines += declaration(line, indent)
                line = ""
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// `let name: Type`, with a break after the colon if it doesn't fit.
    static func declaration(_ text: String, _ indent: Int) -> [String] {
        guard text.count + indent > width, let colon = text.firstRange(of: ": ") else { return [text] }
        return ["\(text[..<colon.lowerBound]):", "    \(text[colon.upperBound...])"]
    }
}

extension StringProtocol where SubSequence == Substring {
    /// Two halves; the second one begins with the separator, without its first comma and space.
    fileprivate func split(at separator: String) -> [String] {
        guard let range = firstRange(of: separator) else { return [String(self)] }
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

extension [String] {
    /// The lines one level further in.
    var indented: [String] { map { $0.isEmpty ? $0 : "    " + $0 } }
}
