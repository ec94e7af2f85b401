import Endpoints
import Foundation
import NIOConcurrencyHelpers
import NIOCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// When a load has to end. AsyncHTTPClient's own deadline doesn't end a body that arrives slowly.
struct TimeLimit: Sendable {
    private let end: ContinuousClock.Instant?
    /// The longest time in which nothing arrives.
    private let idle: Duration

    init(of request: TransportRequest) {
        end = request.policy.timeLimit.flatMap { $0.isNaN ? nil : .now + Self.duration($0) }
        let seconds = request.urlRequest.timeoutInterval
        idle = Self.duration(seconds > 0 ? seconds : Self.longestTime)
    }

    /// Thirty years in seconds. A longer time overflows the clock's counters, which ends the
    /// process.
    private static let longestTime: TimeInterval = 1e9

    private static func duration(_ seconds: TimeInterval) -> Duration {
        .seconds(min(max(seconds, 0), longestTime))
    }

    /// Throws if the time is over, so that nothing more is sent.
    func check() throws(URLError) {
        guard rest(since: .now) > .zero else { throw URLError(.timedOut) }
    }

    /// How long may be waited from now on.
    /// - Parameter start: Since when nothing has arrived; `nil` if nothing is awaited.
    func rest(since start: ContinuousClock.Instant?) -> Duration {
        let now = ContinuousClock.now
        let rest = now.duration(to: (start ?? now) + idle)
        return end.map { min(rest, now.duration(to: $0)) } ?? rest
    }

    /// The deadline for the head of a response.
    func deadline() -> NIODeadline { .now() + TimeAmount(rest(since: .now)) }
}

/// Calls a function when a time is over. All alarms share one timer, which is set anew only for one
/// that rings before the others. (The library has such alarms too, and no other package sees them.)
final class Alarm: Sendable {
    private struct Clock {
        var alarms: [ObjectIdentifier: (alarm: Alarm, time: ContinuousClock.Instant)] = [:]
        /// When the timer fires; `nil` if it isn't set.
        var next: ContinuousClock.Instant?
    }

    private static let clock = NIOLockedValueBox(Clock())
    private static let queue = DispatchQueue(label: "EndpointsAsyncHTTPClient.Alarm")
    private let rest: @Sendable () -> Duration
    private let ring: @Sendable () -> Void

    /// - Parameters:
    ///   - rest: How much of the time is left. It may become more.
    ///   - ring: Called once, on the queue of all alarms.
    init(_ rest: @escaping @Sendable () -> Duration, ring: @escaping @Sendable () -> Void) {
        self.rest = rest
        self.ring = ring
        set(after: rest())
    }

    func cancel() {
        // What the functions keep alive ends after the lock.
        _ = Self.clock.withLockedValue { $0.alarms.removeValue(forKey: ObjectIdentifier(self)) }
    }

    private func set(after rest: Duration) {
        let time = ContinuousClock.now + rest
        Self.clock.withLockedValue { clock in
            clock.alarms[ObjectIdentifier(self)] = (self, time)
            Self.wake(at: time, &clock)
        }
    }

    private static func wake(at time: ContinuousClock.Instant, _ clock: inout Clock) {
        guard clock.next.map({ time < $0 }) ?? true else { return }
        clock.next = time
        let seconds = max(ContinuousClock.now.duration(to: time) / .seconds(1), 0)
        queue.asyncAfter(deadline: .now() + seconds) { ringAll(at: time) }
    }

    private static func ringAll(at time: ContinuousClock.Instant) {
        let now = ContinuousClock.now
        let due = clock.withLockedValue { clock in
            // The timer has been set anew for an earlier time.
            guard clock.next == time else { return [Alarm]() }
            let due = clock.alarms.values.filter { $0.time <= now }.map(\.alarm)
            for alarm in due { clock.alarms[ObjectIdentifier(alarm)] = nil }
            clock.next = nil
            if let next = clock.alarms.values.map(\.time).min() { wake(at: next, &clock) }
            return due
        }
        for alarm in due {
            let rest = alarm.rest()
            if rest > .zero { alarm.set(after: rest) } else { alarm.ring() }
        }
    }
}
