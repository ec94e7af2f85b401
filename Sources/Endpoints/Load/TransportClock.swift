import Dispatch
import Foundation

/// The clock and the random numbers of transports and streams that wait. A test replaces them to
/// save time.
///
///     let clock = TransportClock(
///         date: { Date(timeIntervalSince1970: 0) }, uptime: { 0 }, sleep: { _ in },
///         random: { 1 })
///     let transport = session.retrying(.standard, clock: clock)   // doesn't wait
public struct TransportClock: Sendable {
    /// The current date, with which a server's dates are compared.
    public var date: @Sendable () -> Date
    /// The seconds since some fixed moment. Unlike a date, they don't go back when a clock is set.
    /// The system's clock doesn't count the time in which a device sleeps.
    public var uptime: @Sendable () -> TimeInterval
    /// Waits for a number of seconds. Throws `CancellationError` as soon as the task is cancelled.
    public var sleep: @Sendable (TimeInterval) async throws -> Void
    /// A random number from 0 to 1, so that many clients don't retry at the same moment.
    public var random: @Sendable () -> Double

    /// The system's clock and random numbers.
    public static let system = TransportClock(
        date: { Date() },
        uptime: { TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1e9 },
        sleep: { try await SystemSleep().run($0) },
        random: { .random(in: 0...1) })

    /// Makes a clock of your own.
    public init(
        date: @escaping @Sendable () -> Date,
        uptime: @escaping @Sendable () -> TimeInterval,
        sleep: @escaping @Sendable (TimeInterval) async throws -> Void,
        random: @escaping @Sendable () -> Double
    ) {
        self.date = date
        self.uptime = uptime
        self.sleep = sleep
        self.random = random
    }
}

/// One wait by the system's clock.
///
/// Unlike `Task.sleep`, it keeps no memory once its task is cancelled. On Linux, that keeps some
/// 0.75 KB until the time would have passed: a time limit of a day would keep them for a day.
private final class SystemSleep: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Void, any Error>, Alarm)
        case ended
    }

    private let state = Locked(State.new)

    func run(_ seconds: TimeInterval) async throws {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            try await withCheckedThrowingContinuation { wait(seconds, $0) }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }

    private func wait(_ seconds: TimeInterval, _ continuation: CheckedContinuation<Void, any Error>)
    {
        let isCancelled = state.withLock { state in
            if case .ended = state { return true }
            state = .waiting(continuation, Alarm(after: seconds) { self.end(.success(())) })
            return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
    }

    private func end(_ result: Result<Void, any Error>) {
        let waiting = state.withLock { state in
            defer { state = .ended }
            return if case .waiting(let continuation, let alarm) = state {
                (continuation, alarm)
            } else { nil as (CheckedContinuation<Void, any Error>, Alarm)? }
        }
        guard let (continuation, alarm) = waiting else { return }
        alarm.cancel()
        continuation.resume(with: result)
    }
}

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
