import Endpoints

/// Work in a task of its own, whose progress a loop reads. The task is cancelled when nobody reads
/// any more.
package final class ProgressLoop<Failure: Error>: Sendable {
    private struct State {
        /// The last progress that wasn't read.
        var latest: TransferProgress?
        var end: Result<Void, Failure>?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state: Locked<State>
    private let task: Task<Void, Never>

    package init(
        _ work:
            @escaping @Sendable (@escaping @Sendable (TransferProgress) -> Void)
            async throws(Failure) -> Void
    ) {
        let state = Locked(State())
        let change: @Sendable (_ body: (inout State) -> Void) -> Void = { body in
            let waiter = state.withLock { state in
                body(&state)
                return state.waiter.take()
            }
            waiter?.resume()
        }
        self.state = state
        task = Task {
            let result: Result<Void, Failure>
            do throws(Failure) {
                try await work { progress in change { $0.latest = progress } }
                result = .success(())
            } catch { result = .failure(error) }
            change { $0.end = result }
        }
    }

    deinit { task.cancel() }

    /// The last progress that wasn't read, when there is one; `nil` at the end.
    package func next() async throws(Failure) -> TransferProgress? {
        let task = task
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.latest != nil || state.end != nil { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            task.cancel()
        }
        let (latest, end) = state.withLock { ($0.latest.take(), $0.end) }
        if let latest { return latest }
        let failure = state.withLock { state in
            defer { state.end = .success(()) }
            return end
        }
        try failure?.get()
        return nil
    }
}
