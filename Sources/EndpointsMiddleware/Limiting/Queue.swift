import Endpoints
import Foundation

/// The requests to one origin: those in flight, which have a slot each, and those that wait.
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
    /// The lowest number that a waiting request may have.
    private var first = 0
    /// The number that the next waiting request gets.
    private var end = 0

    /// Whether no request has a slot. Then no request waits for one.
    func isIdle(at now: Date) -> Bool { inFlight == 0 }

    /// Takes a slot and returns `nil` if fewer than `count` are taken. Otherwise, the request must
    /// wait, and its number is returned.
    mutating func enter(slots count: Int) -> Int? {
        guard inFlight >= count else {
            inFlight += 1
            return nil
        }
        defer { end += 1 }
        entries[end] = .arriving
        return end
    }

    /// Makes a request wait, or returns `true` if the request has got a slot meanwhile.
    mutating func wait(_ number: Int, _ continuation: Continuation) -> Bool {
        if case .admitted = entries[number] {
            entries[number] = nil
            return true
        }
        entries[number] = .waiting(continuation)
        return false
    }

    mutating func remove(_ number: Int) -> Continuation? {
        guard case .waiting(let continuation) = entries[number] else { return nil }
        entries[number] = nil
        return continuation
    }

    /// Frees a slot or gives it to the next request. Returns the continuation to resume, if any.
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
