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
