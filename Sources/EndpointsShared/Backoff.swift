import Foundation

/// The time to wait before each new attempt: twice as long each time, up to a longest time.
///
///     delay 3, limit 4   ->  3, 6, 12, 24, then no more attempts
///     delay 0, limit 4   ->  0, 0.1, 0.2, 0.4, then no more attempts
package struct Backoff: Sendable {
    /// The seconds before the first new attempt. A delay longer than `longest` doesn't grow.
    package var delay: TimeInterval
    private let limit: Int
    private let longest: TimeInterval
    private let least: TimeInterval
    private var count = 0

    /// - Parameters:
    ///   - limit: The most new attempts in a row without a success.
    ///   - least: What a shorter `delay` counts as after the first new attempt, so that it grows.
    package init(
        delay: TimeInterval, limit: Int, longest: TimeInterval = 60, least: TimeInterval = 0.05
    ) {
        self.delay = delay
        self.limit = limit
        self.longest = longest
        self.least = least
    }

    /// Whether the limit is reached.
    package var isAtEnd: Bool { count >= limit }

    /// The seconds before the next attempt; `nil` if the limit is reached.
    package mutating func next() -> TimeInterval? {
        guard count < limit else { return nil }
        defer { count += 1 }
        guard count > 0 else { return delay }
        // An infinite power times 0 would be NaN.
        return min(max(delay, least) * pow(2, Double(min(count, 60))), max(delay, longest))
    }

    package mutating func reset() {
        count = 0
    }
}
