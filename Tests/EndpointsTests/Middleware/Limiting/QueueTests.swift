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
}
