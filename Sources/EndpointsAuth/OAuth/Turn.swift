import Endpoints
import EndpointsShared

/// Runs one of several functions at a time, in the order in which they are called.
final class Turn: Sendable {
    private struct State {
        var isTaken = false
        var waiters: [Waiter<Void>] = []
    }

    private let state = Locked(State())

    /// - Throws: What the function throws, and `CancellationError` if the task is cancelled while
    ///   it waits.
    func run<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        let waiter = Waiter<Void>()
        let isFirst = state.withLock { state in
            defer { state.isTaken = true }
            if state.isTaken { state.waiters.append(waiter) }
            return !state.isTaken
        }
        if !isFirst { try await waiter.value() }
        defer { passOn() }
        return try await body()
    }

    private func passOn() {
        while true {
            let next = state.withLock { state -> Waiter<Void>? in
                guard !state.waiters.isEmpty else {
                    state.isTaken = false
                    return nil
                }
                return state.waiters.removeFirst()
            }
            // One whose task was cancelled doesn't take its turn.
            guard let next, !next.resume(with: .success(())) else { return }
        }
    }
}
