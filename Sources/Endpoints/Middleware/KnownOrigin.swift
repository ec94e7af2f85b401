import Foundation

/// An origin as a URL spells it, so that most URLs of the same server are recognized without an
/// allocation.
struct KnownOrigin: Sendable {
    let origin: Origin
    /// `https://api.example.com`
    private let prefix: String

    /// `nil` for a URL that is neither http nor https.
    init?(_ url: URL) {
        guard let origin = Origin(of: url) else { return nil }
        self.origin = origin
        let text = url.absoluteString.utf8
        let authority = text.firstIndex(of: UInt8(ascii: ":")).map { text[$0...].dropFirst(3) }
        let end = authority?.firstIndex(where: Self.endsAuthority) ?? text.endIndex
        prefix = String(decoding: text[..<end], as: UTF8.self)
    }

    /// Whether a URL has this origin.
    func contains(_ url: URL) -> Bool {
        isSpelled(in: url) || Origin(of: url) == origin
    }

    /// Whether a URL begins with the same text; another spelling may have the same origin.
    func isSpelled(in url: URL) -> Bool {
        let text = url.absoluteString.utf8
        guard text.starts(with: prefix.utf8) else { return false }
        return text.dropFirst(prefix.utf8.count).first.map(Self.endsAuthority) ?? true
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
}
