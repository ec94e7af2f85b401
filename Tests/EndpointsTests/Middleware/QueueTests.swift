import Testing

@testable import Endpoints
@testable import EndpointsMiddleware

@Suite("The queue of a limited transport")
struct QueueTests {
    @Test("A request gets a slot that becomes free before it begins to wait")
    func early() async throws {
        var queue = Queue()
        let numbers = (0..<3).map { _ in queue.enter(slots: 1) }
        #expect(numbers == [nil, 0, 1])
        let isAnyResumed = queue.leave() != nil
        #expect(!isAnyResumed)
        try await withCheckedThrowingContinuation { continuation in
            let hasPlace = queue.wait(0, continuation)
            #expect(hasPlace)
            continuation.resume()
        }
    }
}
