import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// When the ``LoadPolicy/timeLimit`` of a request is over: for its waits and its loads together, by
/// one clock.
package struct Deadline: Sendable {
    private let clock: TransportClock
    /// By the clock's uptime; `nil` without a limit.
    private let end: TimeInterval?
    private let url: URL?

    /// The end of a request whose time begins now.
    /// - Parameter longest: Another limit in seconds; `.nan` is none. The shorter one counts.
    package init(
        of request: TransportRequest, _ clock: TransportClock, atMost longest: TimeInterval? = nil
    ) {
        self.init(
            after: [request.policy.timeLimit, longest].compactMap { $0 }.filter { !$0.isNaN }.min(),
            at: request.urlRequest.url, clock)
    }

    /// The end of a load that has so many seconds left; `nil` for a load without a limit.
    package init(after seconds: TimeInterval?, at url: URL?, _ clock: TransportClock) {
        self.clock = clock
        end = seconds.map { clock.uptime() + $0 }
        self.url = url
    }

    /// The seconds until the end; `nil` without a limit.
    package var secondsLeft: TimeInterval? { end.map { $0 - clock.uptime() } }

    /// Whether no time is left.
    package var isOver: Bool { secondsLeft.map { $0 <= 0 } ?? false }

    /// The error of a load that ends because the time is over.
    package var timedOut: URLError { URLError(.timedOut, at: url) }

    /// The request with the seconds that are left as its limit, which may be none.
    package func shortened(_ request: TransportRequest) -> TransportRequest {
        guard let secondsLeft else { return request }
        var request = request
        request.policy.timeLimit = secondsLeft
        return request
    }

    /// The request with the seconds that are left as its limit.
    /// - Throws: `URLError.timedOut` if none are left.
    package func limited(_ request: TransportRequest) throws(URLError) -> TransportRequest {
        let request = shortened(request)
        if end != nil, let left = request.policy.timeLimit, left <= 0 { throw timedOut }
        return request
    }

    /// Waits, but only until the end.
    /// - Throws: `URLError.timedOut` if the end comes first, and `CancellationError`.
    package func sleep(_ seconds: TimeInterval) async throws {
        guard let secondsLeft, secondsLeft <= seconds else { return try await clock.sleep(seconds) }
        try await clock.sleep(max(0, secondsLeft))
        throw timedOut
    }

    /// The result of some work, which is cancelled at the end.
    /// - Throws: `error` if the end comes first, what `work` throws, and `CancellationError`.
    package func value<Value: Sendable>(
        orThrow error: URLError, of work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                if try await passes() { throw error }
                return nil
            }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw error
        }
    }

    /// Returns at the end. Returns `false` if there is none, or if the clock doesn't wait while it
    /// sleeps, as in a test; a clock that waits may only wake up slightly early.
    fileprivate func passes() async throws -> Bool {
        // A limit of more than 31 years is none.
        guard var left = secondsLeft, left <= 1e9 else { return false }
        while left > 0 {
            try await clock.sleep(left)
            guard let now = secondsLeft, now < left / 2 else { return false }
            left = now
        }
        return true
    }
}

extension Waiter {
    /// The value that ``resume(with:)`` is called with. Call this once.
    /// - Throws: `URLError.timedOut` if the deadline comes first, and `CancellationError` if the
    ///   task is cancelled first.
    package func value(until deadline: Deadline) async throws -> Value {
        guard deadline.secondsLeft != nil else { return try await value() }
        // A task group and not a `Task`, so that the timer runs where the caller's tasks run.
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                guard try await deadline.passes() else { return }
                self.resume(with: .failure(deadline.timedOut))
            }
            defer { group.cancelAll() }
            return try await value()
        }
    }
}

extension URLError {
    /// An error whose text has a reason of its own.
    package init(_ code: Code, at url: URL?, reason: String) {
        let error = URLError(code, at: url)
        self.init(code, userInfo: error.userInfo.merging(["EndpointsReason": reason]) { $1 })
    }

    /// This error with a sentence for the `debugDescription` of the error that the load ends with,
    /// after those that other middleware has added.
    package func withHint(_ hint: String) -> URLError {
        let known = userInfo["EndpointsHint"] as? String
        let hint = known.map { "\($0); \(hint)" } ?? hint
        return URLError(code, userInfo: userInfo.merging(["EndpointsHint": hint]) { $1 })
    }
}
