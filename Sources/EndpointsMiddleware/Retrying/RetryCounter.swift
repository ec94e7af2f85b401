import Endpoints
import Foundation

/// How many requests and retries there were in the last minute.
///
/// It keeps a count for each of the last 60 seconds, so its size doesn't grow with the requests.
struct RetryCounter: Sendable {
    private struct Count {
        var requests = 0
        var retries = 0
    }

    private let budget: RetryBudget
    /// The counts of the last 60 seconds. Those of the second `s` are at the index `s % 60`.
    private var seconds = [Count](repeating: Count(), count: 60)
    private var lastMinute = Count()
    private var now = 0

    init(_ budget: RetryBudget) {
        self.budget = budget
    }

    mutating func addRequest(at uptime: TimeInterval) {
        advance(to: uptime)
        seconds[now % 60].requests += 1
        lastMinute.requests += 1
    }

    /// Counts a retry and returns `true`, if the budget allows one.
    mutating func takeRetry(at uptime: TimeInterval) -> Bool {
        advance(to: uptime)
        let share = budget.retriesPerRequest * Double(lastMinute.requests)
        guard
            lastMinute.retries < budget.retriesPerMinute || Double(lastMinute.retries) + 1 <= share
        else { return false }
        seconds[now % 60].retries += 1
        lastMinute.retries += 1
        return true
    }

    /// Removes the counts of seconds that are a minute or more ago.
    private mutating func advance(to uptime: TimeInterval) {
        let next = Int(max(0, min(uptime, 1e15)))
        guard next > now else { return }
        for second in max(now + 1, next - 59)...next {
            lastMinute.requests -= seconds[second % 60].requests
            lastMinute.retries -= seconds[second % 60].retries
            seconds[second % 60] = Count()
        }
        now = next
    }
}
