import Endpoints
import Foundation

/// A time that stands still until it is moved on, and then goes at once to the end of the sleep
/// that ends first; of two that end together, the one that began first.
///
/// It is unchecked, as the state is only touched while the lock is held.
final class VirtualClock: @unchecked Sendable {
    private struct Sleeper {
        let end: TimeInterval
        let number: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let lock = NSLock()
    /// The one that wakes first is the last.
    private var sleepers: [Sleeper] = []
    private var sleeps = 0
    private var uptime: TimeInterval = 0

    var now: TimeInterval { lock.withLock { uptime } }
    var isWaitedFor: Bool { lock.withLock { !sleepers.isEmpty } }

    /// The clock for a middleware. It begins at 2023-11-14 22:13:20 UTC.
    func transportClock(random: @escaping @Sendable () -> Double) -> TransportClock {
        TransportClock(
            date: { Date(timeIntervalSince1970: 1_700_000_000 + self.now) },
            uptime: { self.now }, sleep: sleep, random: random)
    }

    /// Goes on to the end of the sleep that ends first; `false` if nothing sleeps.
    func advance() -> Bool {
        let sleeper = lock.withLock {
            let sleeper = sleepers.popLast()
            uptime = max(uptime, sleeper?.end ?? uptime)
            return sleeper
        }
        sleeper?.continuation.resume()
        return sleeper != nil
    }

    @Sendable func sleep(_ seconds: TimeInterval) async throws {
        let number = lock.withLock {
            sleeps += 1
            return sleeps
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Sleeper(end: now + seconds, number: number, continuation: continuation))
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    private func add(_ sleeper: Sleeper) {
        lock.withLock {
            var (lower, upper) = (0, sleepers.count)
            while lower < upper {
                let middle = (lower + upper) / 2
                if sleepers[middle].end > sleeper.end { lower = middle + 1 } else { upper = middle }
            }
            sleepers.insert(sleeper, at: lower)
        }
    }

    private func cancel(_ number: Int) {
        let sleeper = lock.withLock {
            sleepers.firstIndex { $0.number == number }.map { sleepers.remove(at: $0) }
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
