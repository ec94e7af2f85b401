import Foundation

/// What hides secrets in whatever is printed or stored: URLs, headers, bodies, texts.
///
/// Three rules, which <doc:Secrets> explains: values that are known to be secret are hidden
/// wherever they stand; where there is structure, the values of secret names are hidden; and a text
/// without structure is shown whole, or not at all.
package struct Masking: Sendable {
    /// How deep bodies and texts within others are read.
    private static let depth = 4

    package let names: SecretNames
    /// What stands for a number, a list or an object of a secret in JSON. Without it, each text and
    /// number in it is replaced, so that the value decodes as before.
    let whole: [UInt8]?
    /// Whether a body that can't be read is shown even if it has a secret name.
    var showsUnparsedBodies = false
    /// The replacement of a secret, which may be a number; `…` without it.
    package var replacement: (@Sendable (String, _ isNumber: Bool) -> String)?
    private(set) var known: KnownSecrets
    /// The secrets that were found by a name, or by what stands around them.
    package private(set) var found: [(name: String, value: String)] = []

    init(_ names: SecretNames, whole: String? = "…", known: KnownSecrets = KnownSecrets()) {
        self.names = names
        self.whole = whole.map { Array($0.utf8) }
        self.known = known
    }

    /// Also hides a value, wherever it stands.
    package mutating func insert(_ secret: String) { known.insert(secret) }

    private func mask(of value: String, isNumber: Bool = false) -> [UInt8] {
        Array((replacement?(value, isNumber) ?? "…").utf8)
    }

    /// What stands for the value of a name.
    private mutating func hide(
        _ value: [UInt8], of name: [UInt8] = [], isNumber: Bool = false
    ) -> [UInt8] {
        found.append((name.string, value.string))
        return mask(of: value.string, isNumber: isNumber)
    }

    /// A text in which only the secrets are hidden that are known by their values.
    package func hidingKnown(in text: String) -> String {
        hidingKnown(in: Array(text.utf8)).string
    }

    private func hidingKnown(in text: [UInt8]) -> [UInt8] {
        // Whoever masks no names, masks nothing.
        names.isEmpty ? text : known.hiding(text) { mask(of: $0) }
    }

    // MARK: URLs, headers and texts

    /// A URL without user info and fragment, and with `…` for secret values; empty for `nil`.
    package mutating func url(_ url: URL?) -> String {
        self.url(Array((url?.absoluteString ?? "").utf8), keepsFragment: false).string
    }

    /// A text of a user's, or of a server's, without its secrets.
    package mutating func text(_ text: String) -> String { leaf(Array(text.utf8), 0).string }

    /// The value of a header that isn't secret as a whole, without its secrets.
    package mutating func header(_ text: String) -> String {
        names.isEmpty ? text : header(Array(text.utf8)).string
    }

    /// A URL or a reference, with replacements for secret values and without user info.
    mutating func url(_ text: [UInt8], keepsFragment: Bool) -> [UInt8] {
        var text = text
        if let userInfo = text.userInfo {
            let info = text.part(userInfo.lowerBound, userInfo.upperBound)
            let password = info.first(of: ":")
            found.append(("", info.part(password < info.count ? password + 1 : 0).unescaped.string))
            text.removeSubrange(userInfo.lowerBound...userInfo.upperBound)
        }
        let (path, fragment) = (text.endOfAuthority, text.first(of: "#"))
        let query = min(text.first(of: "?"), fragment)
        // A segment may have parameters: `/a;jsessionid=1`.
        var masked = text.part(0, path) + fields(text.part(path, query), .query, "/;")
        masked += text.part(query, min(query + 1, fragment))
        masked += fields(text.part(query + 1, fragment), .query, "&")
        if keepsFragment { masked += fields(text.part(fragment), .query, "#&?") }
        return hidingKnown(in: masked)
    }

    /// The value of a header: a URL, JSON, or fields.
    private mutating func header(_ text: [UInt8]) -> [UInt8] {
        if let shown = nestedJSON(text, 0) { return shown }
        if text.isReference { return url(text, keepsFragment: true) }
        var (masked, start): ([UInt8], Int) = ([], 0)
        for end in text.ends(",;", isHeader: true) {
            var field = start
            while field < end, text[field].isBlank { field += 1 }
            masked += text.part(start, field)
            let rest = text.part(field, end)
            let close = rest.first == .less ? rest.first(of: ">") : 0
            if close > 0 {
                masked += [.less] + url(rest.part(1, close), keepsFragment: true)
                masked += rest.part(close)
            } else if let shown = self.field(rest, .header) {
                masked += shown
            } else {
                return hide(text)
            }
            masked += text.part(end, end + 1)
            start = end + 1
        }
        return hidingKnown(in: masked)
    }

    /// Fields such as `a=1`, with a separator after each but the last.
    private mutating func fields(
        _ text: [UInt8], _ place: SecretNames.Place, _ separators: StaticString
    ) -> [UInt8] {
        var (masked, start): ([UInt8], Int) = ([], 0)
        for end in text.ends(separators, isHeader: false) {
            let field = text.part(start, end)
            masked += self.field(field, place) ?? hide(field)
            masked += text.part(end, end + 1)
            start = end + 1
        }
        return masked
    }

    /// `name=value`, with another value if it is secret; `nil` if a secret is in the rest.
    private mutating func field(_ field: [UInt8], _ place: SecretNames.Place) -> [UInt8]? {
        let sign = field.first(of: "=")
        let (name, value) = (field.part(0, sign), field.part(sign + 1))
        let plain = value.unescaped
        let isSegment = sign == field.count
        if isSegment || place == .header, names.occur(in: name) { return nil }
        // The token of a challenge (RFC 4559, section 5), which a proof answers.
        if place == .header,
            ["negotiate ", "ntlm "].contains(where: field.string.lowercased().hasPrefix)
        {
            return nil
        }
        if isSegment { return known.segments.contains(field.unescaped) ? nil : field }
        guard place == .query || !value.trimmed.isEmpty else { return field }
        if names.contains(name, in: place) {
            let secret = place == .header ? plain.filter { $0 != .quote } : plain
            return name + [.equals] + hide(secret, of: name.unescaped)
        }
        guard !names.occur(in: plain) else { return name + [.equals] + hide(plain) }
        if value.userInfo != nil {
            return name + [.equals] + url(value, keepsFragment: true)
        }
        return plain.userInfo == nil ? field : name + [.equals] + hide(plain)
    }

    /// A text inside of another, such as a string in JSON: a URL, JSON, or a text that is hidden
    /// whole if it gives a value to a secret name, as `bad token: t0k3n` does.
    private mutating func leaf(_ text: [UInt8], _ level: Int) -> [UInt8] {
        guard !names.isEmpty else { return text }
        if let shown = nestedJSON(text, level) { return shown }
        if text.isReference { return url(text, keepsFragment: true) }
        return names.occur(in: text) ? hide(text) : hidingKnown(in: text)
    }

    private mutating func nestedJSON(_ text: [UInt8], _ level: Int) -> [UInt8]? {
        let first = text.first { !$0.isBlank }
        guard first == 0x7B || first == 0x5B, level < Self.depth else { return nil }
        return json(text, isCutOff: false, level + 1)
    }

    /// The secrets in a secret header's value: a cookie's value, or what is after a scheme such as
    /// `Bearer`.
    package static func secrets(inHeader name: String, _ value: String) -> [String] {
        let (name, bytes) = (name.lowercased(), Array(value.utf8))
        let isCookie = name == "cookie" || name == "set-cookie"
        let rest = isCookie ? bytes : bytes.part(bytes.first(of: " ") + 1).trimmed
        var secrets = isCookie ? [] : [value]
        guard isCookie || rest.first(of: ",\"") < rest.count else {
            guard !rest.isEmpty else { return secrets }
            secrets.append(rest.string)
            guard let pair = Data(base64Encoded: rest.string) else { return secrets }
            return secrets + [[UInt8](pair).string, [UInt8](pair).value(after: ":")]
        }
        var start = 0
        for end in rest.ends(isCookie ? ";" : ",", isHeader: !isCookie) {
            let field = rest.part(start, end)
            start = end + 1
            if isCookie || parameters.contains(field.part(0, field.first(of: "=")), in: .header) {
                secrets.append(field.value(after: "="))
            }
            if name == "set-cookie" { break }
        }
        return secrets
    }

    /// Parameters of `Authorization` that are secret; others may be ordinary words.
    private static let parameters = SecretNames.usual.union(
        SecretNames(table: "31: response mac"))

    // MARK: Bodies

    /// How much of a body is read to show its beginning.
    static let window = 1 << 16

    /// What stands for a body that can't be read, such as `text/csv, 312 bytes`.
    package static func summary(_ type: String, _ size: Int) -> String {
        let name = type.lowercased().prefix { $0 != ";" }
        return "\(name.isEmpty ? "" : "\(name), ")\(size) bytes"
    }

    /// The beginning of a response's body, or the body's type and size if it isn't shown.
    ///
    /// - Parameters:
    ///   - data: The body, or at least its first 64 KB.
    ///   - size: The size of the whole body.
    ///   - limit: The most bytes that are shown.
    mutating func beginning(
        of data: Data, _ type: String = "", size: Int, upTo limit: Int = 512
    ) -> (text: String, isShown: Bool) {
        let isCutOff = size > Self.window
        guard let body = self.body(Array(data.prefix(Self.window)), type, isCutOff: isCutOff)
        else { return (Self.summary(type, size), false) }
        // No character is cut.
        var end = min(limit, body.count)
        while end > 0, end < body.count, body[end] & 0xC0 == 0x80 { end -= 1 }
        return (body.part(0, end).string, true)
    }

    /// A body without its secrets, or `nil` if it can't be read and has a secret name. What is
    /// found by a name is hidden in the rest of the body too.
    /// - Parameter isCutOff: Whether this is only the beginning of the body.
    package mutating func body(
        _ body: [UInt8], _ type: String, isCutOff: Bool = false
    ) -> [UInt8]? {
        var first = Masking(names)
        first.find(in: body, type, isCutOff: isCutOff)
        for secret in first.found where secret.value.isDistinctive { insert(secret.value) }
        return masked(body, type, isCutOff, 0)
    }

    /// Finds the secrets of a body.
    mutating func find(in body: [UInt8], _ type: String, isCutOff: Bool) {
        _ = masked(body, type, isCutOff, 0)
    }

    private mutating func masked(
        _ body: [UInt8], _ type: String, _ isCutOff: Bool, _ level: Int
    ) -> [UInt8]? {
        guard !names.isEmpty, !body.isEmpty else { return body }
        if let shown = multipart(body, type, level) { return shown }
        let type = type.lowercased()
        if type.hasPrefix("application/x-www-form-urlencoded") {
            return hidingKnown(in: fields(body, .form, "&"))
        }
        let isEvents = type.hasPrefix("text/event-stream")
        if isEvents || type.isJSONLines { return lines(body, isEvents: isEvents) }
        let start = body.has("\u{FEFF}", at: 0) ? 3 : 0
        if let json = json(body.part(start), isCutOff: isCutOff, 0) {
            return body.part(0, start) + json
        }
        guard !showsUnparsedBodies else { return hidingKnown(in: body) }
        // Without its zeros, UTF-16 is ASCII, mostly. Short words occur in any bytes.
        let text = body.filter { $0 != 0 }
        let hasName = names.occur(in: text, asWordsOf: text.count == body.count ? 1 : 5)
        return hasName ? nil : hidingKnown(in: body)
    }

    /// Each line alone, as JSON with a name such as `data: ` before it. If a line with the start of
    /// JSON is hidden, so are those that follow it in its event.
    /// - Parameter isEvents: Whether the lines are those of server-sent events.
    private mutating func lines(_ body: [UInt8], isEvents: Bool) -> [UInt8] {
        var (masked, start, isInJSON): ([UInt8], Int, Bool) = ([], 0, false)
        for next in body.ends("\n", isHeader: false) {
            let end = next > start && body[next - 1] == .carriageReturn ? next - 1 : next
            let line = body.part(start, end)
            let json = line.first(of: "{[\"")
            let prefix = line.part(0, json)
            let isField = prefix.allSatisfy { $0.isWordByte || $0.isIn(": \u{1E}") }
            let isType = isEvents && line.has("event:", at: 0)
            isInJSON = isInJSON && !line.isEmpty
            if isField, !isInJSON, json < line.count,
                let shown = self.json(line.part(json), isCutOff: false, 0)
            {
                masked += prefix + shown
            } else {
                let hasName = !isType && names.occur(in: line, asWordsOf: 1)
                let isHidden = !showsUnparsedBodies && (isInJSON && !isType || hasName)
                isInJSON = isEvents && isHidden && (isInJSON || json < line.count)
                masked += isHidden ? mask(of: line.string) : hidingKnown(in: line)
            }
            masked += body.part(end, next + 1)
            start = next + 1
        }
        return masked
    }

    private mutating func multipart(
        _ body: [UInt8], _ type: String, _ level: Int
    ) -> [UInt8]? {
        guard level < Self.depth, let parts = body.multipartParts(type) else { return nil }
        var (masked, start): ([UInt8], Int) = ([], 0)
        for part in parts {
            masked += around(body.part(start, part.head.lowerBound))
            let head = body.part(part.head.lowerBound, part.head.upperBound)
            start = 0
            for end in head.ends("\n", isHeader: false) {
                let colon = head.first(of: ":", from: start)
                let value = colon < end ? colon + 1 : start
                let isSecret = value > start && names.contains(head.part(start, colon), in: .header)
                masked += head.part(start, value)
                masked +=
                    isSecret ? hide(head.part(value, end)) : header(head.part(value, end))
                masked += head.part(end, end + 1)
                start = end + 1
            }
            let content = body.part(part.content.lowerBound, part.content.upperBound)
            masked += body.part(part.head.upperBound, part.content.lowerBound)
            if names.contains(part.name, in: .form), !content.isEmpty {
                masked += hide(content, of: part.name)
            } else if let shown = self.masked(content, part.type, false, level + 1) {
                masked += shown
            } else {
                masked += Array(Self.summary(part.type, content.count).utf8)
            }
            start = part.content.upperBound
        }
        return masked + around(body.part(start))
    }

    /// The text before, between and after the parts of a form: delimiters, mostly.
    private mutating func around(_ text: [UInt8]) -> [UInt8] {
        names.occur(in: text) ? hide(text) : hidingKnown(in: text)
    }

    /// JSON without its secrets; `nil` if the text isn't JSON.
    ///
    /// A member is secret by its name. So is the `value` of an object whose `name` is that of a
    /// secret, as in `{"name": "password", "value": "s3cret"}`.
    /// - Parameter isCutOff: Whether the text may end anywhere.
    private mutating func json(_ text: [UInt8], isCutOff: Bool, _ level: Int) -> [UInt8]? {
        guard let read = JSONTokens(text, isCutOff: isCutOff, names) else { return nil }
        var (masked, end, index): ([UInt8], Int, Int) = ([], 0, 0)
        // The last token of a secret value, and its name.
        var (last, name): (Int, [UInt8]) = (-1, [])
        masked.reserveCapacity(text.count)
        while index < read.tokens.count {
            let token = read.tokens[index]
            masked += text.part(end, token.start)
            end = token.end
            var shown = text.part(token.start, end)
            if index > last, let secret = read.secretName(of: index, names) {
                (last, name) = (max(index, token.last), secret)
            }
            let isSecret = index <= last
            switch token.kind {
            case .colon: shown = hidingKnown(in: shown)
            case .quote:
                let content = read.content(of: index)
                guard !content.isEmpty else { break }
                let hidden = isSecret ? hide(content, of: name) : leaf(content, level)
                if hidden != content { shown = hidden.quotedForJSON(like: shown) }
            case .digit where isSecret && whole == nil:
                shown = hide(shown, of: name, isNumber: true)
            case .digit where isSecret, .open where isSecret && whole != nil:
                for inner in index...last where read.tokens[inner].kind.isIn("\"0") {
                    found.append((name.string, read.content(of: inner).string))
                }
                shown = whole ?? []
                index = last
                end = isCutOff && last == read.tokens.count - 1 ? text.count : read.tokens[last].end
            default: break
            }
            masked += shown
            index += 1
        }
        return masked + text.part(end)
    }
}

extension SecretNames {
    /// Whether a text gives a value to a secret name: `token=t0k3n`, `"token": "t0k3n"`,
    /// `<token>t0k3n`, or has a URL with a password. Escapes such as `%3D` are read, however often
    /// they are escaped.
    /// - Parameter count: If a secret name of at least so many letters is enough, how many.
    @inline(never)
    func occur(in text: [UInt8], asWordsOf count: Int = .max) -> Bool {
        let text = text.unescaped
        guard !text.hasPassword else { return true }
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
            let name = text.part(start, index)
            if name.count >= count, contains(name, in: .json) { return true }
            while index < text.count, text[index].isBlank || text[index].isIn("\"'\\") {
                index += 1
            }
            let before = start > 0 ? text[start - 1] : 0
            let sign = index < text.count ? text[index] : 0
            // `?key=` is a sign of a URL.
            let isInQuery = sign == .equals && (start == 0 || before.isIn("?&;#"))
            let isTag = before == .less || before == .colon && sign == .greater
            if isTag || sign.isIn("=:") && index + 1 < text.count,
                contains(name, in: isInQuery ? .query : .json)
            {
                return true
            }
        }
        return false
    }

    /// A URL without user info and fragment, and with `…` for secret values; empty for `nil`.
    public func masked(_ url: URL?) -> String {
        var masking = Masking(self)
        return masking.url(url)
    }
}
