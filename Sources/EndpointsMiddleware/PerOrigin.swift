import Endpoints
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
