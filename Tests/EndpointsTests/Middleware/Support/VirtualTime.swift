import Endpoints
import EndpointsMiddleware
import Foundation

/// Runs tasks one after another on the caller's thread. When all of them wait, it moves its time on
/// to the end of the shortest sleep.
///
///     let time = VirtualTime()
///     time.start { try await time.sleep(3600) }
///     time.run()      // takes no time
///     time.now        // 3600
///
/// It is unchecked, as the state is only touched while the lock is held.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class VirtualTime: TaskExecutor, @unchecked Sendable {
    private struct Sleeper {
        let end: TimeInterval
        let number: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let lock = NSLock()
    private var jobs: [UnownedJob] = []
    /// The one that wakes first is the last.
    private var sleepers: [Sleeper] = []
    private var sleeps = 0
    private var uptime: TimeInterval = 0
    private var random: SplitMix64

    init(seed: UInt64 = 1) {
        random = SplitMix64(seed: seed)
    }

    var now: TimeInterval { lock.withLock { uptime } }

    /// The clock for a middleware. It begins at 2023-11-14 22:13:20 UTC.
    var clock: TransportClock {
        TransportClock(
            date: { Date(timeIntervalSince1970: 1_700_000_000 + self.now) },
            uptime: { self.now }, sleep: sleep, random: { self.number(in: 0...1) })
    }

    func number(in range: ClosedRange<Double>) -> Double {
        lock.withLock { Double.random(in: range, using: &random) }
    }

    @discardableResult
    func start(_ work: @escaping @Sendable () async throws -> Void) -> Task<Void, any Error> {
        Task(executorPreference: self) { try await work() }
    }

    /// Runs until nothing is left to do.
    func run() {
        while true {
            if let job = lock.withLock({ jobs.isEmpty ? nil : jobs.removeFirst() }) {
                job.runSynchronously(on: asUnownedTaskExecutor())
            } else if let sleeper = lock.withLock({ sleepers.popLast() }) {
                lock.withLock { uptime = max(uptime, sleeper.end) }
                sleeper.continuation.resume()
            } else {
                return
            }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.withLock { jobs.append(job) }
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
