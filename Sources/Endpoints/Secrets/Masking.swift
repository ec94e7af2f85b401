import Foundation

/// What hides secrets in whatever is printed or stored: URLs, headers, bodies, texts.
///
/// Three rules, which <doc:Secrets> explains: values that are known to be secret are hidden
/// wherever they stand; where there is structure, the values of secret names are hidden; and a text
/// without structure is shown whole, or not at all.
package struct Masking: Sendable {
    /// What stands for a secret in JSON. Anywhere else it is a replacement, such as `…`.
    package enum Style: Sendable {
        /// `"…"` for a text, and `…` for anything else, which is short, but not JSON.
        case short
        /// `"…"`.
        case text
        /// A replacement for each text and number. Names, `true`, `false` and `null` are kept, so
        /// that the value decodes as before.
        case typed
    }

    /// What a replacement stands in.
    package enum Kind: Sendable {
        case text, number, part
    }

    package let names: SecretNames
    package let style: Style
    /// Whether a body that can't be read is shown even if it has a secret name.
    package var showsUnparsedBodies = false
    /// The replacement of a secret.
    package var replacement: @Sendable (String, Kind) -> String = { _, _ in "…" }
    package var known: KnownSecrets
    /// The secrets that were found by their names.
    package private(set) var found: [String] = []
    /// The names whose values were hidden.
    package private(set) var hidden: Set<String> = []

    package init(
        _ names: SecretNames, _ style: Style = .short, known: KnownSecrets = KnownSecrets()
    ) {
        self.names = names
        self.style = style
        self.known = known
    }

    /// What stands for the value of a name.
    mutating func hide(_ value: [UInt8], of name: String, _ kind: Kind = .part) -> [UInt8] {
        found.append(value.string)
        hidden.insert(name)
        return Array(replacement(value.string, kind).utf8)
    }

    /// A text in which the secrets are hidden that are known by their values; `nil` if it has none.
    func hidingKnown(in text: [UInt8], _ kind: Kind = .part) -> [UInt8]? {
        // Whoever masks no names, masks nothing.
        names.isEmpty ? nil : known.hiding(text) { replacement($0, kind) }
    }

    // MARK: Bodies

    /// A body without its secrets, or `nil` if it can't be read and has a secret name.
    /// - Parameter isCutOff: Whether this is only the beginning of the body.
    package mutating func body(
        _ body: [UInt8], _ type: String, isCutOff: Bool = false
    ) -> [UInt8]? {
        guard !names.isEmpty, !body.isEmpty else { return body }
        if let parts = body.multipartParts(type) { return masked(parts, in: body) }
        let type = type.lowercased()
        if type.hasPrefix("application/x-www-form-urlencoded") {
            let form = form(body, .form)
            return hidingKnown(in: form) ?? form
        }
        if type.isJSONLines || type.hasPrefix("text/event-stream") { return lines(body) }
        let start = body.has("\u{FEFF}".utf8, at: 0) ? 3 : 0
        if let json = json(Array(body[start...]), isCutOff: isCutOff) {
            return body[..<start] + json
        }
        if showsUnparsedBodies || !hasSecretName(body) { return hidingKnown(in: body) ?? body }
        return nil
    }

    /// Each line alone, as JSON with a name such as `data: ` before it.
    private mutating func lines(_ body: [UInt8]) -> [UInt8] {
        var masked: [UInt8] = []
        for line in body.split(separator: .lineFeed, omittingEmptySubsequences: false) {
            if line.startIndex > 0 { masked.append(.lineFeed) }
            let start = line.firstIndex { $0.isIn("{[\"") } ?? line.endIndex
            let end = line.last == .carriageReturn ? line.endIndex - 1 : line.endIndex
            let text = Array(line[min(start, end)..<end])
            let prefix = line[..<min(start, end)]
            if prefix.allSatisfy({ $0.isWordByte || $0.isIn(": \u{1E}") }), !text.isEmpty,
                let json = json(text, isCutOff: false)
            {
                masked += prefix + json
            } else if !showsUnparsedBodies, hasSecretName(Array(line[..<end])) {
                masked += Array("…".utf8)
            } else {
                masked += hidingKnown(in: Array(line[..<end])) ?? Array(line[..<end])
            }
            masked += line[end...]
        }
        return masked
    }

    private mutating func masked(_ parts: [MultipartPart], in body: [UInt8]) -> [UInt8] {
        var masked: [UInt8] = []
        var end = 0
        for part in parts {
            masked += body[end..<part.head.lowerBound] + head(body[part.head])
            let content = Array(body[part.content])
            masked += body[part.head.upperBound..<part.content.lowerBound]
            let (name, type) = part.nameAndType(in: body)
            if names.contains(name, in: .form), !content.isEmpty {
                masked += hide(content, of: name)
            } else {
                masked += self.body(content, type) ?? Array(Self.summary(type, content.count).utf8)
            }
            end = part.content.upperBound
        }
        return masked + body[end...]
    }

    /// The headers of a part.
    private mutating func head(_ head: ArraySlice<UInt8>) -> [UInt8] {
        var masked: [UInt8] = []
        for line in head.split(separator: .lineFeed, omittingEmptySubsequences: false) {
            if line.startIndex > head.startIndex { masked.append(.lineFeed) }
            let value = line.firstIndex(of: .colon).map { $0 + 1 } ?? line.startIndex
            masked += line[..<value] + header(Array(line[value...]), keepsName: true)
        }
        return masked
    }

    /// What stands for a body that can't be read, such as `text/csv, 312 bytes`.
    package static func summary(_ type: String, _ size: Int) -> String {
        let name = type.lowercased().prefix { $0 != ";" }
        return "\(name.isEmpty ? "" : "\(name), ")\(size) bytes"
    }

    /// How much of a body is read to show its beginning.
    package static let window = 1 << 16

    /// The beginning of a response's body, or the body's type and size if it isn't shown.
    /// - Parameter limit: The most bytes that are shown.
    package mutating func beginning(
        of data: Data, _ type: String = "", upTo limit: Int = 512
    ) -> (text: String, isShown: Bool) {
        guard let body = twice(Array(data.prefix(Self.window)), type, data.count > Self.window)
        else { return (Self.summary(type, data.count), false) }
        // No character is cut.
        var end = min(limit, body.count)
        while end > 0, end < body.count, body[end] & 0xC0 == 0x80 { end -= 1 }
        return (body[..<end].string, true)
    }

    /// A body without its secrets. What is found by a name is hidden in the rest of the body too.
    package mutating func twice(
        _ body: [UInt8], _ type: String, _ isCutOff: Bool = false
    ) -> [UInt8]? {
        var first = Masking(names, .typed)
        _ = first.body(body, type, isCutOff: isCutOff)
        for value in first.found where value.isDistinctive { known.insert(value) }
        return self.body(body, type, isCutOff: isCutOff)
    }

    /// The secrets in a secret header's value: a cookie's value, or what is after a scheme such as
    /// `Bearer`.
    package static func secrets(inHeader name: String, _ value: String) -> [String] {
        let name = name.lowercased()
        if name == "cookie" || name == "set-cookie" {
            let cookies = value.splitOutsideQuotes(at: .semicolon)
            return cookies.prefix(name == "cookie" ? cookies.count : 1).map {
                $0.value(after: .equals)
            }
        }
        guard let blank = value.firstIndex(of: " ") else { return [value] }
        let rest = String(value[blank...]).trimmingBlanks
        guard rest.contains("=\"") || rest.contains(",") else {
            let pair = Data(base64Encoded: rest).flatMap { String(utf8: $0) }
            return [value, rest] + (pair.map { [$0, $0.value(after: .colon)] } ?? [])
        }
        // Parameters, as of Digest, of which some are ordinary words.
        let parameters = rest.splitOutsideQuotes(at: .comma).filter {
            let name = String($0.prefix { $0 != "=" }).trimmingBlanks
            return ["response", "mac"].contains(name)
                || SecretNames.usual.contains(name, in: .header)
        }
        return [value] + parameters.map { $0.value(after: .equals) }
    }

    // MARK: URLs, forms and headers

    /// A form without its secrets, or the query of a URL.
    mutating func form(
        _ text: some Collection<UInt8>, _ place: SecretNames.Place,
        separators: StaticString = "&"
    ) -> [UInt8] {
        var masked: [UInt8] = []
        var field: [UInt8] = []
        for byte in text {
            guard byte.isIn(separators) else {
                field.append(byte)
                continue
            }
            masked += self.field(field, place) + [byte]
            field = []
        }
        return masked + self.field(field, place)
    }

    /// `name=value`, with another value if the name is secret, or if a secret's name is in it.
    private mutating func field(_ field: [UInt8], _ place: SecretNames.Place) -> [UInt8] {
        guard let sign = field.firstIndex(of: .equals) else {
            return known.segments.contains(field) || names.assignsSecret(field)
                ? hide(field, of: "…") : field
        }
        let (name, value) = (Array(field[..<sign]), Array(field[(sign + 1)...]))
        guard !value.isEmpty || place == .query else { return field }
        if names.contains(name, in: place) {
            let text = value.unescaped
            if text != value { found.append(text.string) }
            let decoded = text.map { $0 == 0x2B ? .space : $0 }
            if decoded != text { found.append(decoded.string) }
            return field[...sign] + hide(value, of: name.unescaped.string)
        }
        return names.assignsSecret(value) ? field[...sign] + hide(value, of: "…") : field
    }

    /// A URL or a reference, with replacements for secret values and without user info.
    mutating func url(_ text: [UInt8], keepsFragment: Bool) -> [UInt8] {
        var text = text
        let end = text.firstIndex(of: 0x23) ?? text.count
        let fragment = Array(text[end...])
        text.removeSubrange(end...)
        if let userInfo = text.userInfo {
            let info = text[userInfo]
            let password = info.firstIndex(of: .colon).map { info[($0 + 1)...] } ?? info
            found += [password.string, Array(password).unescaped.string]
            text.removeSubrange(userInfo.lowerBound...userInfo.upperBound)
        }
        let query = text.firstIndex(of: 0x3F) ?? text.count
        let path = text.endOfAuthority
        // A segment may have parameters: `/a;jsessionid=1`.
        var masked = Array(text[..<path]) + form(text[path..<query], .query, separators: "/;")
        if query < text.count { masked += [0x3F] + form(text[(query + 1)...], .query) }
        if keepsFragment { masked += form(fragment, .query, separators: "&?") }
        return masked
    }

    /// A URL without user info and fragment, and with `…` for secret values; empty for `nil`.
    package mutating func url(_ url: URL?) -> String {
        let masked = self.url(Array((url?.absoluteString ?? "").utf8), keepsFragment: false)
        return (hidingKnown(in: masked) ?? masked).string
    }

    /// The value of a header: a URL, JSON, or fields.
    /// - Parameter keepsName: Whether a field `name` is only the name of a part.
    mutating func header(_ text: [UInt8], keepsName: Bool = false) -> [UInt8] {
        if let json = nestedJSON(text) { return json }
        let isURL = text.first?.isIn("/?#") == true || text.endOfAuthority > 0
        if !text.contains(where: { $0.isBlank || $0.isIn(isURL ? "\"<" : "\"<,") }) {
            return reference(text)
        }
        var (masked, start, isQuoted, isEscaped): ([UInt8], Int, Bool, Bool) = ([], 0, false, false)
        for index in 0...text.count {
            if index < text.count {
                let byte = text[index]
                if byte == .quote, !isEscaped { isQuoted.toggle() }
                if byte == .less { isQuoted = true }
                if byte == .greater { isQuoted = false }
                isEscaped = byte == .backslash && !isEscaped
                guard !isQuoted, byte.isIn(",;") else { continue }
            }
            guard let field = headerField(Array(text[start..<index]), keepsName)
            else { return hide(text, of: "…") }
            masked += field + text[index..<min(index + 1, text.count)]
            start = index + 1
        }
        return hidingKnown(in: masked) ?? masked
    }

    /// One of a header's fields; `nil` if something in it can't be read and has a secret name.
    private mutating func headerField(_ field: [UInt8], _ keepsName: Bool) -> [UInt8]? {
        let blanks = field.prefix(while: \.isBlank)
        var rest = Array(field[blanks.endIndex...])
        if rest.first == .less, let end = rest.firstIndex(of: .greater) {
            rest = [.less] + url(Array(rest[1..<end]), keepsFragment: true) + rest[end...]
            return blanks + rest
        }
        // A URL may have user info, which isn't shown.
        if rest.userInfo != nil { return blanks + url(rest, keepsFragment: true) }
        guard let sign = rest.firstIndex(of: .equals) else {
            return names.assignsSecret(rest) ? nil : field
        }
        let (name, value) = (Array(rest[..<sign]), Array(rest[(sign + 1)...]))
        if names.contains(name, in: .header), value.contains(where: { !$0.isIn("\" ") }) {
            found.append(value.filter { $0 != .quote }.string)
            return blanks + rest[...sign] + hide(value, of: name.string)
        }
        guard names.assignsSecret(rest) else {
            return value.userInfo == nil
                ? field : blanks + rest[...sign] + url(value, keepsFragment: true)
        }
        return keepsName || !value.isEmpty && !names.assignsSecret(name + [.colon, .colon])
            ? blanks + rest[...sign] + hide(value, of: "…") : nil
    }

    // MARK: Texts

    /// A text of a user's, or of a server's, without its secrets.
    package mutating func text(_ text: String) -> String { leaf(Array(text.utf8)).string }

    /// The value of a header that isn't secret as a whole, without its secrets.
    package mutating func header(_ text: String) -> String {
        names.isEmpty ? text : header(Array(text.utf8)).string
    }

    /// A text inside of another, such as a string in JSON: a URL, JSON, or a text that is hidden
    /// whole if it assigns a value to a secret name, as `bad token: t0k3n` does.
    mutating func leaf(_ text: [UInt8], _ level: Int = 0) -> [UInt8] {
        guard !names.isEmpty else { return text }
        if let json = nestedJSON(text, level) { return json }
        if !text.contains(where: { $0.isBlank || $0.isIn("\"<'") }) { return reference(text) }
        if names.assignsSecret(text) { return hide(text, of: "…") }
        return hidingKnown(in: text) ?? text
    }

    private mutating func nestedJSON(_ text: [UInt8], _ level: Int = 0) -> [UInt8]? {
        guard let first = text.first(where: { !$0.isBlank }), first.isIn("{["), level < 4
        else { return nil }
        return json(text, isCutOff: false, level + 1)
    }

    private mutating func reference(_ text: [UInt8]) -> [UInt8] {
        let isReference =
            text.contains { $0 == .equals || $0 == .percent } || text.userInfo != nil
        let masked =
            isReference
            ? url(text, keepsFragment: true)
            : names.assignsSecret(text) ? hide(text, of: "…") : text
        return hidingKnown(in: masked) ?? masked
    }

    /// Whether a text without structure has a name that is secret everywhere, or assigns a value to
    /// a secret name.
    private func hasSecretName(_ text: [UInt8]) -> Bool {
        // Without its zeros, UTF-16 is ASCII, mostly.
        let isText = !text.contains(0)
        let text = (isText ? text : text.filter { $0 != 0 }).unescaped
        if names.assignsSecret(text) { return true }
        // Short words occur in any bytes.
        let isUTF8 = isText && String(utf8: text.dropLast(0)) != nil
        return names.occur(in: text, shortest: isUTF8 || isText ? 1 : 5)
    }
}

extension SecretNames {
    /// Whether a text has a name that is secret in JSON, as a word.
    fileprivate func occur(in text: [UInt8], shortest: Int) -> Bool {
        var start = 0
        for index in 0...text.count
        where index == text.count || !text[index].isWordByte && !text[index].isIn("-_") {
            if index - start >= shortest, contains(Array(text[start..<index]), in: .json) {
                return true
            }
            start = index + 1
        }
        return false
    }

    /// Whether a text has a secret name with a value after it: `token=t0k3n`, `"token": "t0k3n"`,
    /// `<token>t0k3n`.
    /// Escapes such as `%3D` are read, however often they are escaped.
    func assignsSecret(_ text: [UInt8]) -> Bool {
        let text = text.contains(.percent) ? text.unescaped : text
        var index = 0
        while index < text.count {
            let start = index
            while index < text.count, text[index].isWordByte || text[index].isIn("-_.[]") {
                index += 1
            }
            guard index > start else {
                index += 1
                continue
            }
            let name = start..<index
            while index < text.count, text[index].isBlank || text[index].isIn("\"'\\") {
                index += 1
            }
            if start > 0,
                text[start - 1] == .less
                    || text[start - 1] == .colon && index < text.count && text[index] == .greater,
                contains(Array(text[name]), in: .json)
            {
                return true
            }
            guard index + 1 < text.count, text[index].isIn("=:") else { continue }
            // `?key=` is a sign of a URL.
            let isInQuery =
                text[index] == .equals && (start == 0 || text[start - 1].isIn("?&;#"))
            if contains(Array(text[name]), in: isInQuery ? .query : .json) { return true }
        }
        return false
    }

    /// A URL without user info and fragment, and with `…` for secret values; empty for `nil`.
    public func masked(_ url: URL?) -> String {
        var masking = Masking(self)
        return masking.url(url)
    }
}

extension [UInt8] {
    /// The range of the user info in a URL's text, without the `@`; `nil` if there is none.
    package var userInfo: Range<Int>? {
        guard let slash = firstIndex(where: { $0.isIn("/?#") }), has("//".utf8, at: slash),
            slash == 0 || self[slash - 1] == .colon
        else { return nil }
        let start = slash + 2
        let end = self[start...].firstIndex { $0.isIn("/?#") } ?? count
        return self[start..<end].lastIndex(of: 0x40).map { start..<$0 }
    }

    /// Where the path begins in a URL's text.
    fileprivate var endOfAuthority: Int {
        guard let slash = firstIndex(where: { $0.isIn("/?#") }), has("//".utf8, at: slash)
        else { return 0 }
        return self[(slash + 2)...].firstIndex { $0.isIn("/?#") } ?? count
    }

    /// The text without percent encoding, even if it was escaped several times: both `%3D` and
    /// `%25253D` become `=`.
    var unescaped: [UInt8] {
        guard contains(.percent) else { return self }
        var text: [UInt8] = []
        var index = 0
        while index < count {
            var digits = index + 1
            if self[index] == .percent {
                while has("25".utf8, at: digits) { digits += 2 }
                let end = digits + 2
                if end <= count, self[digits..<end].allSatisfy(ASCIISet.hexadecimalDigits.contains),
                    let byte = UInt8(self[digits..<end].string, radix: 16)
                {
                    text.append(byte)
                    index = end
                    continue
                }
            }
            text.append(self[index])
            index = digits
        }
        return text
    }
}

extension String {
    /// Whether a value is hardly an ordinary word, so that it can be hidden wherever it stands.
    package var isDistinctive: Bool {
        utf8.count > 15 || utf8.contains { !(0x61...0x7A).contains($0 | 0x20) }
    }

    /// What is after the first sign, without quotes and blanks around it; all if there is no sign.
    fileprivate func value(after sign: UInt8) -> String {
        let bytes = Array(utf8)
        let start = bytes.firstIndex(of: sign).map { $0 + 1 } ?? 0
        let value = bytes[start...].drop { $0.isIn("\" ") }.reversed().drop { $0.isIn("\" ") }
        return Array(value.reversed()).string
    }
}
