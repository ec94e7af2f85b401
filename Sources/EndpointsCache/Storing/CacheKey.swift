import Endpoints
import Foundation

extension URL {
    /// The URL without its fragment, and without what two equal URLs may differ in: the port that
    /// the scheme has anyway, upper case in the scheme and the host, and the `/` of an empty path.
    var cacheKey: String {
        let text = absoluteString
        let end = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let start = text.utf8[..<end].dropFirst(8).firstIndex { "/?".utf8.contains($0) } ?? end
        let (head, rest) = (text.utf8[..<start], text[start..<end])
        let slash = rest.first == "/" ? "" : "/"
        let mayDiffer =
            head.dropFirst(6).contains(UInt8(ascii: ":"))
            || head.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        // A user in the URL, as in https://user@host, tells requests apart.
        guard mayDiffer, !head.contains(UInt8(ascii: "@")), let origin = Origin(of: self)
        else { return slash.isEmpty ? String(text[..<end]) : "\(text[..<start])\(slash)\(rest)" }
        return "\(origin.text)\(slash)\(rest)"
    }

    /// Whether two URLs are the same but for their fragments, and for the `/` of an empty path.
    func isSame(as other: URL) -> Bool {
        if absoluteString == other.absoluteString { return true }
        return Origin(of: self) == Origin(of: other) && query == other.query
            && pathWithSlash == other.pathWithSlash
    }

    private var pathWithSlash: String {
        let path = URLComponents(url: self, resolvingAgainstBaseURL: true)?.percentEncodedPath
        return path?.isEmpty == false ? path ?? "/" : "/"
    }
}
