import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Transport {
    /// A transport that sends a failed request again where a policy allows it.
    ///
    ///     let api = EndpointClient(URLSession.shared.retrying(.standard), in: .production)
    ///     // 503, then 200  ->  the response of the second attempt
    ///     // 503 three times  ->  the third response
    ///
    /// Cancelling the task ends the wait for the next attempt. A response that leads to a new
    /// attempt is dropped, which ends the load of its body.
    public func retrying(
        _ policy: RetryPolicy = .standard, clock: TransportClock = .system
    ) -> some Transport {
        Retrying(self, policy, clock)
    }
}

struct Retrying<Base: Transport>: Transport {
    private let base: Base
    private let policy: RetryPolicy
    private let clock: TransportClock
    private let counter: Locked<RetryCounter>

    init(_ base: Base, _ policy: RetryPolicy, _ clock: TransportClock) {
        self.base = base
        self.policy = policy
        self.clock = clock
        counter = Locked(RetryCounter(policy.budget))
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let start = clock.uptime()
        counter.withLock { $0.addRequest(at: start) }
        var request = request
        if policy.addsIdempotencyKeys { request.addIdempotencyKey() }
        var attempts = Attempts(policy, limit: request.policy.timeLimit, start: start)
        while true {
            // The response is released at the end of this scope, and not kept during the wait.
            do {
                let response = try await load(attempts.limit(request))
                guard policy.statuses.contains(response.httpResponse.statusCode),
                    prepareRetry(of: request, after: response.httpResponse, &attempts)
                else { return response }
            } catch {
                guard let code = error.asURLError?.code, policy.errorCodes.contains(code),
                    prepareRetry(of: request, after: nil, &attempts)
                else { throw error }
            }
            try await clock.sleep(attempts.delay)
            request.attempt += 1
            attempts.now = clock.uptime()
        }
    }

    /// Sends a request and reads the response's body, so that a connection that is lost meanwhile
    /// leads to a new attempt. The body isn't read if the response is streamed, or if its status is
    /// in `policy.statuses`.
    private func load(_ request: TransportRequest) async throws -> TransportResponse {
        var response = try await base.send(request)
        guard !request.streamsResponse, response.body.count == nil,
            !policy.statuses.contains(response.httpResponse.statusCode)
        else { return response }
        let limit = request.policy.wholeBodyLimit
        response.body = ResponseBody(try await response.body.data(upTo: limit))
        return response
    }

    /// Whether the request is sent again. If so, `attempts.delay` says after how many seconds.
    private func prepareRetry(
        of request: TransportRequest, after httpResponse: HTTPURLResponse?,
        _ attempts: inout Attempts
    ) -> Bool {
        guard request.mayBeRepeated, !Task.isCancelled else { return false }
        attempts.now = clock.uptime()
        let date = clock.date()
        let retryAfter = httpResponse?.retryAfter(now: date)?.timeIntervalSince(date)
        let now = attempts.now
        return attempts.prepareNext(after: retryAfter, random: clock.random())
            && counter.withLock { $0.takeRetry(at: now) }
    }
}

extension TransportRequest {
    var mayBeRepeated: Bool {
        guard urlRequest.canBeSentAgain else { return false }
        return switch policy.repetition {
        case .always: true
        case .never: false
        case .ifIdempotent: isIdempotent
        }
    }

    private var isIdempotent: Bool {
        HTTPMethod(rawValue: urlRequest.httpMethod ?? "GET").isIdempotent
            || urlRequest.value(forHTTPHeaderField: Headers.idempotencyKey.name)?.isEmpty == false
    }

    /// Adds an `Idempotency-Key` if the load policy allows a second attempt only with one.
    fileprivate mutating func addIdempotencyKey() {
        guard policy.repetition == .ifIdempotent, !isIdempotent else { return }
        urlRequest.setValue(
            UUID().uuidString, forHTTPHeaderField: Headers.idempotencyKey.name)
    }
}
