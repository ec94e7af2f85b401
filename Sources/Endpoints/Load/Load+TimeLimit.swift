import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Load {
    /// Ends the load after the policy's time limit or the session's `timeoutIntervalForResource`,
    /// whichever is shorter. `URLSession` on Linux ignores the latter.
    ///
    /// A callback's task that its caller has not resumed yet is suspended, and gets more time.
    /// After ``hasStarted``, a suspended task gets no more time, because `URLSession` on Linux
    /// suspends a challenged task too.
    func limitTime(of task: URLSessionTask) {
        guard let seconds = timeLimit else { return }
        let limit = Locked(TimeLimit(seconds))
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + seconds, repeating: limit.withLock(\.interval))
        timer.setEventHandler { [weak self, weak task] in
            guard let self else { return }
            let isWaiting = !hasStarted && incoming == nil && task?.state == .suspended
            guard limit.withLock({ $0.isOver(isWaiting: isWaiting) }) else { return }
            if let task { keep(task) }
            report(.failure(timeoutError))
        }
        let isKept = keep(timer)
        timer.activate()
        if !isKept { timer.cancel() }
    }

    /// The shorter of the two limits; `nil` if there is none.
    private var timeLimit: TimeInterval? {
        // In a session, 0 means that there is no limit.
        [policy.timeLimit ?? 0, session.configuration.timeoutIntervalForResource]
            .filter { $0 > 0 && $0 <= Self.longestTime }.min()
    }

    /// The error of a load whose time is up.
    var timeoutError: URLError { URLError(.timedOut, at: request.url) }

    /// Thirty years in seconds. Longer times overflow the platform's counters, and are ignored.
    static let longestTime: TimeInterval = 1e9
}

extension LoadPolicy {
    /// Whether the time of a load is up before it starts.
    var leavesNoTime: Bool { timeLimit.map { $0 <= 0 } ?? false }
}

/// Decides, each time that the timer of a load fires, whether the load's time is over.
struct TimeLimit {
    /// The seconds until the timer fires again: at least 0.1, as a tiny limit must not keep a
    /// processor busy.
    let interval: TimeInterval
    private var wasWaiting = false

    init(_ seconds: TimeInterval) {
        interval = max(seconds, 0.1)
    }

    /// Whether the time is over. A task that has not been resumed yet has time left. So has a task
    /// that was resumed since the last call, until the next call.
    mutating func isOver(isWaiting: Bool) -> Bool {
        defer { wasWaiting = isWaiting }
        return !isWaiting && !wasWaiting
    }
}
