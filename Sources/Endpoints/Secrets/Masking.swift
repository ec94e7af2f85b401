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
    /// What isn't shown because it can't be read and has a secret name: the type and size of each
    /// body or part, or `a line`.
    private var unshown: [String] = []
    /// How deep the text that is read is in others.
    private var level = 0

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

    /// What stands for the value of a field or a part, each element of which is secret.
    /// - Parameter written: The value as it is written, with the escapes of a URL in a query or a
    ///   form. A separator that is escaped in it may belong to an element.
    private mutating func hide(
        _ value: [UInt8], of name: [UInt8], written: [UInt8]
    ) -> [UInt8] {
        let elements = name.isEmpty ? [] : written.elements
        found += elements.map { (name.string, $0.string) }
        return hide(value, of: name)
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

    /// The value of a header that isn't secret as a whole, without its secrets.
    package mutating func header(_ text: String) -> String {
        names.isEmpty ? text : header(Array(text.utf8)).string
    }

    /// A URL or a reference, with replacements for secret values and without user info.
    mutating func url(_ text: [UInt8], keepsFragment: Bool) -> [UInt8] {
        var text = text
        if let userInfo = text.userInfo {
            let info = text.part(userInfo.lowerBound, userInfo.upperBound)
            let colon = info.first(of: ":")
            found.append(("", info.part(colon < info.count ? colon + 1 : 0).unescaped.string))
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
        if let shown = structured(text) { return shown }
        var masked: [UInt8] = []
        for (piece, end) in text.pieces(",;", isHeader: true) {
            let rest = piece.part(piece.prefix(while: \.isBlank).count)
            masked += piece.part(0, piece.count - rest.count)
            let close = rest.first == .less ? rest.first(of: ">") : 0
            if close > 0 {
                masked += [.less] + url(rest.part(1, close), keepsFragment: true)
                masked += rest.part(close)
            } else {
                guard let shown = field(rest, .header) else { return hide(text) }
                masked += shown
            }
            masked += end
        }
        return hidingKnown(in: masked)
    }

    /// Fields such as `a=1`, with a separator after each but the last.
    private mutating func fields(
        _ text: [UInt8], _ place: SecretNames.Place, _ separators: StaticString
    ) -> [UInt8] {
        var masked: [UInt8] = []
        for (piece, end) in text.pieces(separators) {
            masked += (field(piece, place) ?? hide(piece)) + end
        }
        return masked
    }

    /// `name=value`, with another value if it is secret; `nil` if a secret is in the rest.
    private mutating func field(_ field: [UInt8], _ place: SecretNames.Place) -> [UInt8]? {
        let sign = field.first(of: "=")
        let (name, value) = (field.part(0, sign), field.part(sign + 1).unescaped)
        let isSegment = sign == field.count
        if isSegment || place == .header, names.occur(in: name) { return nil }
        // The token of a challenge (RFC 4559, section 5), which a proof answers.
        if place == .header {
            let start = field.part(0, 10).string.lowercased()
            if start.hasPrefix("negotiate ") || start.hasPrefix("ntlm ") { return nil }
        }
        if isSegment { return known.segments.contains(field.unescaped) ? nil : field }
        guard place == .query || !field.part(sign + 1).trimmed.isEmpty else { return field }
        let isSecret = names.contains(name[...], in: place)
        guard isSecret || names.occur(in: value) || value.userInfo != nil else { return field }
        let secretName = isSecret ? name.unescaped : []
        return name + [.equals] + hide(value.trimmed, of: secretName, written: field.part(sign + 1))
    }

    /// A text inside of another, such as a string in JSON: a URL, JSON, or a text that is hidden
    /// whole if it gives a value to a secret name, as `bad token: t0k3n` does.
    mutating func leaf(_ text: [UInt8]) -> [UInt8] {
        names.isEmpty ? text : structured(text) ?? plain(text)
    }

    private mutating func plain(_ text: [UInt8]) -> [UInt8] {
        names.occur(in: text) ? hide(text) : hidingKnown(in: text)
    }

    /// JSON or a URL without its secrets; `nil` for any other text.
    private mutating func structured(_ text: [UInt8]) -> [UInt8]? {
        level += 1
        defer { level -= 1 }
        let isJSON = text.first { !$0.isBlank }?.isIn("{[") == true && level <= Self.depth
        if isJSON, let shown = json(text) { return shown }
        return text.isReference ? url(text, keepsFragment: true) : nil
    }

    /// The secrets in a secret header's value: a cookie's value, what is after a scheme such as
    /// `Bearer`, and each element of a list.
    package static func secrets(inHeader name: String, _ value: String) -> [String] {
        let (name, bytes) = (name.lowercased(), Array(value.utf8))
        guard name != "cookie", name != "set-cookie" else {
            let cookies = bytes.pieces(";").map { $0.text.value(after: "=") }
            return Array(name == "cookie" ? cookies[...] : cookies.prefix(1))
        }
        let elements = bytes.listElements
        // Parameters after a scheme, as in `Digest realm="r", response="6629"`, may be ordinary.
        let hasParameters = elements[0].isAfterScheme
        var secrets = [value]
        for element in elements {
            let parameter = element.parameter
            if let parameter, parameters.contains(parameter.name[...], in: .header) {
                secrets.append(parameter.value)
            }
            if hasParameters, parameter != nil { continue }
            let rest = element.part(element.first(of: " ") + 1).trimmed
            // Others may send Base64 without its padding, or a signature without its account.
            let padding = rest.reversed().prefix { $0 == .equals }.count
            let unpadded = rest.part(0, rest.count - padding).string
            for secret in [element.string, rest.string, unpadded, rest.value(after: ":")]
            where !secret.isEmpty && !secrets.contains(secret) { secrets.append(secret) }
            guard let pair = Data(base64Encoded: rest.string), !rest.isEmpty else { continue }
            secrets += [[UInt8](pair).string, [UInt8](pair).value(after: ":")]
        }
        return secrets
    }

    /// Parameters of `Authorization` that are secret; others may be ordinary words.
    private static let parameters = SecretNames.usual.union(["response", "mac"])

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
        guard let body = self.body(Array(data.prefix(Self.window)), type, isCutOff: isCutOff).bytes
        else { return (Self.summary(type, size), false) }
        // No character is cut.
        var end = min(limit, body.count)
        while end > 0, end < body.count, body[end] & 0xC0 == 0x80 { end -= 1 }
        return (body.part(0, end).string, true)
    }

    /// A body without its secrets, or `nil` if it can't be read and has a secret name; and what of
    /// the body isn't shown for this reason. What is found by a name is hidden in all of the body.
    /// - Parameter isCutOff: Whether this is only the beginning of the body.
    package mutating func body(
        _ body: [UInt8], _ type: String, isCutOff: Bool = false
    ) -> (bytes: [UInt8]?, unshown: [String]) {
        var first = Masking(names)
        _ = first.masked(body, type, isCutOff: isCutOff)
        for secret in first.found where secret.value.isDistinctive { insert(secret.value) }
        unshown = []
        return (masked(body, type, isCutOff: isCutOff), unshown)
    }

    /// A body without its secrets, which are then in ``found``.
    mutating func masked(_ body: [UInt8], _ type: String, isCutOff: Bool = false) -> [UInt8]? {
        guard !names.isEmpty, !body.isEmpty else { return body }
        if let shown = multipart(body, type) { return shown }
        let type = type.lowercased()
        if type.hasPrefix("application/x-www-form-urlencoded") {
            return hidingKnown(in: fields(body, .form, "&"))
        }
        let isEvents = type.hasPrefix("text/event-stream")
        if isEvents || type.isJSONLines { return lines(body, isEvents: isEvents) }
        if let json = json(body, isCutOff: isCutOff) { return json }
        // Without its zeros, UTF-16 is ASCII, mostly.
        let text = body.filter { $0 != 0 }
        let isHidden = names.occur(in: text, asWordsOf: 1, isText: text.isText)
        guard isHidden, !showsUnparsedBodies else { return hidingKnown(in: body) }
        unshown.append(Self.summary(type, body.count))
        return nil
    }

    /// Each line alone, as JSON with a name such as `data: ` before it. If a line with the start of
    /// JSON is hidden, so are those that follow it in its event.
    /// - Parameter isEvents: Whether the lines are those of server-sent events.
    private mutating func lines(_ body: [UInt8], isEvents: Bool) -> [UInt8] {
        var (masked, isInJSON): ([UInt8], Bool) = ([], false)
        for (line, end) in body.pieces("\n") {
            let start = line.first(of: "{[\"")
            let prefix = line.part(0, start)
            // Types of events are often called `token`.
            let count = isEvents && line.has("event:", at: 0) ? Int.max : 1
            isInJSON = isInJSON && !line.allSatisfy(\.isBlank)
            if !isInJSON, prefix.allSatisfy({ $0.isWordByte || $0.isIn(": \u{1E}") }),
                let shown = json(line.part(start))
            {
                masked += prefix + shown
            } else if !showsUnparsedBodies, isInJSON || names.occur(in: line, asWordsOf: count) {
                isInJSON = isEvents && (isInJSON || start < line.count)
                unshown.append("a line")
                let end = line.last == .carriageReturn ? line.count - 1 : line.count
                masked += mask(of: line.part(0, end).string) + line.part(end)
            } else {
                // A private key goes on in the lines after its first.
                isInJSON = isEvents && line.index(of: "PRIVATE KEY-----") < line.count
                masked += hidingKnown(in: line)
            }
            masked += end
        }
        return masked
    }

    private mutating func multipart(_ body: [UInt8], _ type: String) -> [UInt8]? {
        guard level < Self.depth, let parts = body.multipartParts(type) else { return nil }
        level += 1
        defer { level -= 1 }
        var (masked, start): ([UInt8], Int) = ([], 0)
        for part in parts {
            masked += plain(body.part(start, part.head.lowerBound))
            var isSecret = false
            for (line, end) in body.part(part.head.lowerBound, part.head.upperBound).pieces("\n") {
                // A header may go on in lines that are indented.
                let colon = line.first?.isBlank == true ? line.count : line.first(of: ":")
                let value = colon < line.count ? colon + 1 : 0
                if value > 0 { isSecret = names.contains(line[..<colon], in: .header) }
                masked += line.part(0, value)
                masked += isSecret ? hide(line.part(value)) : header(line.part(value))
                masked += end
            }
            let content = body.part(part.content.lowerBound, part.content.upperBound)
            masked += body.part(part.head.upperBound, part.content.lowerBound)
            masked +=
                names.contains(part.name[...], in: .form) && !content.isEmpty
                ? hide(content, of: part.name, written: content)
                : self.masked(content, part.type)
                    ?? Array(Self.summary(part.type, content.count).utf8)
            start = part.content.upperBound
        }
        return masked + plain(body.part(start))
    }

    /// JSON without its secrets; `nil` if the text isn't JSON.
    ///
    /// A member is secret by its name. So is the `value` of an object whose `name` is that of a
    /// secret, as in `{"name": "password", "value": "s3cret"}`.
    /// - Parameter isCutOff: Whether the text may end anywhere.
    private mutating func json(_ text: [UInt8], isCutOff: Bool = false) -> [UInt8]? {
        guard let read = JSONTokens(text, isCutOff: isCutOff, names) else { return nil }
        var (masked, end): ([UInt8], Int) = ([], 0)
        // The last token of a secret value, and its name.
        var (last, name): (Int, [UInt8]) = (-1, [])
        // All tokens but those in a value that is replaced whole.
        for index in read.tokens.indices where read.tokens[index].start >= end {
            let token = read.tokens[index]
            if index > last, let secret = read.secretName(of: index) {
                (last, name) = (token.last, secret)
            }
            let isSecret = index <= last
            var shown: [UInt8]?
            switch token.kind {
            case .name: shown = hidingKnown(in: text.part(token.start, token.end))
            case .text where token.end > token.start + 2:
                let content = read.content(of: token)
                let hidden = isSecret ? hide(content, of: name) : leaf(content)
                if hidden == content { continue }
                shown = hidden.quotedForJSON(isCutOff: token.end > text.count)
            case .number where isSecret && whole == nil:
                shown = hide(read.content(of: token), of: name, isNumber: true)
            case .number where isSecret, .container where isSecret && whole != nil:
                for inner in index...last where read.tokens[inner].hasContent {
                    found.append((name.string, read.content(of: read.tokens[inner]).string))
                }
                shown = whole
            default: break
            }
            guard let shown else { continue }
            masked += text.part(end, token.start) + shown
            end = token.end
        }
        return masked + text.part(end)
    }
}

extension [UInt8] {
    /// The elements of a header's list, without quotes around them. A comma in quotes belongs to an
    /// element.
    fileprivate var listElements: [[UInt8]] {
        var (elements, start, quotes): ([[UInt8]], Int, QuotedStrings) = ([], 0, QuotedStrings())
        for index in indices {
            if self[index] == .comma, !quotes.isOpen {
                elements.append(part(start, index).trimmed)
                start = index + 1
            }
            quotes.read(self[index])
        }
        return elements + [part(start).trimmed]
    }

    /// The parameter that is an element of a header's list, such as `realm="r"` and
    /// `Digest realm="r"`; `nil` if it is none. The padding of Base64 isn't the sign of one.
    fileprivate var parameter: (name: [UInt8], value: String)? {
        for text in [self, part(first(of: " ") + 1)] {
            let sign = text.first(of: "=")
            let name = text.part(0, sign).trimmed
            if !name.isEmpty, name.allSatisfy({ $0.isWordByte || $0 == 0x2D }),
                text.part(sign).contains(where: { !$0.isIn("= ") })
            {
                return (name, text.value(after: "="))
            }
        }
        return nil
    }

    /// Whether a parameter begins after a scheme.
    fileprivate var isAfterScheme: Bool {
        let scheme = part(0, first(of: " "))
        return scheme.count < count && scheme.first(of: "=") == scheme.count && parameter != nil
            && part(scheme.count + 1).first != .equals
    }

    /// The elements of a list that is one value of a field or a part: of one in JSON, or with
    /// commas, `|` or blanks between them, of which some have escapes in a URL. Of a text with
    /// blanks, only what is hardly an ordinary word counts.
    fileprivate var elements: [[UInt8]] {
        let plain = unescaped
        // Longer ones aren't lists.
        guard plain.count <= 1 << 14 else { return [] }
        let first = plain.first { !$0.isBlank } ?? 0
        if first.isIn("{[\""), let json = JSONTokens(plain, isCutOff: false, .usual) {
            return json.tokens.filter(\.hasContent).map(json.content)
        }
        var elements: [[UInt8]] = []
        let commas = pieces(",")
        for (text, _) in commas where commas.count > 1 { elements.append(text.unescaped) }
        for (text, _) in plain.pieces("|") where text.count < plain.count { elements.append(text) }
        for (part, _) in pieces("+ ") {
            for (text, _) in part.unescaped.pieces(" ")
            where text.count < plain.count && text.string.isDistinctive { elements.append(text) }
        }
        return elements
    }
}

extension SecretNames {
    /// Whether a text gives a value to a secret name: `token=t0k3n`, `"token": "t0k3n"`,
    /// `<token>t0k3n`, `name="token" value="t0k3n"`, or has a URL with a password. Escapes such as
    /// `%3D` and `\u003d` are read, however often they are escaped.
    /// - Parameters:
    ///   - count: If a secret name of at least so many letters is enough, how many.
    ///   - isText: Whether this isn't any bytes, in which short names and words occur by chance.
    @inline(never)
    func occur(in text: [UInt8], asWordsOf count: Int = .max, isText: Bool = true) -> Bool {
        let text = text.plain("%&")
        // Without JSON's escapes too, which need not be any: `C:\token=t0k3n`.
        let hasEscapes = text.index(of: "\\u") < text.count
        return occur(inPlain: text, count, isText)
            || hasEscapes && occur(inPlain: text.plain("\\"), count, isText)
    }

    private func occur(inPlain text: [UInt8], _ count: Int, _ isText: Bool) -> Bool {
        func isSecret(_ name: ArraySlice<UInt8>, in place: SecretNames.Place = .json) -> Bool {
            places(of: name, ofLetters: isText ? 1 : 5) & place.rawValue > 0
        }
        let (signs, blanks) = (ASCIISet(reading: "-_.[]"), ASCIISet(reading: " \t\r\n\"'\\"))
        var index = 0
        // Whether the word before was a name such as `name`, and whether it had a secret's name.
        var (isAfterName, isNamed) = (false, false)
        while index < text.count {
            let start = index
            let name = text[start...].prefix { $0.isWordByte || signs.contains($0) }
            index += max(name.count, 1)
            guard !name.isEmpty else { continue }
            if name.count >= count, isSecret(name) { return true }
            while index < text.count, blanks.contains(text[index]) { index += 1 }
            if isAfterName { isNamed = isSecret(name) }
            isAfterName = false
            let before = start > 0 ? text[start - 1] : 0
            let sign = index < text.count ? text[index] : 0
            // `?key=` is a sign of a URL.
            let isInQuery = sign == .equals && (start == 0 || before.isIn("?&;#"))
            let isTag = before == .less || before == .colon && sign == .greater
            let hasValue = sign.isIn("=:") && index + 1 < text.count
            if isTag || hasValue, isSecret(name, in: isInQuery ? .query : .json) { return true }
            guard hasValue else { continue }
            let says = JSONTokens.members.places(of: name)
            if isNamed, says & JSONTokens.Says.value > 0 { return true }
            isAfterName = says & JSONTokens.Says.name > 0
        }
        return text.hasPassword
    }

    /// A URL without user info and fragment, and with `…` for the values of these names; empty for
    /// `nil`. Begin with ``usual``: `SecretNames()` has no names, and hides nothing.
    public func masked(_ url: URL?) -> String {
        var masking = Masking(self)
        return masking.url(url)
    }
}
