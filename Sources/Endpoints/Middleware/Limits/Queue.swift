/// The requests to one origin: how many are in flight, and which wait, first come first served.
struct Queue: OriginState {
    typealias Continuation = CheckedContinuation<Void, any Error>

    private enum Entry {
        /// A request that is about to wait.
        case arriving
        case waiting(Continuation)
        /// A request that has got a place before it waited.
        case admitted
    }

    private var inFlight = 0
    private var entries: [Int: Entry] = [:]
    /// The number of the next request that gets a place.
    private var first = 0
    private var end = 0

    /// While a request waits, others are in flight.
    var isIdle: Bool { inFlight == 0 }

    /// Takes a place if fewer than `count` are taken; else returns the number to wait with.
    mutating func enter(_ count: Int) -> Int? {
        guard inFlight >= count else {
            inFlight += 1
            return nil
        }
        defer { end += 1 }
        entries[end] = .arriving
        return end
    }

    /// Returns whether the request has a place already.
    mutating func wait(_ number: Int, _ continuation: Continuation) -> Bool {
        if case .admitted = entries[number] {
            entries[number] = nil
            return true
        }
        entries[number] = .waiting(continuation)
        return false
    }

    /// Removes a request that waits.
    mutating func remove(_ number: Int) -> Continuation? {
        guard case .waiting(let continuation) = entries[number] else { return nil }
        entries[number] = nil
        return continuation
    }

    /// Gives the place to the next request; returns its continuation if it waits already.
    mutating func leave() -> Continuation? {
        while first < end {
            defer { first += 1 }
            switch entries[first] {
            case .waiting(let continuation):
                entries[first] = nil
                return continuation
            case .arriving:
                entries[first] = .admitted
                return nil
            case .admitted, nil:
                continue
            }
        }
        inFlight -= 1
        return nil
    }
}
