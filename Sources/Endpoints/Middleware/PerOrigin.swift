import Foundation

/// What a decorator keeps for one origin.
protocol OriginState: Sendable {
    init()
    /// Whether it can be forgotten.
    var isIdle: Bool { get }
}

/// What a decorator keeps for each origin.
struct PerOrigin<Value: OriginState>: Sendable {
    private var values: [Origin: Value] = [:]
    /// The origins of the last URLs, so that the next one needs no allocation.
    private var recent: [KnownOrigin] = []

    /// The origin of a URL; `nil` for one that is not http or https.
    mutating func origin(of url: URL) -> Origin? {
        if let known = recent.first(where: { $0.isSpelled(in: url) }) { return known.origin }
        guard let known = KnownOrigin(url) else { return nil }
        if recent.count == 4 { recent.removeLast() }
        recent.insert(known, at: 0)
        return known.origin
    }

    /// What is kept for an origin. It is a new value where there was none.
    subscript(origin: Origin) -> Value {
        get { values[origin] ?? Value() }
        _modify {
            // A client of countless servers must not keep something of each.
            if values.count >= 100, values[origin] == nil { values = values.filter { !$1.isIdle } }
            yield &values[origin, default: Value()]
        }
    }
}
