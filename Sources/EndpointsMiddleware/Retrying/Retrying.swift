import Endpoints
import EndpointsShared
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
    /// With two of them, as in `.retrying().retrying()`, the attempts multiply: three become nine.
    ///
    /// Cancelling the task ends the wait for the next attempt. A response that leads to a new
    /// attempt is dropped, which ends the load of its body. A failure that a cache had stored isn't
    /// tried again.
    public func retrying(
        _ policy: RetryPolicy = .standard, clock: TransportClock = .system
    ) -> some Transport {
        Retrying(self, policy, clock)
    }
}

struct Retrying<Base: Transport>: Transport {
    let base: Base
    private let policy: RetryPolicy
    private let clock: TransportClock
    private let counter: Locked<RetryCounter>
    private let wrong: WrongSetting?

    init(_ base: Base, _ policy: RetryPolicy, _ clock: TransportClock) {
        self.base = base
        self.policy = policy
        self.clock = clock
        counter = Locked(RetryCounter(policy.budget))
        wrong = policy.wrongSetting
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        if let wrong { throw wrong.error(request.requestType) }
        counter.withLock { $0.addRequest(at: clock.uptime()) }
        request.noteRefusal(nil)
        let deadline = Deadline(of: request, clock, atMost: policy.timeLimit)
        var request = request
        if policy.addsIdempotencyKeys { request.addIdempotencyKey() }
        var attempts = Attempts(policy)
        while true {
            // The response is released at the end of this scope, and not kept during the wait.
            do {
                let response = try await attempt(deadline.shortened(request))
                guard !response.httpResponse.isOfEarlierTime else { return response }
                let outcome = AttemptOutcome(response, to: request)
                switch prepareRetry(of: request, after: outcome, &attempts, deadline) {
                case .again: break
                case .done: return response
                case .refused(let refusal): return response.withHint(hint(refusal, request))
                }
            } catch {
                let outcome = AttemptOutcome(error)
                switch prepareRetry(of: request, after: outcome, &attempts, deadline) {
                case .again: break
                case .done: throw error
                case .refused(let refusal):
                    // Any other error has no place for the hint; the log has it.
                    let hint = hint(refusal, request)
                    throw error.asURLError?.withHint(hint) ?? error
                }
            }
            try await clock.sleep(attempts.delay)
            request.attempt += 1
        }
    }

    /// Loads a request within the policy's limit of one attempt.
    private func attempt(_ request: TransportRequest) async throws -> TransportResponse {
        guard let limit = policy.attemptTimeLimit else { return try await load(request) }
        let url = request.urlRequest.url
        return try await Deadline(after: limit, at: url, clock).value(
            orThrow: .attemptTimedOut(after: limit, at: url)
        ) { try await load(request) }
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
        of request: TransportRequest, after outcome: AttemptOutcome,
        _ attempts: inout Attempts, _ deadline: Deadline
    ) -> RetryVerdict {
        guard policy.attempts > 1, !Task.isCancelled else { return .done }
        let isListed = policy.lists(outcome)
        guard isListed || policy.retries != nil && outcome.mayDiffer
        else { return outcome.oftenPasses ? .refused(.unlisted(outcome)) : .done }
        // What succeeds is only refused if the policy wanted it to be sent again.
        func refused(_ refusal: RetryRefusal) -> RetryVerdict {
            isListed || outcome.isFailure ? .refused(refusal) : .done
        }
        if let refusal = request.refusalOfRepetition { return refused(refusal) }
        if attempts.areUsedUp { return refused(.attempts) }
        guard isListed || policy.retries?(request, outcome) == true
        else { return refused(.condition) }
        let date = clock.date()
        let retryAfter = outcome.httpResponse?.retryAfter(now: date)?.timeIntervalSince(date)
        if let retryAfter, retryAfter > policy.longestRetryAfter {
            return .refused(.retryAfter(retryAfter))
        }
        guard
            attempts.prepareNext(
                after: retryAfter, random: clock.random(), within: deadline.secondsLeft)
        else { return .refused(.timeLeft(attempts.delay)) }
        return counter.withLock { counter in
            counter.takeRetry(at: clock.uptime())
                ? .again
                : .refused(
                    .budget(
                        retries: counter.lastMinute.retries, requests: counter.lastMinute.requests))
        }
    }

    /// Why the request isn't sent again, as a sentence that the log gets, too.
    private func hint(_ refusal: RetryRefusal, _ request: TransportRequest) -> String {
        let hint = refusal.hint(request, policy)
        request.noteRefusal(hint)
        return hint
    }
}

extension URLError {
    fileprivate static func attemptTimedOut(after limit: TimeInterval, at url: URL?) -> URLError {
        let reason =
            "the attempt took longer than the retry policy's `attemptTimeLimit`, \(limit) s"
        return URLError(.timedOut, at: url, reason: reason)
    }
}

extension TransportResponse {
    /// This response with a hint for the `debugDescription` of the error that it becomes.
    fileprivate func withHint(_ hint: String) -> TransportResponse {
        var response = self
        response.httpResponse = httpResponse.withHint(hint)
        return response
    }
}

extension Retrying: Layer {
    var inner: any Transport { base }
}

extension TransportRequest {
    /// Adds an `Idempotency-Key` if the request may be sent again and its method isn't idempotent.
    /// It is the one that was added before, if a middleware outside sends the request again.
    fileprivate mutating func addIdempotencyKey() {
        guard policy.repetition != .never, !LoadPolicy.default.mayRepeat(urlRequest) else { return }
        let key = memory.withLock { memory in
            let known = memory[ObjectIdentifier(IdempotencyKey.self)] as? IdempotencyKey
            let key = known ?? IdempotencyKey()
            memory[ObjectIdentifier(IdempotencyKey.self)] = key
            return key
        }
        urlRequest.setValue(key.text, forHTTPHeaderField: Headers.idempotencyKey.name)
    }
}

/// The `Idempotency-Key` of a request, for all its attempts.
private struct IdempotencyKey {
    let text = UUID().uuidString
}

/// The attempts of one request: how many there were, and when the next one is due.
struct Attempts {
    private let policy: RetryPolicy
    private var backoff: Backoff
    private(set) var delay: TimeInterval = 0

    init(_ policy: RetryPolicy) {
        self.policy = policy
        backoff = Backoff(
            delay: min(policy.firstDelay, policy.longestDelay),
            limit: policy.attempts - 1, longest: policy.longestDelay, least: 0)
    }

    /// Whether the policy allows no further attempt.
    var areUsedUp: Bool { backoff.isAtEnd }

    /// Counts one more attempt and sets ``delay`` for it; `false` if the policy or a time limit
    /// forbids the attempt.
    /// - Parameters:
    ///   - retryAfter: The seconds that the server asks to wait, if it does.
    ///   - random: Which part of the policy's delay to wait, from 0 to 1.
    ///   - secondsLeft: The seconds that are left for all attempts; `nil` without a limit.
    mutating func prepareNext(
        after retryAfter: TimeInterval?, random: Double, within secondsLeft: TimeInterval?
    ) -> Bool {
        let wait = max(0, retryAfter ?? 0)
        guard retryAfter == nil || wait <= policy.longestRetryAfter, let longest = backoff.next()
        else { return false }
        delay = max(wait, longest * random)
        return secondsLeft.map { delay < $0 } ?? true
    }
}

/// How many requests and retries there were in the last minute.
///
/// It keeps a count for each of the last 60 seconds, so its size doesn't grow with the requests.
struct RetryCounter: Sendable {
    struct Count {
        var requests = 0
        var retries = 0
    }

    private let budget: RetryBudget
    /// The counts of the last 60 seconds. Those of the second `s` are at the index `s % 60`.
    private var seconds = [Count](repeating: Count(), count: 60)
    private(set) var lastMinute = Count()
    private var now = 0

    init(_ budget: RetryBudget) {
        self.budget = budget
    }

    mutating func addRequest(at uptime: TimeInterval) {
        advance(to: uptime)
        seconds[now % 60].requests += 1
        lastMinute.requests += 1
    }

    /// Counts a retry and returns `true`, if the budget allows one.
    mutating func takeRetry(at uptime: TimeInterval) -> Bool {
        advance(to: uptime)
        let share = budget.retriesPerRequest * Double(lastMinute.requests)
        guard
            lastMinute.retries < budget.retriesPerMinute || Double(lastMinute.retries) + 1 <= share
        else { return false }
        seconds[now % 60].retries += 1
        lastMinute.retries += 1
        return true
    }

    /// Removes the counts of seconds that are a minute or more ago.
    private mutating func advance(to uptime: TimeInterval) {
        let next = Int(max(0, min(uptime, 1e15)))
        guard next > now else { return }
        for second in max(now + 1, next - 59)...next {
            lastMinute.requests -= seconds[second % 60].requests
            lastMinute.retries -= seconds[second % 60].retries
            seconds[second % 60] = Count()
        }
        now = next
    }
}
