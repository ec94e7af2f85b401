import Endpoints
import EndpointsShared
import Foundation

/// What a transport remembers of one origin, such as how many requests are in flight.
protocol OriginState: Sendable {
    init()
    /// Whether the state may be dropped, because the next request can begin with a new state.
    func isIdle(at now: Date) -> Bool
}

struct PerOrigin<Value: OriginState>: Sendable {
    private var values: [Origin: Value] = [:]
    /// A cache of at most four origins, the newest first. A URL with the scheme and authority of
    /// one of them is recognized without an allocation. The origin of any other URL is added.
    private var recent: [KnownOrigin] = []

    mutating func origin(of url: URL) -> Origin? {
        if let known = recent.first(where: { $0.isPrefix(of: url) }) { return known.origin }
        guard let known = KnownOrigin(url) else { return nil }
        if recent.count == 4 { recent.removeLast() }
        recent.insert(known, at: 0)
        return known.origin
    }

    subscript(origin: Origin, at now: Date = .distantPast) -> Value {
        get { values[origin] ?? Value() }
        _modify {
            // A client of very many servers must not keep a state for each of them.
            if values.count >= 100, values[origin] == nil {
                values = values.filter { !$1.isIdle(at: now) }
            }
            yield &values[origin, default: Value()]
        }
    }
}

/// An origin (scheme, host and port) with the beginning of one of its URLs, such as
/// `https://api.example.com`. A URL with the same beginning is recognized without an allocation.
struct KnownOrigin: Sendable {
    let origin: Origin
    private let prefix: String
    private let isPlain: Bool

    init?(_ url: URL) {
        guard let origin = Origin(of: url) else { return nil }
        self.origin = origin
        prefix = String(decoding: Self.prefix(of: url.absoluteString.utf8), as: UTF8.self)
        isPlain = Self.isPlain(prefix.utf8[...])
    }

    func contains(_ url: URL) -> Bool {
        let prefix = Self.prefix(of: url.absoluteString.utf8)
        if prefix.elementsEqual(self.prefix.utf8) { return true }
        // A plain prefix has a host in lower case and no port. An origin has at most one plain
        // prefix, so two different plain prefixes belong to different origins.
        if isPlain, Self.isPlain(prefix) { return false }
        return Origin(of: url) == origin
    }

    /// Whether a URL's scheme and authority are exactly the `prefix`. Other URLs may have this
    /// origin too, such as one with `:443`.
    func isPrefix(of url: URL) -> Bool {
        Self.prefix(of: url.absoluteString.utf8).elementsEqual(prefix.utf8)
    }

    /// The scheme and the authority of an absolute URL, with `://` between them.
    private static func prefix(of url: String.UTF8View) -> Substring.UTF8View {
        guard let colon = url.firstIndex(of: UInt8(ascii: ":")) else { return url[...] }
        let end = url[colon...].dropFirst(3).firstIndex { byte in
            byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        }
        return url[..<(end ?? url.endIndex)]
    }

    /// Whether the prefix is `https://` or `http://`, followed by a host that has only `a` to `z`,
    /// digits, `.` and `-`.
    private static func isPlain(_ prefix: Substring.UTF8View) -> Bool {
        let scheme = prefix.prefix { $0 != UInt8(ascii: ":") }
        guard scheme.elementsEqual("https".utf8) || scheme.elementsEqual("http".utf8)
        else { return false }
        return prefix.dropFirst(scheme.count + 3).allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte.isDigit
                || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
        }
    }
}
