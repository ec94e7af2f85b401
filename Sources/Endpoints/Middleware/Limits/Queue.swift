/// The requests to one origin: how many are in flight, and which wait, first come first served.
struct Queue: OriginState {
    typealias Continuation = CheckedContinuation<Void, any Error>

    private enum Entry {
        /// A request that is about to wait.
        case arriving
        case waiting(Continuation)
        /// A request that got a slot before it began to wait.
        case admitted
    }

    private var inFlight = 0
    private var entries: [Int: Entry] = [:]
    /// The number of the next request that gets a slot.
    private var first = 0
    private var end = 0

    /// Whether no request is in flight. Then none waits either.
    var isIdle: Bool { inFlight == 0 }

    /// Takes a slot if fewer than `count` are taken; else returns the number of a waiting request.
    mutating func enter(_ count: Int) -> Int? {
        guard inFlight >= count else {
            inFlight += 1
            return nil
        }
        defer { end += 1 }
        entries[end] = .arriving
        return end
    }

    /// Makes a request wait, or returns `true` if it has got a slot meanwhile.
    mutating func wait(_ number: Int, _ continuation: Continuation) -> Bool {
        if case .admitted = entries[number] {
            entries[number] = nil
            return true
        }
        entries[number] = .waiting(continuation)
        return false
    }

    /// Removes a request and returns its continuation; `nil` if the request doesn't wait.
    mutating func remove(_ number: Int) -> Continuation? {
        guard case .waiting(let continuation) = entries[number] else { return nil }
        entries[number] = nil
        return continuation
    }

    /// Gives the slot to the next request, and returns its continuation if it waits already.
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
