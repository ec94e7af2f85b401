import Foundation

/// Scheme, host and port of a URL: who is spoken to (RFC 9110 4.3.1, RFC 6454).
///
///     Origin(of: https://API.example.com/a) == Origin(of: https://api.example.com:443/b)
struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    /// `nil` for a URL that is neither http nor https, or has no host.
    init?(of url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host, !host.isEmpty,
            let usual = ["http": 80, "https": 443][scheme]
        else { return nil }
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = url.port ?? usual
    }
}
