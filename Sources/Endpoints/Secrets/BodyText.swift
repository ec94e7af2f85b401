import Foundation

/// The names and values of a JSON text (RFC 8259), and where they are. It doesn't recurse, so that
/// no text is too deep for the stack.
struct JSONTokens {
    struct Token {
        /// `{` for the begin of an object or a list, `}` for its end, `:` for a name, `"` for a
        /// text, `0` for a number, and `t` for a word.
        let kind: UInt8
        let start: Int
        let end: Int
        /// The container that this is in, and the name of this value; -1 if there is none.
        let parent: Int
        let name: Int
        /// The last token of a container.
        var last = 0
        /// Whether this has the name of a secret for its value, or is a list of the two.
        var isPair = false
        /// Whether the tokens in this object are a language model's.
        var hasModelTokens = false
    }

    /// Names of members whose values are a name and a value.
    private static let (pairNames, pairValues): (SecretNames, SecretNames) = (
        SecretNames(
            table: "31: =name =key =field =header =param =parameter =id =label =type =k =n"),
        SecretNames(
            table: "31: =value =values =val =newvalue =oldvalue =content =data =text =v")
    )
    /// A member that has the place of a value, in JSON Patch (RFC 6902, section 4).
    private static let pointer = SecretNames(table: "31: =path")
    /// Members of an object with the probabilities of a language model's tokens.
    private static let modelTokens = SecretNames(table: "31: =token =tokens")
    /// An object whose members are messages about fields.
    private static let messages = SecretNames(table: "31: =errors")

    private let bytes: [UInt8]
    private(set) var tokens: [Token] = []

    /// - Parameter isCutOff: Whether the text may end anywhere.
    init?(_ bytes: [UInt8], isCutOff: Bool, _ names: SecretNames) {
        self.bytes = bytes
        // What may come: `v` is a value, `n` a name, and `]` or `}` this or an end. Any other byte
        // is expected as it is.
        var (index, parent, name, expected) = (0, -1, -1, UInt8(ascii: "v"))
        while index < bytes.count {
            let (start, byte) = (index, bytes[index])
            index += 1
            guard !byte.isBlank else { continue }
            if byte == .colon || byte == .comma {
                guard byte == expected else { return nil }
                expected = UInt8(ascii: byte == .comma && isObject(parent) ? "n" : "v")
                continue
            }
            var kind = byte
            if byte == 0x7D || byte == 0x5D {
                guard parent >= 0, isObject(parent) == (byte == 0x7D),
                    expected == byte || expected == .comma
                else { return nil }
                kind = 0x7D
            } else if byte == .quote {
                while index < bytes.count, bytes[index] != .quote {
                    index += bytes[index] == .backslash ? 2 : 1
                }
                index = min(index + 1, bytes.count)
                if expected.isIn("n}") { kind = .colon }
            } else if byte == 0x7B || byte == 0x5B {
                kind = .open
            } else {
                while index < bytes.count, bytes[index].isWordByte || bytes[index].isIn("+-.") {
                    index += 1
                }
                let word = bytes.part(start, index)
                kind = byte == 0x2D || byte.isDigit ? .digit : 0x74
                if kind == 0x74, word != Array("true".utf8), word != Array("false".utf8),
                    word != Array("null".utf8)
                {
                    guard isCutOff, index == bytes.count else { return nil }
                    break
                }
            }
            let isValue = kind != .colon && kind != 0x7D
            guard !isValue || expected.isIn("v]") else { return nil }
            tokens.append(
                Token(
                    kind: kind, start: start, end: index, parent: parent,
                    name: isValue ? name : -1))
            name = kind == .colon ? tokens.count - 1 : -1
            expected = .comma
            if kind == .colon { expected = .colon }
            if kind == .open {
                parent = tokens.count - 1
                expected = byte == 0x7B ? 0x7D : 0x5D
            }
            if kind == 0x7D {
                tokens[parent].last = tokens.count - 1
                parent = tokens[parent].parent
            }
            if kind == .quote { notePair(names) }
            if kind == .colon,
                bytes.has("\"logprob\"", at: start) || bytes.has("\"token_logprobs\"", at: start)
            {
                tokens[parent].hasModelTokens = true
            }
            if parent < 0 { expected = 0 }
        }
        guard isCutOff || expected == 0 else { return nil }
        while parent >= 0 {
            tokens[parent].last = tokens.count - 1
            parent = tokens[parent].parent
        }
    }

    private func isObject(_ token: Int) -> Bool { token >= 0 && bytes[tokens[token].start] == 0x7B }

    /// Notes that the last text is the name of a secret.
    private mutating func notePair(_ names: SecretNames) {
        let (index, token) = (tokens.count - 1, tokens[tokens.count - 1])
        guard token.parent >= 0 else { return }
        guard token.name >= 0 else {
            // The first of a list that is in a list.
            let list = tokens[token.parent]
            guard token.parent == index - 1, list.parent >= 0, list.name < 0 else { return }
            let name = content(of: index)
            tokens[token.parent].isPair =
                names.contains(name, in: .header) || names.contains(name, in: .json)
            return
        }
        let (member, name) = (content(of: token.name), content(of: index))
        let isPointer = name.first == .slash && Self.pointer.contains(member, in: .json)
        guard isPointer || Self.pairNames.contains(member, in: .json) else { return }
        if names.contains(name, in: .json) || names.contains(name, in: .header) {
            tokens[token.parent].isPair = true
        }
    }

    /// The name that makes a value secret; `nil` if there is none.
    func secretName(of index: Int, _ names: SecretNames) -> [UInt8]? {
        let token = tokens[index]
        guard token.parent >= 0, token.kind != 0x74 else { return nil }
        let parent = tokens[token.parent]
        guard token.name >= 0 else {
            let isSecond = index == token.parent + 2 && max(index, token.last) + 1 == parent.last
            return isSecond && parent.isPair ? content(of: token.parent + 1) : nil
        }
        let name = content(of: token.name)
        guard !parent.hasModelTokens || !Self.modelTokens.contains(name, in: .json) else {
            return nil
        }
        let first = token.kind == .open && index + 1 < tokens.count ? index + 1 : index
        let place: SecretNames.Place = tokens[first].kind == .digit ? .number : .json
        let isPair = parent.isPair && Self.pairValues.contains(name, in: .json)
        return isPair || names.contains(name, in: place) && !isMessage(first, in: token.parent)
            ? name : nil
    }

    /// Whether a text is a message about a field: it is in an object `errors`, and has a blank, as
    /// in `{"errors": {"password": ["is too short"]}}`.
    private func isMessage(_ index: Int, in parent: Int) -> Bool {
        guard tokens[index].kind == .quote, tokens[parent].name >= 0 else { return false }
        let name = tokens[tokens[parent].name]
        // A long name would be read again for each member.
        return name.end - name.start < 64
            && Self.messages.contains(content(of: tokens[parent].name), in: .json)
            && content(of: index).contains(.space)
    }

    /// A name or a text without quotes and escapes, or a number.
    func content(of index: Int) -> [UInt8] {
        let token = tokens[index]
        guard token.kind != .digit else { return bytes.part(token.start, token.end) }
        let isEnded = bytes.part(token.start, token.end).isEndedText
        let content = bytes.part(token.start + 1, isEnded ? token.end - 1 : token.end)
        return content.unescaped(isURL: false, isJSON: true).bytes
    }
}

// MARK: Multipart forms

extension [UInt8] {
    /// The name in `Content-Disposition`, without the quotes that it may have there, and the media
    /// type, in the headers of a part.
    private var nameAndType: (name: [UInt8], type: String) {
        var (disposition, type, isDisposition): ([UInt8], [UInt8], Bool) = ([], [], false)
        let text = filter { $0 != .carriageReturn }
        var start = 0
        for end in text.ends("\n", isHeader: false) {
            let line = text.part(start, end)
            start = end + 1
            let name = line.part(0, line.first(of: ":")).string.lowercased()
            // A header may go on in lines that are indented.
            if line.first?.isBlank != true { isDisposition = name == "content-disposition" }
            if isDisposition { disposition += line }
            if name == "content-type" { type = line.part(name.utf8.count + 1) }
        }
        let extended = disposition.string.parameter("name*").map { Array($0.utf8).unescaped }
        let quote = extended?.lastIndex(of: 0x27) ?? -1
        let plain = disposition.string.parameter("name") ?? ""
        let name = extended?.part(quote + 1) ?? Array(plain.utf8)
        return (name.filter { $0 != .quote }, type.string.trimmingBlanks)
    }

    /// The parts of a body: where their headers and their content are, their name without quotes,
    /// and their media type; `nil` if the body isn't a multipart form of this media type. A body
    /// that is cut off, or whose lines end in LF alone, is read too.
    package func multipartParts(
        _ type: String
    ) -> [(head: Range<Int>, content: Range<Int>, name: [UInt8], type: String)]? {
        // RFC 2046, section 5.1.1, allows 70 bytes.
        guard let boundary = type.multipartBoundary, boundary.utf8.count <= 200 else { return nil }
        let first = Array("--\(boundary)".utf8)
        // Only a delimiter at the body's start may have no line end before it.
        let line = starts(with: first) ? -1 : index(of: [.lineFeed] + first, from: 0)
        guard line < count else { return nil }
        var start = line + 1 + first.count
        // The first delimiter, after which blanks may come, shows how lines end.
        var afterBlanks = start
        while afterBlanks < count, self[afterBlanks].isIn(" \t") { afterBlanks += 1 }
        let lineEnd: [UInt8] =
            has("\n", at: afterBlanks) ? [.lineFeed] : [.carriageReturn, .lineFeed]
        var parts: [(head: Range<Int>, content: Range<Int>, name: [UInt8], type: String)] = []
        while !has("--", at: start) {
            let next = index(of: lineEnd + first, from: start)
            // The blank line after the headers, of either kind.
            var end = start
            while end < next, !has("\n\n", at: end), !has("\r\n\r\n", at: end) { end += 1 }
            let content = Swift.min(next, end + (has("\n\n", at: end) ? 2 : 4))
            let head = Swift.min(start + lineEnd.count, end)
            let (name, type) = part(head, end).nameAndType
            parts.append((head..<end, content..<next, name, type))
            guard next < count else { break }
            start = next + lineEnd.count + first.count
        }
        return parts
    }
}

extension String {
    /// Whether this is a media type of JSON Lines. It must be in lower case.
    package var isJSONLines: Bool { contains("jsonl") || contains("ndjson") }

    /// Whether a value is hardly an ordinary word, so that it can be hidden wherever it stands.
    package var isDistinctive: Bool {
        utf8.count > 15 || utf8.contains { !(0x61...0x7A).contains($0 | 0x20) }
    }
}

// MARK: Bytes

extension [UInt8] {
    var string: String { String(decoding: self, as: UTF8.self) }

    /// The bytes from an index to before another one, as far as there are any.
    @inline(never)
    func part(_ start: Int, _ end: Int = .max) -> [UInt8] {
        let end = Swift.min(end, count)
        return start < end ? [UInt8](self[start..<end]) : []
    }

    /// The index of the first of some bytes; the count if there is none.
    @inline(never)
    func first(of bytes: StaticString, from start: Int = 0) -> Int {
        var index = start
        while index < count, !self[index].isIn(bytes) { index += 1 }
        return Swift.min(index, count)
    }

    /// Whether a text stands at an index, which may be after the end.
    @inline(never)
    func has(_ text: StaticString, at index: Int) -> Bool {
        let size = text.utf8CodeUnitCount
        guard index + size <= count else { return false }
        var same = 0
        while same < size, self[index + same] == text.utf8Start[same] { same += 1 }
        return same == size
    }

    /// The first index of some bytes; the count if they aren't found.
    @inline(never)
    func index(of bytes: [UInt8], from start: Int = 0) -> Int {
        var index = start
        while index + bytes.count <= count {
            var same = 0
            while same < bytes.count, self[index + same] == bytes[same] { same += 1 }
            if same == bytes.count { return index }
            index += 1
        }
        return count
    }

    /// The text without blanks and quotes around it.
    var trimmed: [UInt8] {
        var (start, end) = (0, count)
        while start < end, self[start].isIn("\" ") { start += 1 }
        while end > start, self[end - 1].isIn("\" ") { end -= 1 }
        return part(start, end)
    }

    /// What is after the first sign, without quotes and blanks around it; all if there is no sign.
    func value(after sign: StaticString) -> String {
        let index = first(of: sign)
        return part(index < count ? index + 1 : 0).trimmed.string
    }

    /// Where the fields of a text end: at each separator, and at the end.
    /// - Parameter isHeader: Whether a separator in quotes or between `<` and `>` doesn't count.
    @inline(never)
    func ends(_ separators: StaticString, isHeader: Bool) -> [Int] {
        var (ends, isQuoted, isEscaped): ([Int], Bool, Bool) = ([], false, false)
        for index in indices {
            let byte = self[index]
            if isHeader {
                if byte == .quote, !isEscaped { isQuoted.toggle() }
                if byte == .less { isQuoted = true }
                if byte == .greater { isQuoted = false }
                isEscaped = byte == .backslash && !isEscaped
            }
            if !isQuoted, byte.isIn(separators) { ends.append(index) }
        }
        ends.append(count)
        return ends
    }

    /// The text without percent encoding, even if it was escaped several times: both `%3D` and
    /// `%25253D` become `=`.
    var unescaped: [UInt8] {
        contains(.percent) ? unescaped(isURL: true, isJSON: false).bytes : self
    }

    /// The text without escapes, and where each of its bytes begins in this text.
    @inline(never)
    func unescaped(
        isURL: Bool, isJSON: Bool, isHTML: Bool = false
    ) -> (bytes: [UInt8], starts: [Int]) {
        var (bytes, starts, index): ([UInt8], [Int], Int) = ([], [], 0)
        while index < count {
            let start = index
            var byte = self[index]
            index += 1
            if isURL, byte == .percent {
                while has("25", at: index) { index += 2 }
                if let value = number(of: 2, at: index) {
                    byte = UInt8(truncatingIfNeeded: value)
                    index += 2
                }
            } else if isHTML, byte == 0x26, let reference = reference(at: index) {
                for byte in Array(reference.character.utf8) {
                    bytes.append(byte)
                    starts.append(start)
                }
                index = reference.end
                continue
            } else if isJSON, byte == .backslash, index < count {
                byte = self[index]
                index += 1
                switch byte {
                case UInt8(ascii: "n"): byte = .lineFeed
                case UInt8(ascii: "t"): byte = .tab
                case UInt8(ascii: "r"): byte = .carriageReturn
                case UInt8(ascii: "b"): byte = 8
                case UInt8(ascii: "f"): byte = 12
                case UInt8(ascii: "u"):
                    guard var value = number(of: 4, at: index) else { break }
                    index += 4
                    // A character beyond U+FFFF has two escapes.
                    if value >> 10 == 0x36, has("\\u", at: index),
                        let low = number(of: 4, at: index + 2), low >> 10 == 0x37
                    {
                        value = 0x10000 + (value & 0x3FF) << 10 + low & 0x3FF
                        index += 6
                    }
                    for byte in Array(String(UnicodeScalar(value) ?? "\u{FFFD}").utf8) {
                        bytes.append(byte)
                        starts.append(start)
                    }
                    continue
                default: break
                }
            }
            bytes.append(byte)
            starts.append(start)
        }
        starts.append(count)
        return (bytes, starts)
    }

    /// The character that a reference of HTML or XML stands for, such as `amp;` or `#x26;`, and
    /// where it ends.
    private func reference(at start: Int) -> (character: String, end: Int)? {
        let end = first(of: ";& ", from: start)
        guard has(";", at: end), end - start < 9 else { return nil }
        let name = part(start, end).string
        let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        if let character = names[name] { return (character, end + 1) }
        let code =
            name.hasPrefix("#x")
            ? UInt32(name.dropFirst(2), radix: 16)
            : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
        return code.flatMap(UnicodeScalar.init).map { (String($0), end + 1) }
    }

    /// The number that hexadecimal digits stand for; `nil` if there are fewer.
    private func number(of digits: Int, at start: Int) -> UInt32? {
        guard start + digits <= count else { return nil }
        var number: UInt32 = 0
        for index in start..<start + digits {
            let (byte, letter) = (self[index], self[index] | 0x20)
            guard byte.isDigit || (0x61...0x66).contains(letter) else { return nil }
            number = number << 4 | UInt32(byte.isDigit ? byte - 0x30 : letter - 0x57)
        }
        return number
    }

    /// Whether a text in quotes isn't cut off.
    fileprivate var isEndedText: Bool {
        guard count > 1, last == .quote else { return false }
        var start = count - 1
        while self[start - 1] == .backslash { start -= 1 }
        return (count - 1 - start) % 2 == 0
    }

    /// The text in quotes, as JSON writes it; without the last quote if `other` has none.
    func quotedForJSON(like other: [UInt8]) -> [UInt8] {
        var text: [UInt8] = [.quote]
        for byte in self {
            if byte < 0x20 {
                text += Array("\\u00".utf8)
                text.append(0x30 + byte >> 4)
                text.append(byte & 15 + (byte & 15 < 10 ? 0x30 : 0x57))
            } else {
                if byte.isIn("\"\\") { text.append(.backslash) }
                text.append(byte)
            }
        }
        if other.isEndedText { text.append(.quote) }
        return text
    }

    /// The range of the user info in a URL's text, without the `@`; `nil` if there is none.
    package var userInfo: Range<Int>? {
        let (end, slash) = (endOfAuthority, first(of: "/?#"))
        guard end > 0, slash == 0 || self[slash - 1] == .colon else { return nil }
        let at = part(0, end).lastIndex(of: 0x40) ?? 0
        return at > slash ? slash + 2..<at : nil
    }

    /// Whether a URL with a password is in the text: `postgres://ann:s3cret@h`.
    var hasPassword: Bool {
        var slashes = index(of: Array("://".utf8))
        while slashes < count {
            let end = first(of: "/?# \t\r\n\"'<>", from: slashes + 3)
            let authority = part(slashes + 3, end)
            let colon = authority.first(of: ":")
            if colon < authority.count, authority.first(of: "@", from: colon) < authority.count {
                return true
            }
            slashes = index(of: Array("://".utf8), from: end)
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
        first?.isIn("/?#") == true && first(of: " \t\r\n\"<'") == count
            || endOfAuthority > 0 && first(of: " \t\r\n\"<'") == count
    }
}
