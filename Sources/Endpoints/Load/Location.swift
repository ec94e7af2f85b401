import Foundation

/// The `Location` field of a redirect: a URI reference, read against the URL that was asked
/// (RFC 9110 10.2.2).
///
///     /b?x=é        at https://h/a#top   ->  https://h/b?x=%C3%A9#top
///     HTTP://other  at https://h/a       ->  http://other
struct Location {
    let text: String

    /// The URL it leads to, or an error for what no client should follow.
    ///
    /// - Throws: `URLError(.badURL)` for control characters, no host, user info or what is not
    ///   a URL; `URLError(.unsupportedURL)` for another scheme than http and https.
    func url(at base: URL) throws(URLError) -> URL {
        let escaped = Self.escaped(text)
        let authority = Array(escaped.utf8).prefix(Self.endOfAuthority(Array(escaped.utf8)))
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }),
            // User info in a reference from elsewhere hides who is spoken to (RFC 9110 4.2.4).
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

    /// The text with everything escaped that a URL can't hold: servers send spaces, quotes and UTF-8
    /// raw, and for one character that is left, `URL` escapes a whole component again.
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
    /// A redirect without a fragment keeps the one that was asked for (RFC 9110 10.2.2).
    fileprivate func inheritingFragment(of base: URL) -> URL {
        guard fragment == nil, let mark = base.absoluteString.firstIndex(of: "#")
        else { return self }
        return URL(string: absoluteString + base.absoluteString[mark...]) ?? self
    }
}

extension URLError {
    /// An error that names the URL it is about.
    init(_ code: Code, at url: URL?) {
        self.init(code, userInfo: url.map { [NSURLErrorFailingURLErrorKey: $0] } ?? [:])
    }

    /// It doesn't say where to: a server may have put a secret there.
    fileprivate static var badLocation: URLError {
        let words = "The server redirected to what is not an http URL"
        return URLError(.badURL, userInfo: [NSLocalizedDescriptionKey: words])
    }
}
