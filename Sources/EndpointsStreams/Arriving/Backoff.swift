import Endpoints
import Foundation

/// The time to wait before each new attempt: twice as long each time, up to a minute.
///
///     delay 3, limit 4   ->  3, 6, 12, 24, then no more attempts
///     delay 0, limit 4   ->  0, 0.1, 0.2, 0.4, then no more attempts
struct Backoff {
    /// The seconds before the first new attempt. A delay of more than a minute doesn't grow.
    var delay: TimeInterval
    private let limit: Int
    private var count = 0

    /// - Parameter limit: The most new attempts in a row without a success.
    init(delay: TimeInterval, limit: Int) {
        self.delay = delay
        self.limit = limit
    }

    /// The seconds before the next attempt; `nil` if the limit is reached.
    mutating func next() -> TimeInterval? {
        guard count < limit else { return nil }
        defer { count += 1 }
        guard count > 0 else { return delay }
        // A delay below 0.05 counts as 0.05 here. A delay of 0 would never grow, and after many
        // attempts, when the power is infinite, 0 times infinity would be NaN.
        return min(max(delay, 0.05) * pow(2, Double(count)), max(delay, 60))
    }

    mutating func reset() {
        count = 0
    }
}
