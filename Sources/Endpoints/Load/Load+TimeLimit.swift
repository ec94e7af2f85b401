import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Load {
    /// Ends the load when its time is up, by the policy or by the session's
    /// `timeoutIntervalForResource`, which Linux does not heed.
    ///
    /// A task that has not been resumed by then gets the same time again.
    func limitTime(of task: URLSessionTask) {
        let seconds = min(
            policy.timeLimit ?? .infinity, session.configuration.timeoutIntervalForResource)
        guard seconds.isFinite, seconds > 0 else { return }
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + seconds, repeating: seconds)
        timer.setEventHandler { [weak self, weak task] in
            guard let self, let task, task.state != .suspended else { return }
            keep(task)
            finish(.failure(URLError(.timedOut, at: task.originalRequest?.url)))
        }
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.timer = timer }
            return state.hasEnded
        }
        timer.activate()
        if hasEnded { timer.cancel() }
    }
}
