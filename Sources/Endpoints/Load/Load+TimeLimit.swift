import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Load {
    /// Ends the load after the time limit of the policy or of the session's
    /// `timeoutIntervalForResource`, which `URLSession` on Linux ignores.
    ///
    /// A task that hasn't been resumed by then gets the same time again, and at least a tenth of a
    /// second. `URLSession` on Linux also suspends a task while the delegate handles a challenge.
    func limitTime(of task: URLSessionTask) {
        guard let seconds = timeLimit else { return }
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + seconds, repeating: max(seconds, 0.1))
        timer.setEventHandler { [weak self, weak task] in
            guard let self, hasStarted || incoming != nil || task?.state != .suspended
            else { return }
            if let task { keep(task) }
            report(.failure(timeoutError))
        }
        let isKept = keep(timer)
        timer.activate()
        if !isKept { timer.cancel() }
    }

    /// The shorter of the two limits; `nil` if neither is finite.
    private var timeLimit: TimeInterval? {
        // A session without a limit has 0.
        [policy.timeLimit ?? 0, session.configuration.timeoutIntervalForResource]
            .filter { $0 > 0 && $0 <= Self.longestTime }.min()
    }

    /// The error of a load whose time is up.
    var timeoutError: URLError { URLError(.timedOut, at: request.url) }

    /// Thirty years in seconds. A longer time overflows the platform's counters, and is no limit.
    static let longestTime: TimeInterval = 1e9
}

extension LoadPolicy {
    /// Whether the time of a load is up before it starts.
    var leavesNoTime: Bool { timeLimit.map { $0 <= 0 } ?? false }
}
