import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Load {
    /// Ends the load after the time limit of the policy or of the session's
    /// `timeoutIntervalForResource`, which `URLSession` on Linux ignores.
    ///
    /// `URLSession` on Linux suspends a task also while the delegate handles a challenge, but the
    /// load has kept that task.
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

/// Decides whether the time of a load is over, each time that its timer fires.
struct TimeLimit {
    /// The seconds between two decisions. A tiny limit must not keep a processor busy.
    let interval: TimeInterval
    private var wasWaiting = false

    init(_ seconds: TimeInterval) {
        interval = max(seconds, 0.1)
    }

    /// Whether the time is over. A task that has not been resumed waits; one that was resumed since
    /// the last decision gets the whole time.
    mutating func isOver(isWaiting: Bool) -> Bool {
        defer { wasWaiting = isWaiting }
        return !isWaiting && !wasWaiting
    }
}
