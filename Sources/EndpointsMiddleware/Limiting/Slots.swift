import Endpoints
import Foundation

/// The slots for requests in flight. Each origin has the same number of slots. A request has a slot
/// while it is in flight. Before that, it waits while all slots of its origin are taken.
final class Slots: Sendable {
    private let count: Int
    private let state = Locked(PerOrigin<Queue>())

    init(count: Int) {
        self.count = count
    }

    func origin(of url: URL) -> Origin? {
        state.withLock { $0.origin(of: url) }
    }

    /// Waits until a slot is free, and takes it.
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    func enter(_ origin: Origin) async throws {
        guard let number = state.withLock({ $0[origin].enter(slots: count) }) else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(origin, number, continuation)
            }
        } onCancel: {
            cancel(origin, number)
        }
    }

    private func wait(
        _ origin: Origin, _ number: Int, _ continuation: CheckedContinuation<Void, any Error>
    ) {
        let hasSlot = state.withLock { $0[origin].wait(number, continuation) }
        if hasSlot { return continuation.resume() }
        // If the task was cancelled before this, `onCancel` may have found no continuation.
        if Task.isCancelled { cancel(origin, number) }
    }

    private func cancel(_ origin: Origin, _ number: Int) {
        state.withLock { $0[origin].remove(number) }?.resume(throwing: CancellationError())
    }

    /// Frees a slot. If requests wait, the one that has waited longest takes it.
    func leave(_ origin: Origin) {
        state.withLock { $0[origin].leave() }?.resume()
    }

    /// The same body, which frees its request's slot when the body has been read or dropped.
    func leaving(_ origin: Origin, afterReading body: ResponseBody) -> ResponseBody {
        let slot = Slot { self.leave(origin) }
        let chunks = Locked(body.makeAsyncIterator())
        return ResponseBody {
            var iterator = chunks.withLock { $0 }
            let chunk = try await iterator.next()
            if chunk == nil { slot.leave() }
            return chunk
        }
    }
}

/// The slot of one request. Only the first `leave()` frees the slot.
private final class Slot: Sendable {
    private let whenLeft: Locked<(@Sendable () -> Void)?>

    init(_ whenLeft: @escaping @Sendable () -> Void) {
        self.whenLeft = Locked(whenLeft)
    }

    deinit { leave() }

    func leave() {
        let whenLeft = whenLeft.withLock { $0.take() }
        whenLeft?()
    }
}
