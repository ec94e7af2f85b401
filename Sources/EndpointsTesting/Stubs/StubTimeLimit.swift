import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportRequest {
    /// Throws `URLError.timedOut` if the time limit leaves no time.
    func checkTime() throws(URLError) {
        if let limit = policy.timeLimit, limit <= 0 {
            throw URLError(.timedOut, at: urlRequest.url)
        }
    }

    /// What a function returns, and this request with the time that is left.
    ///
    /// - Throws: What the function throws; `URLError.timedOut` if it takes longer than the time
    ///   limit, even if it goes on after it is cancelled.
    func withinTimeLimit<Value: Sendable>(
        _ make: @escaping @Sendable () async throws -> Value
    ) async throws -> (Value, TransportRequest) {
        // A longer limit is none; its nanoseconds may be too many.
        guard let limit = policy.timeLimit, limit <= 1e9 else { return (try await make(), self) }
        let start = ProcessInfo.processInfo.systemUptime
        let (values, ends) = AsyncThrowingStream<Value, any Error>.makeStream()
        let call = Task {
            do { ends.yield(try await make()) } catch { ends.finish(throwing: error) }
        }
        let timer = Task {
            try await Task.sleep(seconds: limit)
            ends.finish(throwing: URLError(.timedOut, at: urlRequest.url))
        }
        defer {
            call.cancel()
            timer.cancel()
        }
        var iterator = values.makeAsyncIterator()
        guard let value = try await iterator.next() else { throw CancellationError() }
        var rest = self
        rest.policy.timeLimit = limit - (ProcessInfo.processInfo.systemUptime - start)
        try rest.checkTime()
        return (value, rest)
    }
}

extension Task where Success == Never, Failure == Never {
    static func sleep(seconds: TimeInterval) async throws {
        try await sleep(nanoseconds: UInt64(min(max(seconds, 0), 1e9) * 1e9))
    }
}
