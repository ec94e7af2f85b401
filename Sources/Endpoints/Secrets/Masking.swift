import Foundation

/// The machine that hides secrets in whatever is printed or stored: URLs, headers, bodies, texts.
///
/// It knows a secret by its name, in JSON, JSON Lines, XML, forms, parts, and in texts such as
/// `token=t0k3n` or `token: t0k3n`; also where one of these is in a string of another. A format may
/// be cut off. A body that can't be read, but has the name of a secret, is shown by its type and
/// size.
struct Masking {
    /// The names that are secret in URLs and forms.
    let names: SecretNames
    /// The names that are secret in JSON, XML and headers.
    let members: SecretNames
    let style: SecretNames.Style
    /// Known secrets, which are hidden wherever they occur.
    var secrets: [[UInt8]] = []
    /// The secrets that were found by their names.
    private(set) var found: [String] = []
    /// Whether a text had the name of a secret, but no value after it; `nil` while that makes no
    /// difference.
    var hasLooseName: Bool?

    static let mask = Array("…".utf8)

    init(_ names: SecretNames, _ style: SecretNames.Style = .short, ofResponse: Bool = false) {
        self.names = names
        members = ofResponse ? names.inResponses : names
        self.style = style
    }

    /// Notes a secret, as it stands there and without percent encoding.
    mutating func find(_ secret: some StringProtocol) {
        found.append(String(secret))
        if secret.contains("%"), let text = secret.removingPercentEncoding { found.append(text) }
    }

    /// A body without its secrets.
    /// - Parameter size: The bytes of the whole body, if this is only its beginning.
    mutating func body(_ body: Data, _ type: String, size: Int? = nil) -> [UInt8] {
        if let multipart = MultipartText(body, type) { return parts(of: multipart, in: body) }
        let type = type.lowercased()
        if type.isJSONLines {
            let lines = body.split(separator: .lineFeed, omittingEmptySubsequences: false)
            return Array(lines.map { self.body($0, "") }.joined(separator: [.lineFeed]))
        }
        let bytes = Array(body)[...]
        if type.hasPrefix("application/x-www-form-urlencoded") { return form(bytes) }
        if let masked = structured(bytes) { return masked }
        // The bytes of a picture may look like any short name.
        if ["image/", "audio/", "video/", "font/"].contains(where: type.hasPrefix) {
            return Array(body)
        }
        return unstructured(bytes, type, size ?? body.count)
    }

    private mutating func parts(of multipart: MultipartText, in body: Data) -> [UInt8] {
        var masked: [UInt8] = []
        var end = body.startIndex
        for part in multipart.parts {
            masked += body[end..<part.content.startIndex]
            if names.contains(part.name) {
                find(String(decoding: part.content, as: UTF8.self))
                masked += Self.mask
            } else {
                masked += self.body(part.content, part.contentType)
            }
            end = part.content.endIndex
        }
        return masked + body[end...]
    }

    private mutating func unstructured(
        _ body: ArraySlice<UInt8>, _ type: String, _ size: Int
    ) -> [UInt8] {
        // A body that is cut off may end within a character.
        let isText =
            !body.contains(0)
            && (0...3).contains { String(validating: body.dropLast($0), as: UTF8.self) != nil }
        let isPlain = ["text/plain", "text/event-stream"].contains(where: type.hasPrefix)
        let count = found.count
        hasLooseName = false
        // Without its zeros, UTF-16 is ASCII, mostly.
        let masked = text(isText ? body : body.filter { $0 != 0 }[...])
        defer { hasLooseName = nil }
        if hasLooseName == false, isText && (isPlain || type.isEmpty) || found.count == count {
            return isText ? masked : Array(body)
        }
        return Array(Self.summary(type, size).utf8)
    }

    /// What stands for a body that can't be read, such as `text/csv, 312 bytes`.
    static func summary(_ type: String, _ size: Int) -> String {
        let name = type.lowercased().prefix { $0 != ";" }
        return "\(name.isEmpty ? "" : "\(name), ")\(size) bytes"
    }

    /// A text inside of another, such as a string in JSON.
    mutating func leaf(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let text = structured(text) ?? self.text(text)
        return secrets.isEmpty ? text : text[...].replacing(secrets)
    }

    /// JSON or XML without its secrets; `nil` for anything else.
    private mutating func structured(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let isMark = text.starts(with: [0xEF, 0xBB, 0xBF])
        let start = text.dropFirst(isMark ? 3 : 0).drop(while: \.isBlank)
        switch start.first {
        case UInt8(ascii: "{"), UInt8(ascii: "["), .quote:
            return json(start).map { text[..<start.startIndex] + $0 }.map(Array.init)
        case .less:
            let isHTML = ["<!doctype html", "<html"].contains {
                String(decoding: start.prefix($0.utf8.count), as: UTF8.self).lowercased() == $0
            }
            return isHTML ? nil : Array(text[..<start.startIndex]) + xml(start)
        default: return nil
        }
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
        return Data(masking.body(body, type))
    }

    /// A text without its secrets, such as the value of a header, or a URL reference.
    package func masked(text: String) -> String {
        var masking = Masking(self, ofResponse: true)
        return String(decoding: masking.leaf(Array(text.utf8)[...]), as: UTF8.self)
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
        // A secret may begin before the limit and end after it, so more bytes are searched.
        let bytes = Array(data.prefix(limit + (secrets.map(\.utf8.count).max() ?? 0)))
        var masking = Masking(self, ofResponse: true)
        masking.secrets = secrets.map { Array($0.utf8) }
        let beginning = Data(bytes[...].replacing(masking.secrets, upTo: limit))
        let text = String(
            decoding: masking.body(beginning, type, size: data.count), as: UTF8.self)
        return (text, text != Masking.summary(type, data.count))
    }

    /// The values of secret names in the first 4 KB of a request's body, and their beginnings up to
    /// a mark such as a comma: in `password: s3cret, user: ann`, also `s3cret`.
    package func values(inBeginningOf data: Data, _ type: String = "") -> [String] {
        var masking = Masking(self, .typed)
        _ = masking.body(data.prefix(4096), type)
        return masking.found.flatMap { [$0, String($0.prefix { !",&;]\"'".contains($0) })] }
    }

    /// The values of secret names in a URL, and its password.
    func values(in url: URL?) -> [String] {
        var masking = Masking(self)
        _ = masking.url(url)
        return masking.found
    }
}

extension ArraySlice<UInt8> {
    /// The beginning of a text, with `…` for each secret that begins in it.
    func replacing(_ secrets: [[UInt8]], upTo limit: Int = .max) -> [UInt8] {
        var text: [UInt8] = []
        // Where the secrets end that were met. They may overlap.
        var end = startIndex
        for index in prefix(limit).indices {
            let met = secrets.filter { !$0.isEmpty && self[index...].starts(with: $0) }
            if let length = met.map(\.count).max() {
                if index >= end { text += Masking.mask }
                end = Swift.max(end, index + length)
            }
            if index >= end { text.append(self[index]) }
        }
        return text
    }
}
