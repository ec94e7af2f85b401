import Endpoints
import Foundation
import NIOCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// When a load has to end. AsyncHTTPClient's own deadline doesn't end a body that arrives slowly.
struct TimeLimit: Sendable {
    private let end: ContinuousClock.Instant?
    /// The longest time in which nothing arrives.
    private let idle: Duration

    init(of request: TransportRequest) {
        end = request.policy.timeLimit.flatMap { $0.isNaN ? nil : .now + Self.duration($0) }
        let seconds = request.urlRequest.timeoutInterval
        idle = Self.duration(seconds > 0 ? seconds : Self.longestTime)
    }

    /// Thirty years in seconds. A longer time overflows the clock's counters, which ends the
    /// process.
    private static let longestTime: TimeInterval = 1e9

    private static func duration(_ seconds: TimeInterval) -> Duration {
        .seconds(min(max(seconds, 0), longestTime))
    }

    /// Throws if the time is over, so that nothing more is sent.
    func check() throws(URLError) {
        guard rest > .zero else { throw URLError(.timedOut) }
    }

    /// How long may be waited from now on.
    private var rest: Duration {
        end.map { min(idle, ContinuousClock.now.duration(to: $0)) } ?? idle
    }

    /// The deadline for the head of a response.
    func deadline() -> NIODeadline { .now() + TimeAmount(rest) }

    /// Waits for an operation, and cancels it when the time is over.
    func wait<Value: Sendable>(
        for operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let rest = rest
        return try await withThrowingTaskGroup(of: Value.self) { group in
            defer { group.cancelAll() }
            group.addTask(operation: operation)
            group.addTask {
                try await Task.sleep(for: rest)
                throw URLError(.timedOut)
            }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}
