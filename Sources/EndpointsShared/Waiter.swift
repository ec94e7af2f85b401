import Endpoints

/// One task that waits for a value: until somebody resumes it, or until the task is cancelled.
package final class Waiter<Value: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Value, any Error>)
        case ended(Result<Value, any Error>)
    }

    private let state = Locked(State.new)

    package init() {}

    /// The value that ``resume(with:)`` is called with, before or after this. Call this once.
    /// - Throws: `CancellationError` if the task is cancelled first.
    package func value() async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Value, any Error>? = state.withLock { state in
                    if case .ended(let result) = state { return result }
                    state = .waiting(continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            resume(with: .failure(CancellationError()))
        }
    }

    /// Ends the wait. Only the first call has an effect and returns `true`.
    @discardableResult package func resume(with result: Result<Value, any Error>) -> Bool {
        let (isFirst, continuation) = state.withLock { state in
            defer { if case .ended = state {} else { state = .ended(result) } }
            return switch state {
            case .new: (true, nil as CheckedContinuation<Value, any Error>?)
            case .waiting(let continuation): (true, continuation)
            case .ended: (false, nil)
            }
        }
        continuation?.resume(with: result)
        return isFirst
    }
}
