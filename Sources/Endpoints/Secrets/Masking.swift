import Foundation

/// The machine that hides secrets in whatever is printed or stored: URLs, headers, bodies, texts.
///
/// It knows a secret by its name, in JSON, JSON Lines, XML, forms, parts, and in texts such as
/// `token=t0k3n` or `token: t0k3n`; also where one of these is in a string of another. A format may
/// be cut off. A body that can't be read, but has the name of a secret, is shown by its type and
/// size.
struct Masking {
    let names: SecretNames
    let style: SecretNames.Style
    /// Whether the text is of a response. In its JSON, XML and headers, fewer names are secret than
    /// in URLs and forms.
    let isOfResponse: Bool
    /// Known secrets, which are hidden wherever they occur.
    var secrets: [String] = []
    /// The secrets that were found by their names.
    private(set) var found: [String] = []
    /// Whether a text had the name of a secret, but no value after it; `nil` while that makes no
    /// difference.
    var hasLooseName: Bool?

    static let mask = Array("…".utf8)

    init(_ names: SecretNames, _ style: SecretNames.Style = .short, ofResponse: Bool = false) {
        self.names = names
        self.style = style
        isOfResponse = ofResponse
    }

    /// Whether a name in JSON, XML or a header is secret.
    func hides(_ name: String) -> Bool { names.contains(name, inResponse: isOfResponse) }

    /// Notes a secret, as it stands there and without percent encoding.
    @inline(never)
    mutating func find(_ secret: String) {
        found.append(secret)
        if secret.contains("%"), let text = secret.removingPercentEncoding { found.append(text) }
    }

    /// A body without its secrets.
    /// - Parameter size: The bytes of the whole body, if this is only its beginning.
    mutating func body(_ body: [UInt8], _ type: String, size: Int? = nil) -> [UInt8] {
        if let parts = body.multipartParts(type) { return masked(parts, in: body) }
        let type = type.lowercased()
        if type.isJSONLines {
            return each(of: body, separatedBy: "\n") { $0.body($1, "") }
        }
        if type.hasPrefix("application/x-www-form-urlencoded") { return form(body) }
        if let masked = structured(body) { return masked }
        // The bytes of a picture may look like any short name.
        if ["image/", "audio/", "video/", "font/"].contains(where: type.hasPrefix) { return body }
        return unstructured(body, type, size ?? body.count)
    }

    private mutating func masked(_ parts: [MultipartPart], in body: [UInt8]) -> [UInt8] {
        var masked: [UInt8] = []
        var end = 0
        for part in parts {
            let content = body.part(part.content)
            masked += body.part(end, part.content.lowerBound)
            if names.contains(part.name) {
                find(content.string)
                masked += Self.mask
            } else {
                masked += self.body(content, part.contentType)
            }
            end = part.content.upperBound
        }
        return masked + body.part(end)
    }

    /// The fields between separators, each of them masked.
    mutating func each(
        of text: [UInt8], separatedBy separator: String,
        _ mask: (inout Masking, [UInt8]) -> [UInt8]
    ) -> [UInt8] {
        var masked: [UInt8] = []
        var end = -1
        while end < text.count {
            if end >= 0 { masked.append(text[end]) }
            let start = end + 1
            end = text.index(of: separator, from: start)
            masked += mask(&self, text.part(start, end))
        }
        return masked
    }

    private mutating func unstructured(_ body: [UInt8], _ type: String, _ size: Int) -> [UInt8] {
        // A body that is cut off may end within a character.
        let isText =
            !body.contains(0)
            && (0...3).contains {
                String(utf8: body.part(0, max(0, body.count - $0))) != nil
            }
        let isPlain =
            type.isEmpty || type.hasPrefix("text/plain") || type.hasPrefix("text/event-stream")
        let count = found.count
        hasLooseName = false
        // Without its zeros, UTF-16 is ASCII, mostly.
        let masked = text(isText ? body : body.filter { $0 != 0 })
        defer { hasLooseName = nil }
        if hasLooseName == false, isText && isPlain || found.count == count {
            return isText ? masked : body
        }
        return Array(Self.summary(type, size).utf8)
    }

    /// What stands for a body that can't be read, such as `text/csv, 312 bytes`.
    static func summary(_ type: String, _ size: Int) -> String {
        let name = type.lowercased().prefix { $0 != ";" }
        return "\(name.isEmpty ? "" : "\(name), ")\(size) bytes"
    }

    /// A text inside of another, such as a string in JSON.
    mutating func leaf(_ text: [UInt8]) -> [UInt8] {
        let text = structured(text) ?? self.text(text)
        return secrets.isEmpty ? text : text.replacing(secrets)
    }

    /// JSON or XML without its secrets; `nil` for anything else.
    private mutating func structured(_ text: [UInt8]) -> [UInt8]? {
        let start = text.endOfBlanks(from: text.has("\u{FEFF}", at: 0) ? 3 : 0)
        let rest = text.part(start)
        guard let first = rest.first else { return nil }
        let masked: [UInt8]?
        if first == .less {
            let beginning = Array(rest.part(0, min(rest.count, 14)).string.lowercased().utf8)
            let isHTML = beginning.has("<!doctype html", at: 0) || beginning.has("<html", at: 0)
            masked = isHTML ? nil : xml(rest)
        } else {
            masked = first.isIn("{[\"") ? json(rest) : nil
        }
        return masked.map { text.part(0, start) + $0 }
    }
}

extension SecretNames {
    /// What stands for a secret in JSON. Anywhere else it is `…`.
    package enum Style: Sendable {
        /// `"…"` for a text, and `…` for anything else, which is short, but not JSON.
        case short
        /// `"…"`.
        case text
        /// "masked" for each text, and 0 for each number. Names, `true`, `false` and `null` are
        /// kept. So the value decodes as before, unless only some texts or numbers are valid, as
        /// for a date or an enum.
        case typed
    }

    /// A body without its secrets.
    package func masked(
        _ body: Data, _ type: String, _ style: Style, ofResponse: Bool = false
    ) -> Data {
        var masking = Masking(self, style, ofResponse: ofResponse)
        return Data(masking.body(Array(body), type))
    }

    /// A text without its secrets, such as the value of a header, or a URL reference.
    package func masked(text: String) -> String {
        var masking = Masking(self, ofResponse: true)
        return masking.leaf(Array(text.utf8)).string
    }

    /// A URL without user info and fragment, and with `…` for secret values; empty for `nil`.
    public func masked(_ url: URL?) -> String {
        var masking = Masking(self)
        return masking.url(url)
    }

    /// The beginning of a response's body, with `…` for the values of secret names and for
    /// `secrets`; or the body's type and size, if it has the name of a secret and can't be read.
    ///
    /// `{"id": 1, "token": "t0k3n"}` becomes `{"id": 1, "token": "…"}`.
    ///
    /// - Parameters:
    ///   - secrets: Texts that are hidden wherever they occur.
    ///   - limit: The most bytes of `data` that are shown.
    package func masked(
        beginningOf data: Data, _ type: String = "", hiding secrets: [String] = [],
        upTo limit: Int = 512
    ) -> (text: String, isShown: Bool) {
        var longest = 0
        for secret in secrets { longest = max(longest, secret.utf8.count) }
        // A secret may begin before the limit and end after it, so more bytes are searched.
        let beginning = Array(data.prefix(limit + longest)).replacing(secrets, upTo: limit)
        var masking = Masking(self, ofResponse: true)
        masking.secrets = secrets
        let text = masking.body(beginning, type, size: data.count).string
        return (text, text != Masking.summary(type, data.count))
    }

    /// The values of secret names in a URL, and its password; and those in the first 4 KB of a
    /// request's body, with their beginnings up to a mark such as a comma: in
    /// `password: s3cret, user: ann`, also `s3cret`.
    package func values(
        in url: URL? = nil, inBeginningOf data: Data = Data(), _ type: String = ""
    ) -> [String] {
        var masking = Masking(self, .typed)
        _ = masking.body(Array(data.prefix(4096)), type)
        var values: [String] = []
        for value in masking.found {
            values += [value, String(value.prefix { !",&;]\"'".contains($0) })]
        }
        masking = Masking(self)
        _ = masking.url(url)
        return masking.found + values
    }
}
