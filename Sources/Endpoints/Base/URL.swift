import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The scheme, host and port of a URL (RFC 9110 4.3.1, RFC 6454).
///
///     Origin(of: https://API.example.com/a) == Origin(of: https://api.example.com:443/b)
package struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    /// `nil` for a URL that isn't http or https, or that has no host or an invalid port.
    package init?(of url: URL) {
        if let plain = Origin(ofPlain: url) {
            self = plain
            return
        }
        guard let scheme = url.scheme?.lowercased(), let host = url.host, !host.isEmpty,
            let usual = Self.usualPorts[scheme],
            let port = Self.port(of: url, usual: usual), url.hasValidLiteral(host)
        else { return nil }
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port
    }

    /// The origin of a usual URL, which is found without parsing the URL: it has `https://` or
    /// `http://`, a host of `a` to `z`, digits, `.` and `-`, and perhaps a port.
    private init?(ofPlain url: URL) {
        guard url.baseURL == nil else { return nil }
        var text = url.absoluteString
        let origin = text.withUTF8 { text -> Origin? in
            let isSecure = text.starts(with: "https://".utf8)
            guard isSecure || text.starts(with: "http://".utf8) else { return nil }
            let start = isSecure ? 8 : 7
            var end = start
            while end < text.count, text[end].isInPlainHost { end += 1 }
            guard end > start else { return nil }
            let host = String(decoding: text[start..<end], as: UTF8.self)
            var port: Int?
            if end < text.count, text[end] == UInt8(ascii: ":") {
                end += 1
                let digits = text[end...].prefix(while: \.isDigit)
                guard (1...5).contains(digits.count) else { return nil }
                let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
                guard number <= 65_535 else { return nil }
                port = number
                end = digits.endIndex
            }
            guard end == text.count || text[end].endsAuthority else { return nil }
            return Origin(
                scheme: isSecure ? "https" : "http", host: host, port: port ?? (isSecure ? 443 : 80)
            )
        }
        guard let origin else { return nil }
        self = origin
    }

    private init(scheme: String, host: String, port: Int) {
        (self.scheme, self.host, self.port) = (scheme, host, port)
    }

    /// The origin as a URL begins with it; the port is left out if the scheme has it anyway.
    package var text: String {
        let isUsual = Self.usualPorts[scheme] == port
        return "\(scheme)://\(host)\(isUsual ? "" : ":\(port)")"
    }

    private static let usualPorts = ["http": 80, "https": 443]

    /// The URL's port, or the usual port if the URL has none; `nil` for an invalid port.
    ///
    /// `URL.port` is also `nil` for a port too large for `Int`, but `rangeOfPort` isn't `nil` then.
    private static func port(of url: URL, usual: Int) -> Int? {
        if let port = url.port { return (0...65_535).contains(port) ? port : nil }
        let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        return components?.rangeOfPort == nil ? usual : nil
    }
}

extension URL {
    /// Whether the host is no IP literal in brackets, or is a valid IPv6 address (RFC 3986, section
    /// 3.2.2). A link-local address may have a zone (RFC 6874). `URL` accepts
    /// `http://[example.com]`, whose `host` is `example.com`.
    fileprivate func hasValidLiteral(_ host: String) -> Bool {
        guard absoluteString.utf8.contains(UInt8(ascii: "[")) else { return true }
        let text = Array(absoluteString.utf8)
        guard text[text.authority].contains(UInt8(ascii: "[")) else { return true }
        let parts = host.filter { $0 != "[" && $0 != "]" }.split(separator: "%", maxSplits: 1)
        var address = in6_addr()
        guard let first = parts.first, inet_pton(AF_INET6, String(first), &address) == 1
        else { return false }
        let isLinkLocal = withUnsafeBytes(of: address) { $0[0] == 0xFE && $0[1] & 0xC0 == 0x80 }
        return parts.count == 1 || isLinkLocal
    }

    /// Resolves a server's URL reference against a URL (RFC 3986, section 5.2).
    ///
    ///     ?page=2  at https://h/a?page=1   ->  https://h/a?page=2
    ///     b é      at https://h/a/         ->  https://h/a/b%20%C3%A9
    ///
    /// `nil` in these cases, in which no client should follow the reference:
    /// - the reference has control characters, or a host with escapes or illegal characters,
    /// - the reference has user info, which can hide the real host (RFC 9110, section 4.2.4), or
    /// - the resolved URL isn't valid, has no scheme, or is http or https without a host.
    package init?(reference: String, at base: URL?) {
        let bytes = Array(reference.utf8)
        let authority = bytes.authority
        let isPlain = bytes[..<authority.upperBound].allSatisfy {
            $0.isLegalInURL && $0 != UInt8(ascii: "@")
        }
        guard isPlain, !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }),
            let url = bytes.isEmpty
                ? base?.withoutFragment
                : URL(string: bytes.escaped(after: authority), relativeTo: base)?.absoluteURL,
            let scheme = url.scheme?.lowercased(),
            !["http", "https"].contains(scheme) || url.host?.isEmpty == false
        else { return nil }
        self = url
    }

    var withoutFragment: URL? {
        URL(string: String(absoluteString.prefix { $0 != "#" }))
    }
}

extension [UInt8] {
    /// The range of the authority, which follows `//`; `0..<0` if there is no authority.
    fileprivate var authority: Range<Int> {
        let first = firstIndex { $0.endsAuthority } ?? count
        guard first == 0 || self[first - 1] == UInt8(ascii: ":"),
            self[first...].starts(with: "//".utf8)
        else { return 0..<0 }
        let start = first + 2
        return start..<(self[start...].firstIndex { $0.endsAuthority } ?? count)
    }

    /// The text, with escapes for the illegal characters after the authority. Some servers send
    /// spaces, quotes and UTF-8 unescaped. `URL` would escape these, but also escape existing
    /// escapes a second time.
    fileprivate func escaped(after authority: Range<Int>) -> String {
        let fragment = firstIndex(of: UInt8(ascii: "#"))
        var result = self[..<authority.upperBound]
        for index in authority.upperBound..<count {
            let byte = self[index]
            let isKept =
                switch byte {
                case UInt8(ascii: "["), UInt8(ascii: "]"): false
                case UInt8(ascii: "#"): index == fragment
                case .percent:
                    self[(index + 1)...].prefix(2).count(where: \.isHexadecimalDigit) == 2
                default: byte.isLegalInURL
                }
            guard !isKept else {
                result.append(byte)
                continue
            }
            result += [.percent, byte.hexadecimal.0, byte.hexadecimal.1]
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var endsAuthority: Bool { "/?#".utf8.contains(self) }

    fileprivate var isInPlainHost: Bool { ASCIISet.plainHost.contains(self) }

    /// Whether a URL may have this character unescaped (RFC 3986, sections 2.2 and 2.3).
    fileprivate var isLegalInURL: Bool { ASCIISet.legalInURL.contains(self) }
}

extension ASCIISet {
    fileprivate static let plainHost = ASCIISet("abcdefghijklmnopqrstuvwxyz0123456789.-")
    fileprivate static let legalInURL = ASCIISet("\(alphanumerics)-._~:/?#[]@!$&'()*+,;=")
}

extension URLRequest {
    /// The method as it is sent: a request without one is a GET.
    package var method: String { httpMethod ?? "GET" }
}
