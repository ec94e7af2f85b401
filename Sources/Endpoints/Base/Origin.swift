import Foundation

/// The scheme, host and port of a URL (RFC 9110 4.3.1, RFC 6454).
///
///     Origin(of: https://API.example.com/a) == Origin(of: https://api.example.com:443/b)
package struct Origin: Hashable, Sendable {
    package let scheme: String
    package let host: String
    package let port: Int

    /// `nil` for a URL that isn't http or https, or that has no host or an invalid port.
    package init?(of url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host, !host.isEmpty,
            let usual = ["http": 80, "https": 443][scheme],
            let port = Self.port(of: url, usual: usual)
        else { return nil }
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port
    }

    /// The URL's port, or the usual port if the URL has none; `nil` for an invalid port.
    ///
    /// `URL.port` is also `nil` for a port too large for `Int`, but `rangeOfPort` isn't `nil` then.
    private static func port(of url: URL, usual: Int) -> Int? {
        if let port = url.port { return (0...65_535).contains(port) ? port : nil }
        let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        return components?.rangeOfPort == nil ? usual : nil
    }
}
