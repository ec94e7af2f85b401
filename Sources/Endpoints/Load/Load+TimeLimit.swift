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
        guard let seconds = timeLimit else { return }
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + seconds, repeating: seconds)
        timer.setEventHandler { [weak self, weak task] in
            guard let self, let task, task.state != .suspended else { return }
            keep(task)
            // Every other end is reported there, too.
            session.delegateQueue.addOperation { [self] in
                finish(.failure(URLError(.timedOut, at: request.url)))
            }
        }
        let isKept = keep(timer)
        timer.activate()
        if !isKept { timer.cancel() }
    }

    /// The shorter of both limits, where there is one that ends.
    private var timeLimit: TimeInterval? {
        // A timer that repeats wants some time; no limit of a session is written as 0.
        let own = policy.timeLimit.map { $0 <= 0 ? 0.001 : $0 }
        return [own ?? 0, session.configuration.timeoutIntervalForResource]
            .filter { $0 > 0 && $0 <= Self.longestTime }.min()
    }

    /// Thirty years in seconds. A longer time never ends, and overflows the platform's counters.
    static let longestTime: TimeInterval = 1e9
}
