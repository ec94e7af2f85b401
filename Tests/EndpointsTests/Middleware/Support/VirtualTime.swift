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
    private let lock = NSLock()
    private let time = VirtualClock()
    private var jobs: [UnownedJob] = []
    private var random: SplitMix64

    init(seed: UInt64 = 1) {
        random = SplitMix64(seed: seed)
    }

    var now: TimeInterval { time.now }

    /// The clock for a middleware.
    var clock: TransportClock { time.transportClock { self.number(in: 0...1) } }

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
            } else if !time.advance() {
                return
            }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.withLock { jobs.append(job) }
    }

    @Sendable func sleep(_ seconds: TimeInterval) async throws {
        try await time.sleep(seconds)
    }
}
