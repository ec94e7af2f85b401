import EndpointsShared
import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsMiddleware

@Suite("The queue of a limited transport")
struct QueueTests {
    @Test("A request gets a slot that becomes free before it begins to wait")
    func early() async throws {
        var queue = Queue()
        let waiters = (0..<3).map { _ in queue.enter(slots: 1) }
        #expect(waiters.map { $0 == nil } == [true, false, false])
        let next = queue.leave()
        #expect(next === waiters[1])
        #expect(next?.resume(with: .success(())) == true)
        try await next?.value()
    }

    @Test("A request that was cancelled before it began to wait doesn't take a slot")
    func cancelled() async throws {
        let waiter = Waiter<Void>()
        let task = Task { try await waiter.value() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!waiter.resume(with: .success(())))
    }

    @Test("A request that was cancelled while it waited isn't kept until a slot becomes free")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func released() throws {
        let time = VirtualTime()
        let stub = ClosureTransport { _ in
            try await time.sleep(10)
            return try .stub(200)
        }
        let limited = Limited(base: stub, count: 1, clock: .system)
        let origin = try #require(URL(string: "https://a.example").flatMap(Origin.init))
        let waiting = { @Sendable in limited.queues.withLock { $0[origin].waiters.count } }
        for number in 0..<3 {
            let request = try Item.request(at: "https://a.example/\(number)")
            let task = time.start { _ = try await limited.send(request) }
            if number > 0 {
                time.start {
                    try await time.sleep(1)
                    #expect(waiting() == 2)
                    try await time.sleep(1)
                    task.cancel()
                    try await time.sleep(1)
                    #expect(waiting() == 0)
                }
            }
        }
        time.run()
    }
}
