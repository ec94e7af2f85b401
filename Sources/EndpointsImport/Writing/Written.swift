/// A piece of Swift's text.
///
/// What stands in a literal of this type is this command's own text. A text of a document gets into
/// one only through ``comment(_:)`` and ``literal(_:)``, and a name only through ``name(_:)``,
/// ``member(_:)`` and ``label(_:)``: any other interpolation of a `String` doesn't compile.
struct Written: Hashable, Sendable {
    private(set) var text: String

    fileprivate init(checked text: String) { self.text = text }

    /// A text of the document as a part of a `///` comment: without what would end it or hide text
    /// in it.
    static func comment(_ text: String) -> Written {
        var comment = ""
        for scalar in text.unicodeScalars {
            if scalar.isHidden {
                if scalar.properties.isWhitespace || scalar.value < 0x20 { comment += " " }
            } else {
                comment.unicodeScalars.append(scalar)
            }
        }
        return Written(
            checked: comment.replacingText("*/", with: "* /").replacingText("/*", with: "/ *"))
    }

    /// A text of the document as a literal, with its quotes.
    static func literal(_ text: String) -> Written {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case _ where scalar.isHidden:
                literal += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return Written(checked: literal + "\"")
    }

    /// A text of the document as a raw literal, which needs no escapes, if it can be one.
    static func rawLiteral(_ text: String) -> Written {
        guard !text.unicodeScalars.contains(where: \.isHidden) else { return literal(text) }
        var marks = "#"
        while text.has("\"\(marks)") || text.has("\\\(marks)") { marks += "#" }
        return Written(checked: "\(marks)\"\(text)\"\(marks)")
    }

    /// A literal without its quotes, for a literal of several parts.
    static func literalPart(_ text: String) -> Written {
        Written(checked: String(literal(text).text.dropFirst().dropLast()))
    }

    /// The name of a declaration, in backticks if it is a word of Swift.
    static func name(_ name: String) -> Written {
        let name = name.identifier
        return Written(checked: Reserved.keywords.contains(name) ? "`\(name)`" : name)
    }

    /// A name after a dot, where Swift takes most of its words as they are.
    static func member(_ name: String) -> Written {
        let name = name.identifier
        return Written(
            checked: ["init", "self", "Type", "Protocol"].contains(name) ? "`\(name)`" : name)
    }

    /// The name of a header: the library's constant, or a literal.
    static func header(_ name: String) -> Written {
        Reserved.headers[name.lowercased()].map { ".\(.member($0))" } ?? .literal(name)
    }

    /// The label of an argument, where every word of Swift stands as it is.
    static func label(_ name: String) -> Written { Written(checked: name.identifier) }

    /// A type that a person wrote for `--names`; `nil` if it can't be one.
    static func type(_ text: String) -> Written? {
        text.isSwiftType ? Written(checked: text) : nil
    }

    /// A number of JSON; 0 if it isn't one.
    static func number(_ text: String) -> Written {
        let isNumber = Double(text)?.isFinite == true && text.allSatisfy("+-.0123456789eE".contains)
        return Written(checked: isNumber ? text : "0")
    }

    /// The rest of another text, which a line break divides.
    static func part(_ text: some StringProtocol, of whole: Written) -> Written {
        Written(checked: String(text))
    }

    var count: Int { text.count }
    var isEmpty: Bool { text.isEmpty }
    func hasPrefix(_ prefix: String) -> Bool { text.hasPrefix(prefix) }
    func contains(_ part: String) -> Bool { text.has(part) }
}

extension Written: ExpressibleByStringInterpolation {
    init(stringLiteral literal: StaticString) { text = "\(literal)" }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: StaticString) { text += "\(literal)" }
        mutating func appendInterpolation(_ written: Written) { text += written.text }
        mutating func appendInterpolation(_ number: Int) { text += "\(number)" }
    }

    static func + (one: Written, other: Written) -> Written {
        Written(checked: one.text + other.text)
    }

    static func += (one: inout Written, other: Written) { one.text += other.text }
}

extension Collection<Written> {
    func joined(separator: Written = "") -> Written {
        Written(checked: map(\.text).joined(separator: separator.text))
    }
}

extension Unicode.Scalar {
    /// Whether the character could end a line, or show text in another order than it is read.
    fileprivate var isHidden: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
            // The joiners of emoji and of several scripts.
            value != 0x200C && value != 0x200D
        default: false
        }
    }

    /// Whether the character may stand in a name.
    var isOfName: Bool {
        if isASCII {
            return ("a"..."z").contains(self) || ("A"..."Z").contains(self)
                || ("0"..."9").contains(self) || self == "_"
        }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .decimalNumber:
            return true
        default: return false
        }
    }
}

extension String {
    fileprivate var identifier: String {
        var name = ""
        for scalar in unicodeScalars where scalar.isOfName { name.unicodeScalars.append(scalar) }
        guard let first = name.unicodeScalars.first else { return "_value" }
        switch first.properties.generalCategory {
        case .decimalNumber, .nonspacingMark, .spacingMark: return "_\(name)"
        default: return name == "_" ? "_value" : name
        }
    }

    fileprivate func replacingText(_ part: String, with other: String) -> String {
        guard has(part) else { return self }
        return split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }

    /// Whether the text is a name that Swift allows.
    var isSwiftName: Bool { !isEmpty && identifier == self && !Reserved.keywords.contains(self) }

    /// Whether the text is a type as one writes it: names with dots, arguments, brackets and `?`.
    fileprivate var isSwiftType: Bool {
        var rest = self[...]
        func space() { rest = rest.drop { $0 == " " } }
        func take(_ character: Character) -> Bool {
            space()
            guard rest.first == character else { return false }
            rest.removeFirst()
            return true
        }
        func type() -> Bool {
            space()
            if take("[") {
                guard type() else { return false }
                if take(":") { guard type() else { return false } }
                guard take("]") else { return false }
            } else {
                repeat {
                    let name = rest.prefix { $0.unicodeScalars.allSatisfy(\.isOfName) }
                    guard String(name).isSwiftName || ["Any", "Self"].contains(name) else {
                        return false
                    }
                    rest = rest.dropFirst(name.count)
                } while take(".")
                if take("<") {
                    repeat { guard type() else { return false } } while take(",")
                    guard take(">") else { return false }
                }
            }
            while take("?") {}
            return true
        }
        return type() && rest.allSatisfy { $0 == " " }
    }
}
