import Endpoints
import Foundation

/// A time that goes on only when everything waits, and then at once to the end of the next wait.
final class Clock: @unchecked Sendable {
    private struct Sleeper {
        let id: Int
        let end: TimeInterval
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let lock = NSLock()
    private var time: TimeInterval = 0
    private var count = 0
    private var sleepers: [Sleeper] = []

    var now: TimeInterval { lock.withLock { time } }
    var isWaitedFor: Bool { lock.withLock { !sleepers.isEmpty } }

    var transportClock: TransportClock {
        TransportClock(
            date: { Date(timeIntervalSince1970: 1_700_000_000 + self.now) }, uptime: { self.now },
            sleep: { try await self.sleep($0) }, random: { 0.5 })
    }

    /// Goes on to the end of the wait that ends first; `false` if nothing waits.
    func advance() -> Bool {
        let next: Sleeper? = lock.withLock {
            guard let next = sleepers.min(by: { ($0.end, $0.id) < ($1.end, $1.id) })
            else { return nil }
            sleepers.removeAll { $0.id == next.id }
            time = max(time, next.end)
            return next
        }
        next?.continuation.resume()
        return next != nil
    }

    func sleep(_ seconds: TimeInterval) async throws {
        let id = lock.withLock {
            count += 1
            return count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = lock.withLock {
                    if Task.isCancelled { return true }
                    sleepers.append(
                        Sleeper(id: id, end: time + max(0, seconds), continuation: continuation))
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = lock.withLock {
                let index = sleepers.firstIndex { $0.id == id }
                return index.map { sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
