import Foundation

/// The `Location` header of a redirect: a URL reference, resolved against the URL of the request
/// (RFC 9110 10.2.2).
///
///     /b?x=é        at https://h/a#top   ->  https://h/b?x=%C3%A9#top
///     HTTP://other  at https://h/a       ->  http://other
struct Location {
    let text: String

    /// The URL that it leads to.
    ///
    /// - Throws: `URLError(.badURL)` if it has control characters, user info or no host, or isn't a
    ///   URL; `URLError(.unsupportedURL)` if its scheme isn't http or https.
    func url(at base: URL) throws(URLError) -> URL {
        let escaped = Self.escaped(text)
        let authority = Array(escaped.utf8).prefix(Self.endOfAuthority(Array(escaped.utf8)))
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }),
            // User info in a server's URL can hide the real host (RFC 9110 4.2.4).
            !authority.contains(UInt8(ascii: "@")), !authority.contains(UInt8(ascii: "%")),
            let target = URL(string: escaped, relativeTo: base)?.absoluteURL
        else { throw .badLocation }
        guard let scheme = target.scheme?.lowercased(), ["http", "https"].contains(scheme)
        else { throw URLError(.unsupportedURL, at: target) }
        guard Origin(of: target) != nil,
            let url = URL(string: scheme + target.absoluteString.dropFirst(scheme.utf8.count))
        else { throw .badLocation }
        return url.inheritingFragment(of: base)
    }

    /// The text with everything escaped that a URL can't hold: servers send spaces, quotes and
    /// UTF-8 raw, and for one character that is left, `URL` escapes a whole component again.
    private static func escaped(_ text: String) -> String {
        let utf8 = Array(text.utf8)
        let end = endOfAuthority(utf8)
        let mark = utf8[end...].firstIndex(of: UInt8(ascii: "#")) ?? utf8.count
        var bytes = Bytes(capacity: 3 * utf8.count)
        bytes.append(literal: utf8[..<end], .authority)
        bytes.append(literal: utf8[end..<mark], .reference)
        if mark < utf8.count {
            bytes.append(UInt8(ascii: "#"))
            bytes.append(literal: utf8[(mark + 1)...], .reference)
        }
        return bytes.text
    }

    /// The index after `scheme://authority`, or 0 where there is no authority.
    private static func endOfAuthority(_ bytes: [UInt8]) -> Int {
        let slash = UInt8(ascii: "/")
        let delimiters = Set("/?#".utf8)
        guard let first = bytes.firstIndex(where: delimiters.contains),
            first == 0 || bytes[first - 1] == UInt8(ascii: ":"),
            bytes[first...].starts(with: [slash, slash])
        else { return 0 }
        return bytes[(first + 2)...].firstIndex(where: delimiters.contains) ?? bytes.count
    }
}

extension URL {
    /// Adds the request's fragment if the redirect has none (RFC 9110 10.2.2).
    fileprivate func inheritingFragment(of base: URL) -> URL {
        guard fragment == nil, let mark = base.absoluteString.firstIndex(of: "#")
        else { return self }
        return URL(string: absoluteString + base.absoluteString[mark...]) ?? self
    }
}

extension URLError {
    /// Makes an error with the failing URL.
    init(_ code: Code, at url: URL?) {
        self.init(code, userInfo: url.map { [NSURLErrorFailingURLErrorKey: $0] } ?? [:])
    }

    /// The error of a wrong `Location`. It doesn't show the text, which may contain a secret.
    fileprivate static var badLocation: URLError {
        let words = "The server redirected to something that isn't a valid http or https URL"
        return URLError(.badURL, userInfo: [NSLocalizedDescriptionKey: words])
    }
}
