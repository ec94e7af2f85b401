import Foundation

/// The names and values of a JSON text (RFC 8259), and where they are. It doesn't recurse, so that
/// no text is too deep for the stack.
struct JSONTokens {
    enum Kind { case name, text, number, word, container }

    struct Token {
        let kind: Kind
        let start: Int
        /// Beyond the end of the text if the last quote is missing.
        var end: Int
        /// The container that this is in, and the name of this value; -1 if there is none.
        let parent: Int
        let name: Int
        /// The last token in this.
        var last: Int
        /// What a name says, or the names in this object.
        var says: UInt8 = 0
        var hasContent: Bool { kind == .text || kind == .number }
    }

    /// What the name of a member says, and `pair`: an object has the name of a secret for its
    /// value, or a list has both.
    enum Says {
        static let name: UInt8 = 1, value: UInt8 = 2, path: UInt8 = 4, token: UInt8 = 8
        static let probability: UInt8 = 16, errors: UInt8 = 64, pair: UInt8 = 128
    }

    /// Names of members, each with what it says: that the value is a name, or what has this name,
    /// or a place in JSON Patch (RFC 6902, section 4); a language model's tokens, or how probable
    /// they are; messages about fields.
    static let members = SecretNames(
        table: """
            1: =name =key =field =header =param =parameter =id =label =type =k =n
            2: =value =values =val =newvalue =oldvalue =content =data =text =v
            4: =path 8: =token =tokens 16: =logprob =tokenlogprobs 64: =errors
            """)

    private let bytes: [UInt8]
    private let names: SecretNames
    private(set) var tokens: [Token] = []
    /// The container and the name of what is read next.
    private var (parent, name) = (-1, -1)

    /// - Parameter isCutOff: Whether the text may end anywhere.
    init?(_ bytes: [UInt8], isCutOff: Bool, _ names: SecretNames) {
        (self.bytes, self.names) = (bytes, names)
        // What may come: `v` is a number or a word.
        let (value, word): (StaticString, UInt8) = ("{[\"v", 0x76)
        var (index, expected) = (bytes.has("\u{FEFF}", at: 0) ? 3 : 0, value)
        while index < bytes.count {
            let (start, byte) = (index, bytes[index])
            index += 1
            if byte.isBlank { continue }
            let sign = byte.isIn("{}[]:,\"") ? byte : word
            guard sign.isIn(expected) else { return nil }
            switch sign {
            case .colon, .comma:
                expected = sign == .comma && isInObject ? "\"" : value
                continue
            case .open, 0x5B:
                append(.container, start, index)
                parent = tokens.count - 1
                expected = isInObject ? "\"}" : "{[\"v]"
                continue
            case .quote:
                while index < bytes.count, bytes[index] != .quote {
                    index += bytes[index] == .backslash ? 2 : 1
                }
                guard isCutOff || index < bytes.count else { return nil }
                index += 1
                append(word.isIn(expected) ? .text : .name, start, index)
            case word:
                index += bytes[index...].prefix { $0.isWordByte || $0.isIn("+-.") }.count
                let isNumber = byte == 0x2D || byte.isDigit
                if isNumber || ["true", "false", "null"].contains(bytes.part(start, index).string) {
                    append(isNumber ? .number : .word, start, index)
                } else if !isCutOff || index < bytes.count {
                    return nil
                }
            default: close(at: index)
            }
            expected = name >= 0 ? ":" : parent < 0 ? "" : isInObject ? ",}" : ",]"
        }
        guard isCutOff || parent < 0 && !tokens.isEmpty else { return nil }
        while parent >= 0 { close(at: bytes.count) }
    }

    private var isInObject: Bool { parent >= 0 && bytes[tokens[parent].start] == .open }

    private mutating func close(at end: Int) {
        tokens[parent].end = end
        tokens[parent].last = tokens.count - 1
        parent = tokens[parent].parent
    }

    private mutating func append(_ kind: Kind, _ start: Int, _ end: Int) {
        let index = tokens.count
        tokens.append(
            Token(kind: kind, start: start, end: end, parent: parent, name: name, last: index))
        name = kind == .name ? index : -1
        guard parent >= 0 else { return }
        if kind == .name {
            tokens[index].says = Self.members.places(of: content(of: tokens[index])[...])
            tokens[parent].says |= tokens[index].says & Says.probability
        } else if kind == .text, isSecretName(index) {
            tokens[parent].says |= Says.pair
        }
    }

    /// Whether a text is the name of a secret: that of a member such as `name`, or the first of a
    /// list that is in a list.
    private func isSecretName(_ index: Int) -> Bool {
        let (token, list) = (tokens[index], tokens[parent])
        let isFirst = parent == index - 1 && list.parent >= 0 && list.name < 0
        let says = token.name >= 0 ? tokens[token.name].says : isFirst ? Says.name : 0
        guard says & (Says.name | Says.path) > 0 else { return false }
        let name = content(of: token)
        return (says & Says.name > 0 || name.first == .slash)
            && (names.contains(name[...], in: .json) || names.contains(name[...], in: .header))
    }

    /// The name that makes a value secret; `nil` if there is none.
    func secretName(of index: Int) -> [UInt8]? {
        let token = tokens[index]
        guard token.parent >= 0, token.kind != .word else { return nil }
        let list = tokens[token.parent]
        let isInPair = list.says & Says.pair > 0
        guard token.name >= 0 else {
            let isSecond = index == token.parent + 2 && token.last == list.last
            return isInPair && isSecond ? content(of: tokens[token.parent + 1]) : nil
        }
        let (name, says) = (content(of: tokens[token.name]), tokens[token.name].says)
        if says & Says.token > 0, list.says & Says.probability > 0 { return nil }
        if says & Says.value > 0, isInPair { return name }
        let first = tokens[token.kind == .container ? min(index + 1, token.last) : index]
        guard names.contains(name[...], in: first.kind == .number ? .number : .json) else {
            return nil
        }
        // A text with a blank about a field: `{"errors": {"password": ["is too short"]}}`.
        let isInErrors = list.name >= 0 && tokens[list.name].says & Says.errors > 0
        return isInErrors && first.kind == .text && content(of: first).contains(.space) ? nil : name
    }

    /// A name or a text without quotes and escapes, or a number.
    func content(of token: Token) -> [UInt8] {
        guard token.kind != .number else { return bytes.part(token.start, token.end) }
        return bytes.part(token.start + 1, token.end - 1).plain("\\")
    }
}

// MARK: Multipart forms

extension [UInt8] {
    /// The name in `Content-Disposition`, without the quotes that it may have there, and the media
    /// type, in the headers of a part.
    private var nameAndType: (name: [UInt8], type: String) {
        var fields: [[UInt8]] = []
        for (line, _) in filter({ $0 != .carriageReturn }).pieces("\n") {
            // A header may go on in lines that are indented.
            if fields.isEmpty || line.first?.isBlank != true { fields.append([]) }
            fields[fields.count - 1] += line
        }
        func field(_ name: String) -> String {
            let field = fields.first { $0.string.lowercased().hasPrefix(name) } ?? []
            return field.part(name.utf8.count).string.trimmingBlanks
        }
        let disposition = field("content-disposition:")
        let extended = disposition.parameter("name*").map { Array($0.utf8).unescaped }
        let name = extended ?? Array((disposition.parameter("name") ?? "").utf8)
        let start = extended?.lastIndex(of: 0x27) ?? -1
        return (name.part(start + 1).filter { $0 != .quote }, field("content-type:"))
    }

    /// The parts of a body: where their headers and their content are, their name without quotes,
    /// and their media type; `nil` if the body isn't a multipart form of this media type. A body
    /// that is cut off, or whose lines end in LF alone, is read too.
    package func multipartParts(
        _ type: String
    ) -> [(head: Range<Int>, content: Range<Int>, name: [UInt8], type: String)]? {
        // RFC 2046, section 5.1.1, allows 70 bytes.
        guard let boundary = type.multipartBoundary, boundary.utf8.count <= 200 else { return nil }
        // Only a delimiter at the body's start may have no line end before it.
        let isFirst = starts(with: Array("--\(boundary)".utf8))
        let line = isFirst ? -1 : index(of: "\n--\(boundary)")
        guard line < count else { return nil }
        var start = line + 3 + boundary.utf8.count
        // The first delimiter, after which blanks may come, shows how lines end.
        let afterBlanks = start + part(start).prefix { $0.isIn(" \t") }.count
        let delimiter = (has("\n", at: afterBlanks) ? "\n--" : "\r\n--") + boundary
        var parts: [(head: Range<Int>, content: Range<Int>, name: [UInt8], type: String)] = []
        while !has("--", at: start) {
            let next = index(of: delimiter, from: start)
            // The blank line after the headers, of either kind.
            var end = start
            while end < next, !has("\n\n", at: end), !has("\r\n\r\n", at: end) { end += 1 }
            let content = Swift.min(next, end + (has("\n\n", at: end) ? 2 : 4))
            let head = Swift.min(start + delimiter.utf8.count - boundary.utf8.count - 2, end)
            let (name, type) = part(head, end).nameAndType
            parts.append((head..<end, content..<next, name, type))
            guard next < count else { break }
            start = next + delimiter.utf8.count
        }
        return parts
    }
}

extension String {
    /// Whether this is a media type of JSON Lines. It must be in lower case.
    var isJSONLines: Bool { contains("jsonl") || contains("ndjson") }

    /// Whether a value is hardly an ordinary word, so that it can be hidden wherever it stands.
    package var isDistinctive: Bool {
        utf8.count > 15 || utf8.contains { !(0x61...0x7A).contains($0 | 0x20) }
    }
}

// MARK: Bytes

extension [UInt8] {
    /// The text in quotes, as JSON writes it.
    /// - Parameter isCutOff: Whether the last quote is left out.
    func quotedForJSON(isCutOff: Bool) -> [UInt8] {
        var text: [UInt8] = [.quote]
        for byte in self {
            let digits = byte.hexadecimal
            if byte.isIn("\"\\") { text.append(.backslash) }
            text += byte < 0x20 ? Array("\\u00".utf8) + [digits.0, digits.1] : [byte]
        }
        return isCutOff ? text : text + [.quote]
    }

    /// The range of the user info in a URL's text, without the `@`; `nil` if there is none.
    package var userInfo: Range<Int>? {
        let (end, slash) = (endOfAuthority, first(of: "/?#"))
        guard end > 0, slash == 0 || self[slash - 1] == .colon else { return nil }
        let at = part(0, end).lastIndex(of: 0x40) ?? 0
        return at > slash ? slash + 2..<at : nil
    }

    /// Whether these bytes are a text, in which control characters are rare.
    var isText: Bool {
        count { $0 < 0x20 && !$0.isIn("\t\n\r\u{C}\u{1B}\u{1E}") || $0 == 0x7F } * 32 <= count
    }

    /// Whether a URL with a password is in the text: `postgres://ann:s3cret@h`.
    var hasPassword: Bool {
        var start = index(of: "://")
        while start < count {
            let end = first(of: "/?# \t\r\n\"'<>", from: start + 3)
            let authority = part(start + 3, end)
            let hasScheme = start > 1 && self[start - 1].isWordByte && self[start - 2].isWordByte
            if hasScheme, authority.first(of: "@", from: authority.first(of: ":")) < authority.count
            {
                return true
            }
            start = index(of: "://", from: end)
        }
        return false
    }

    /// Where the path begins in a URL's text.
    var endOfAuthority: Int {
        let slash = first(of: "/?#")
        return has("//", at: slash) ? first(of: "/?#", from: slash + 2) : 0
    }

    /// Whether this is a URL, or a reference that begins with its path, query or fragment.
    var isReference: Bool {
        (first?.isIn("/?#") == true || endOfAuthority > 0) && first(of: " \t\r\n\"<'") == count
    }
}
