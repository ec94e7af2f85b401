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
    private let prefix: [UInt8]

    init?(_ url: URL) {
        guard let origin = Origin(of: url) else { return nil }
        self.origin = origin
        let text = Array(url.absoluteString.utf8)
        let colon = text.firstIndex(of: UInt8(ascii: ":")) ?? 0
        let end = text[colon...].dropFirst(3).firstIndex(where: Self.endsAuthority)
        prefix = Array(text[..<(end ?? text.count)])
    }

    func contains(_ url: URL) -> Bool { isPrefix(of: url) || Origin(of: url) == origin }

    /// Whether a URL's scheme and authority are exactly the `prefix`. Other URLs may have this
    /// origin too, such as one with `:443`.
    func isPrefix(of url: URL) -> Bool {
        var text = url.absoluteString
        return text.withUTF8 { text in
            guard text.count >= prefix.count else { return false }
            for index in prefix.indices where text[index] != prefix[index] { return false }
            return text.count == prefix.count || Self.endsAuthority(text[prefix.count])
        }
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
}
