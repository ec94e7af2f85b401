import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Load {
    /// Ends the load after the shorter of two times: the policy's time limit and the session's
    /// `timeoutIntervalForResource`, which `URLSession` on Linux ignores.
    ///
    /// The task of an `endpointTask` is suspended until the caller resumes it, and the caller may
    /// suspend it again. While it is suspended, the load doesn't time out, unless the task has been
    /// redirected or, on Linux, challenged. (On Linux, `URLSession` itself suspends a task while it
    /// asks for a credential.)
    func limitTime(of task: URLSessionTask) {
        guard let seconds = timeLimit else { return }
        let limit = Locked(TimeLimit(seconds))
        let timer = DispatchSource.makeTimerSource(queue: Self.timers)
        timer.schedule(deadline: .now() + seconds, repeating: limit.withLock(\.interval))
        timer.setEventHandler { [weak self, weak task] in
            guard let self else { return }
            let isWaiting = !hasStarted && buffer == nil && task?.state == .suspended
            guard limit.withLock({ $0.isOver(isWaiting: isWaiting) }) else { return }
            if let task { keep(task) }
            report(.failure(timeoutError))
        }
        let isKept = keep(timer)
        timer.activate()
        if !isKept { timer.cancel() }
    }

    /// The shorter of the policy's and the session's limit, in seconds; `nil` if neither has one. A
    /// limit longer than ``longestTime`` counts as none.
    private var timeLimit: TimeInterval? {
        // A session's 0 means no limit. With a policy's 0 nothing is sent, so no timer is needed.
        [policy.timeLimit ?? 0, session.configuration.timeoutIntervalForResource]
            .filter { $0 > 0 && $0 <= Self.longestTime }.min()
    }

    /// The queue of all loads' timers. It is serial, and so has a thread of its own. On Linux a
    /// concurrent queue has no more threads than the machine has processors while all are busy, and
    /// shares them with each `Task`: a timer there was two seconds late.
    private static let timers = DispatchQueue(label: "Endpoints.Load.timers")

    var timeoutError: URLError { URLError(.timedOut, at: request.url) }

    /// About 30 years, in seconds. A longer time isn't used, because the number of its nanoseconds
    /// may be too large for the functions that wait.
    static let longestTime: TimeInterval = 1e9
}

extension LoadPolicy {
    package var leavesNoTime: Bool { timeLimit.map { $0 <= 0 } ?? false }
}

/// Decides, each time that the timer of a load fires, whether the load's time is over.
struct TimeLimit {
    /// The seconds until the timer fires again: at least 0.1, so that a timer with a tiny limit
    /// doesn't keep a processor busy.
    let interval: TimeInterval
    private var wasWaiting = false

    init(_ seconds: TimeInterval) {
        interval = max(seconds, 0.1)
    }

    /// Whether the time is over. It is not over if the task is waiting for its caller to resume it,
    /// or was waiting at the previous call.
    mutating func isOver(isWaiting: Bool) -> Bool {
        defer { wasWaiting = isWaiting }
        return !isWaiting && !wasWaiting
    }
}
