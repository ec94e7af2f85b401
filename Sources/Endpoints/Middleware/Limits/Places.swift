import Foundation

/// The places for requests in flight, the same number for each origin, and the requests that wait
/// for one.
final class Places: Sendable {
    private let count: Int
    private let state = Locked(PerOrigin<Queue>())

    init(count: Int) {
        self.count = count
    }

    /// The origin whose places a URL takes; `nil` for one that is not http or https.
    func origin(of url: URL) -> Origin? {
        state.withLock { $0.origin(of: url) }
    }

    /// Waits until a place is free, and takes it.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before.
    func enter(_ origin: Origin) async throws {
        guard let number = state.withLock({ $0[origin].enter(count) }) else { return }
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
        let hasPlace = state.withLock { $0[origin].wait(number, continuation) }
        if hasPlace { return continuation.resume() }
        // A task that was cancelled before it waited has called its handler already.
        if Task.isCancelled { cancel(origin, number) }
    }

    private func cancel(_ origin: Origin, _ number: Int) {
        state.withLock { $0[origin].remove(number) }?.resume(throwing: CancellationError())
    }

    /// Gives a place to the request that has waited longest, if there is one.
    func leave(_ origin: Origin) {
        state.withLock { $0[origin].leave() }?.resume()
    }

    /// A body that frees its place when it has been read or dropped.
    func leaving(_ origin: Origin, afterReading body: ResponseBody) -> ResponseBody {
        let place = Place { self.leave(origin) }
        let pieces = Locked(body.makeAsyncIterator())
        return ResponseBody {
            var iterator = pieces.withLock { $0 }
            let piece = try await iterator.next()
            if piece == nil { place.leave() }
            return piece
        }
    }
}

/// The place of one request, which is freed once.
private final class Place: Sendable {
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
