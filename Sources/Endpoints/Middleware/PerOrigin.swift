import Foundation

/// The state that a decorator keeps for one origin.
protocol OriginState: Sendable {
    init()
    /// Whether the state can be dropped, and a new one used for the next request.
    var isIdle: Bool { get }
}

/// The states that a decorator keeps, one for each origin.
struct PerOrigin<Value: OriginState>: Sendable {
    private var values: [Origin: Value] = [:]
    /// The newest origins, so that another URL of one of them needs no allocation.
    private var recent: [KnownOrigin] = []

    /// The origin of a URL; `nil` if the URL is not http or https.
    mutating func origin(of url: URL) -> Origin? {
        if let known = recent.first(where: { $0.isSpelled(in: url) }) { return known.origin }
        guard let known = KnownOrigin(url) else { return nil }
        if recent.count == 4 { recent.removeLast() }
        recent.insert(known, at: 0)
        return known.origin
    }

    /// The state for an origin; a new one if there is none.
    subscript(origin: Origin) -> Value {
        get { values[origin] ?? Value() }
        _modify {
            // A client of very many servers must not keep a state for each of them.
            if values.count >= 100, values[origin] == nil { values = values.filter { !$1.isIdle } }
            yield &values[origin, default: Value()]
        }
    }
}
