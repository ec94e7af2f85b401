import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What follows an attempt.
enum RetryVerdict {
    case again
    /// The request has succeeded, or no retry was to be expected.
    case done
    /// The request has failed, and isn't sent again all the same.
    case refused(RetryRefusal)
}

/// Why a failed request isn't sent again.
enum RetryRefusal {
    case method
    /// The body can be read only once.
    case body
    /// `LoadPolicy(repetition: .never)`.
    case repetition
    /// The server asks for a wait of so many seconds, which is longer than the policy allows.
    case retryAfter(TimeInterval)
    /// The time limit is over before the wait of so many seconds.
    case timeLeft(TimeInterval)
    case attempts
    case budget(retries: Int, requests: Int)
    /// The policy doesn't list a status or an error that often passes.
    case unlisted(AttemptOutcome)
    /// The policy's condition returned `false`.
    case condition

    /// A sentence for the `debugDescription` of the error, and for the log.
    func hint(_ request: TransportRequest, _ policy: RetryPolicy) -> String {
        "`retrying()` didn't send it again: \(reason(request, policy))"
    }

    private func reason(_ request: TransportRequest, _ policy: RetryPolicy) -> String {
        switch self {
        case .method:
            """
            a \(request.urlRequest.httpMethod ?? "GET") that is sent twice may be carried out \
            twice; if that does no harm, declare `LoadPolicy(repetition: .always)`, and if the \
            server knows an Idempotency-Key, write \
            `retrying(RetryPolicy(addsIdempotencyKeys: true))`
            """
        case .body:
            """
            its body is an `httpBodyStream`, which can be read only once; declare a `File` or \
            `Data` as its body
            """
        case .repetition: "its load policy's `repetition` is `.never`"
        case .retryAfter(let seconds):
            """
            `Retry-After` asks to wait \(seconds.rounded()) s, and the policy's \
            `longestRetryAfter` is \(policy.longestRetryAfter) s
            """
        case .timeLeft(let seconds):
            """
            the next attempt would begin in \((seconds * 10).rounded() / 10) s, when the \
            `timeLimit` is over
            """
        case .attempts: "the policy's \(policy.attempts) `attempts` are used up"
        case .budget(let retries, let requests):
            """
            the policy's `budget` is spent, with \(retries) \(retries == 1 ? "retry" : "retries") \
            for \(requests) request\(requests == 1 ? "" : "s") in the last minute; if the server \
            can take more, write a larger `RetryBudget`
            """
        case .unlisted(let outcome):
            if let status = outcome.status {
                "the policy's `statuses` don't have \(status)"
            } else {
                "the policy's `errorCodes` don't have the error's"
            }
        case .condition: "the policy's `retries` returned false"
        }
    }
}

extension TransportRequest {
    /// Why the request may not be sent twice, whatever has happened.
    var refusalOfRepetition: RetryRefusal? {
        if !urlRequest.canBeSentAgain { return .body }
        if policy.repetition == .never { return .repetition }
        return policy.mayRepeat(urlRequest) ? nil : .method
    }

    /// Why ``Transport/retrying(_:clock:)`` didn't send the request again, for the log; `nil` if
    /// that isn't so. All copies of the request share it.
    var whyNotRetried: String? {
        memory.withLock { ($0[ObjectIdentifier(RetryHint.self)] as? RetryHint)?.text }
    }

    func noteRefusal(_ hint: String?) {
        memory.withLock { memory in
            guard hint != nil || !memory.isEmpty else { return }
            memory[ObjectIdentifier(RetryHint.self)] = hint.map(RetryHint.init)
        }
    }
}

private struct RetryHint: Sendable {
    let text: String
}

extension RetryPolicy {
    /// Whether a new attempt follows without asking ``retries``.
    func lists(_ outcome: AttemptOutcome) -> Bool {
        if let status = outcome.status { return statuses.contains(status) }
        return outcome.error?.asURLError.map { errorCodes.contains($0.code) } ?? false
    }
}

extension AttemptOutcome {
    /// Whether a further attempt may end in another way: this one wasn't cancelled, and it isn't
    /// the request or a setting that is wrong.
    var mayDiffer: Bool {
        guard let error else { return true }
        return !(error is CancellationError || error is EndpointError)
            && error.asURLError?.code != .cancelled
    }

    /// Whether this is an error, or a status of one.
    var isFailure: Bool { status.map { $0 >= 400 } ?? true }

    /// Whether the same request may well succeed later, so that one would expect a new attempt.
    var oftenPasses: Bool {
        if let status { return RetryPolicy.usualStatuses.contains(status) || status >= 520 }
        return error?.asURLError?.isTransient ?? false
    }
}
