import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Load {
    /// Ends the load after the time limit of the policy or of the session's
    /// `timeoutIntervalForResource`, which `URLSession` on Linux ignores.
    ///
    /// A task that hasn't been resumed by then gets the same time again.
    func limitTime(of task: URLSessionTask) {
        guard let seconds = timeLimit else { return }
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + seconds, repeating: seconds)
        timer.setEventHandler { [weak self, weak task] in
            guard let self, let task, task.state != .suspended else { return }
            keep(task)
            // Every other result is reported on this queue too.
            session.delegateQueue.addOperation { [self] in
                finish(.failure(URLError(.timedOut, at: request.url)))
            }
        }
        let isKept = keep(timer)
        timer.activate()
        if !isKept { timer.cancel() }
    }

    /// The shorter of the two limits; `nil` if neither is finite.
    private var timeLimit: TimeInterval? {
        // A repeating timer needs a positive interval, and a session without a limit has 0.
        let own = policy.timeLimit.map { $0 <= 0 ? 0.001 : $0 }
        return [own ?? 0, session.configuration.timeoutIntervalForResource]
            .filter { $0 > 0 && $0 <= Self.longestTime }.min()
    }

    /// Thirty years in seconds. A longer time never ends, and overflows the platform's counters.
    static let longestTime: TimeInterval = 1e9
}
