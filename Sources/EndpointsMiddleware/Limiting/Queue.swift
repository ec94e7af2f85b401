import Endpoints
import Foundation

/// The requests to one origin: those in flight, which have a slot each, and those that wait.
struct Queue: OriginState {
    private var inFlight = 0
    private var waiters: ArraySlice<Waiter<Void>> = []

    /// Whether no request has a slot. Then no request waits for one.
    func isIdle(at now: Date) -> Bool { inFlight == 0 }

    /// Takes a slot and returns `nil` if fewer than `count` are taken. Otherwise, the request must
    /// wait.
    mutating func enter(slots count: Int) -> Waiter<Void>? {
        guard inFlight >= count else {
            inFlight += 1
            return nil
        }
        let waiter = Waiter<Void>()
        waiters.append(waiter)
        return waiter
    }

    /// Returns the request that gets the slot, if one waits; otherwise, frees the slot.
    mutating func leave() -> Waiter<Void>? {
        let next = waiters.popFirst()
        if next == nil { inFlight -= 1 }
        return next
    }
}
