import Endpoints
import Foundation

/// The attempts of one request: how many there were, and when the next one is due.
struct Attempts {
    private let policy: RetryPolicy
    private let deadline: TimeInterval?
    private var backoff: Backoff
    /// The clock's uptime in seconds, as last read.
    var now: TimeInterval
    private(set) var delay: TimeInterval = 0

    /// - Parameter limit: The seconds that the request's ``LoadPolicy`` allows for all attempts.
    init(_ policy: RetryPolicy, limit: TimeInterval?, start: TimeInterval) {
        self.policy = policy
        backoff = Backoff(
            delay: max(0, min(policy.firstDelay, policy.longestDelay)),
            limit: max(1, policy.attempts) - 1, longest: policy.longestDelay, least: 0)
        now = start
        deadline = [limit, policy.timeLimit].compactMap { $0 }.min().map { start + $0 }
    }

    /// Counts one more attempt and sets ``delay`` for it; `false` if the policy or a time limit
    /// forbids the attempt.
    /// - Parameters:
    ///   - retryAfter: The seconds that the server asks to wait, if it does.
    ///   - random: Which part of the policy's delay to wait, from 0 to 1.
    mutating func prepareNext(after retryAfter: TimeInterval?, random: Double) -> Bool {
        let retryAfter = max(0, retryAfter ?? 0)
        guard retryAfter <= policy.longestRetryAfter, let longest = backoff.next()
        else { return false }
        delay = retryAfter + longest * random
        return deadline.map { now + delay < $0 } ?? true
    }

    /// The request, with the time that is left for this and all later attempts as its time limit.
    func limit(_ request: TransportRequest) -> TransportRequest {
        guard let deadline else { return request }
        var request = request
        request.policy.timeLimit = deadline - now
        return request
    }
}
