import Endpoints
import Foundation
import Testing

@Suite("The system's clock", .timeLimit(.minutes(5)))
struct TransportClockTests {
    private let clock = TransportClock.system

    @Test("A sleep takes its time, and none for a time that isn't one", arguments: [0.02, 0, -1])
    func sleep(seconds: TimeInterval) async throws {
        let start = clock.uptime()
        try await clock.sleep(seconds)
        #expect(clock.uptime() - start >= seconds)
    }

    @Test(
        "A sleep ends when its task is cancelled, before it or meanwhile, however long it is",
        arguments: [3600, 1e6, 1e300, .infinity], [true, false])
    func cancelled(seconds: TimeInterval, isBefore: Bool) async throws {
        let clock = clock
        let task = Task {
            if isBefore { while !Task.isCancelled { await Task.yield() } }
            try await clock.sleep(seconds)
        }
        await Task.yield()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    #if os(Linux)
        /// The bytes of memory that the process uses.
        private var memory: Int {
            let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
            return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * 4096
        }

        @Test("A sleep that was cancelled keeps no memory until its time would have passed")
        func memoryOfCancelled() async throws {
            let clock = clock
            func sleep(times count: Int) async {
                for _ in 0..<count {
                    let task = Task { try await clock.sleep(86_400) }
                    await Task.yield()
                    task.cancel()
                    _ = try? await task.value
                }
            }
            // Other tests run meanwhile, so the least growth of several is looked at.
            var least = Int.max
            for _ in 0..<5 {
                let before = memory
                await sleep(times: 20_000)
                least = min(least, memory - before)
            }
            // With `Task.sleep`, it is some 15 MB.
            #expect(least < 5_000_000)
        }
    #endif
}
