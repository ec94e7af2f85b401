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
        sleep: { seconds in
            // At most 31 years: the nanoseconds of 600 years would not fit in a `UInt64`.
            try await Task.sleep(nanoseconds: UInt64(max(0, min(seconds, 1e9)) * 1e9))
        },
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
