import Dispatch
import Foundation

/// A function that is called after a time, unless the alarm is cancelled before.
///
/// All alarms share one timer, which is set only for the earliest of them. So most loads, which end
/// long before their limit, neither make nor set a timer.
final class Alarm: Sendable {
    private struct Clock {
        var alarms: [ObjectIdentifier: Alarm] = [:]
        /// When the timer fires; `.max` if it isn't set.
        var next = UInt64.max
        /// Its queue is serial, and so has a thread of its own. On Linux a concurrent queue has no
        /// more threads than the machine has processors while all are busy, and shares them with
        /// each `Task`: a timer there was two seconds late.
        lazy var timer: any DispatchSourceTimer = {
            let timer = DispatchSource.makeTimerSource(
                queue: DispatchQueue(label: "Endpoints.Alarm"))
            timer.setEventHandler { ringAll() }
            timer.activate()
            return timer
        }()
    }

    private let ring: @Sendable () -> Void
    /// When it rings, in nanoseconds of `DispatchTime`.
    private let time: UInt64

    /// - Parameters:
    ///   - seconds: The time from now; at most 31 years.
    ///   - ring: Called once, on the queue of all alarms, so it must be short and must not wait.
    init(after seconds: TimeInterval, _ ring: @escaping @Sendable () -> Void) {
        self.ring = ring
        // The nanoseconds of 600 years would not fit in a `UInt64`.
        let wait = UInt64((seconds > 0 ? min(seconds, 1e9) : 0) * 1e9)
        time = DispatchTime.now().uptimeNanoseconds + wait
        Self.clock.withLock { clock in
            clock.alarms[ObjectIdentifier(self)] = self
            Self.set(&clock, time)
        }
    }

    /// Forgets the function, unless it is being called already.
    func cancel() {
        // What the function keeps alive ends after the lock, as it is returned.
        _ = Self.clock.withLock { $0.alarms.removeValue(forKey: ObjectIdentifier(self)) }
    }

    private static func set(_ clock: inout Clock, _ time: UInt64) {
        guard time < clock.next else { return }
        clock.next = time
        clock.timer.schedule(deadline: DispatchTime(uptimeNanoseconds: time))
    }

    private static func ringAll() {
        let due = clock.withLock { clock in
            let now = DispatchTime.now().uptimeNanoseconds
            var (due, next): ([Alarm], UInt64) = ([], .max)
            for alarm in clock.alarms.values {
                if alarm.time <= now { due.append(alarm) } else { next = min(next, alarm.time) }
            }
            for alarm in due { clock.alarms[ObjectIdentifier(alarm)] = nil }
            clock.next = .max
            // At the earliest in 10 ms, as each time all alarms are looked through.
            set(&clock, max(next, now + 10_000_000))
            return due
        }
        for alarm in due { alarm.ring() }
    }

    private static let clock = Locked(Clock())
}
