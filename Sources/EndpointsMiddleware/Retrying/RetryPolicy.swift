import Endpoints
import EndpointsShared
import Foundation

/// When a failed request is sent again, how often, and after which time.
///
///     RetryPolicy.standard                          // 3 attempts, 0 to 0.5 s and 0 to 1 s apart
///     RetryPolicy(attempts: 5, longestDelay: 10)    // the other properties as in `standard`
///
/// Each load ends with an ``EndpointError`` if `attempts` is less than 1, a delay,
/// `longestRetryAfter` or the budget is below zero, `timeLimit` or `attemptTimeLimit` is zero or
/// less, one of these is `.nan`, or a number in `statuses` isn't from 100 to 599.
///
/// A request is sent again only if ``LoadPolicy/repetition`` allows it, and never if its body is an
/// `httpBodyStream` of your own, which can be read only once.
public struct RetryPolicy: Sendable {
    /// Up to three attempts: a request is sent again after a status 408, 425, 429, 500, 502, 503 or
    /// 504, and after one of the ``usualErrorCodes``.
    public static let standard = RetryPolicy()

    /// The most attempts, the first one included.
    public var attempts: Int

    /// The most seconds to wait before the second attempt, unless `Retry-After` asks for more. The
    /// limit doubles for each further attempt, up to ``longestDelay``.
    ///
    /// A random part of this time is waited (“full jitter”). So clients that failed at the same
    /// moment don't come back at the same moment.
    public var firstDelay: TimeInterval

    /// The most seconds to wait before any attempt, unless `Retry-After` asks for more.
    public var longestDelay: TimeInterval

    /// The most seconds that a server may ask for with `Retry-After` (RFC 9110, section 10.2.3).
    ///
    /// If the server asks for no more than this, the request is sent again after the server's time
    /// or the random delay, whichever is longer. If the server asks for more, the response is
    /// returned at once.
    public var longestRetryAfter: TimeInterval

    /// The most seconds from the first attempt to the end of the last one.
    ///
    /// The ``LoadPolicy/timeLimit`` of a request is also for all its attempts together. The shorter
    /// of the two limits ends the attempts. If this property is `nil`, only the request's limit
    /// applies.
    public var timeLimit: TimeInterval?

    /// The most seconds of one attempt; `nil` for no limit of its own.
    ///
    ///     RetryPolicy(attemptTimeLimit: 5)   // silent for 5 s  ->  the next attempt
    ///
    /// A longer attempt is cancelled, and ends with `URLError.timedOut`, after which the request is
    /// sent again if ``errorCodes`` has that code. The time includes the waits of the middleware
    /// inside of this one, and the reading of the body; of a stream, it ends with the response's
    /// head. A transport of yours that doesn't end when its task is cancelled isn't cut off.
    public var attemptTimeLimit: TimeInterval?

    /// The statuses after which a request is sent again, from 100 to 599. A success among them,
    /// such as a 202 of a job that isn't done, leads to a new attempt too.
    public var statuses: Set<Int>

    /// The errors after which a request is sent again.
    public var errorCodes: Set<URLError.Code>

    /// The most retries in a minute, of all requests of one `retrying(…)` transport together.
    public var budget: RetryBudget

    /// Whether a request whose method is not idempotent gets an `Idempotency-Key`, so that it can
    /// be sent again.
    ///
    /// The key is a new UUID for each request, and the same in all its attempts, also in the one
    /// that follows a 401. A key that the request already has is kept. No key is added if
    /// ``LoadPolicy/repetition`` is `.never`. Choose `true` only for a server that knows the
    /// header: any other server may carry out the request twice.
    public var addsIdempotencyKeys: Bool

    /// A condition after which a request is sent again, besides the ``statuses`` and
    /// ``errorCodes``: for any status and error that isn't among them.
    ///
    ///     // {"errors": [{"extensions": {"code": "TRY_AGAIN"}}]} with status 200  ->  sent again
    ///     RetryPolicy(retries: { _, outcome in
    ///         outcome.body?.range(of: Data("TRY_AGAIN".utf8)) != nil
    ///     })
    ///
    /// If it returns `true`, the delays, the limits and the budget apply as they do after one of
    /// the ``statuses``. If it returns `false`, the response is returned with its whole body, or
    /// the error is thrown. To let the condition decide about all failures, leave ``statuses`` and
    /// ``errorCodes`` empty.
    ///
    /// It isn't called if the request may not be sent twice, such as a POST, if the attempts are
    /// used up, or if the load was cancelled; nor for an ``EndpointError``, which would be thrown
    /// again, or a response that a cache had stored. Several requests may call it at the same time.
    ///
    /// It gets the request before the middleware inside of this one has changed it, with the number
    /// of its ``TransportRequest/attempt``. The body of a stream is `nil`, as it isn't read before
    /// it is returned.
    public var retries: (@Sendable (TransportRequest, AttemptOutcome) -> Bool)?

    /// Makes a policy; what you leave out is as in ``standard``.
    public init(
        attempts: Int = 3,
        firstDelay: TimeInterval = 0.5,
        longestDelay: TimeInterval = 20,
        longestRetryAfter: TimeInterval = 60,
        timeLimit: TimeInterval? = nil,
        attemptTimeLimit: TimeInterval? = nil,
        statuses: Set<Int> = Self.usualStatuses,
        errorCodes: Set<URLError.Code> = Self.usualErrorCodes,
        budget: RetryBudget = .standard,
        addsIdempotencyKeys: Bool = false,
        retries: (@Sendable (TransportRequest, AttemptOutcome) -> Bool)? = nil
    ) {
        self.attempts = attempts
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.longestRetryAfter = longestRetryAfter
        self.timeLimit = timeLimit
        self.attemptTimeLimit = attemptTimeLimit
        self.statuses = statuses
        self.errorCodes = errorCodes
        self.budget = budget
        self.addsIdempotencyKeys = addsIdempotencyKeys
        self.retries = retries
    }

    /// The statuses of a server that is busy or doesn't work for the moment: 408, 425, 429, 500,
    /// 502, 503 and 504.
    public static let usualStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// The errors of a connection that could not be made or was lost, and of a load that timed out.
    public static let usualErrorCodes: Set<URLError.Code> = [
        .timedOut, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed,
        .networkConnectionLost, .notConnectedToInternet,
    ]
}

/// The most retries in a minute, so that an overloaded server can recover.
///
///     RetryBudget.standard       // one retry for five requests, or ten retries if that is more
///     RetryBudget(retriesPerMinute: 0, retriesPerRequest: 0.1)   // one retry for ten requests
///
/// When the budget is used up, a request that fails is not sent again. Each transport that
/// ``Transport/retrying(_:clock:)`` makes has a budget, which all requests through it share.
public struct RetryBudget: Sendable, Hashable {
    /// How many retries a minute are allowed, even if there are few requests.
    public var retriesPerMinute: Int
    /// How many retries are allowed for each request of the last minute: with 0.2, one retry for
    /// five requests. The larger of this limit and ``retriesPerMinute`` counts. A number above the
    /// policy's `attempts` minus one ends each load with an ``EndpointError``; write `.infinity`
    /// for no limit.
    public var retriesPerRequest: Double

    /// One retry for five requests of the last minute, or ten retries if that is more.
    public static let standard = RetryBudget(retriesPerMinute: 10, retriesPerRequest: 0.2)
    /// Any number of retries in a minute.
    public static let unlimited = RetryBudget(
        retriesPerMinute: .max, retriesPerRequest: .infinity)

    /// Makes a budget. The larger of the two limits counts.
    public init(retriesPerMinute: Int, retriesPerRequest: Double) {
        self.retriesPerMinute = retriesPerMinute
        self.retriesPerRequest = retriesPerRequest
    }
}

extension RetryPolicy {
    /// The first setting that can't be meant.
    var wrongSetting: WrongSetting? {
        let numbers: [(String, Double, least: Int)] = [
            ("attempts: \(attempts)", Double(attempts), 1),
            ("firstDelay: \(firstDelay)", firstDelay, 0),
            ("longestDelay: \(longestDelay)", longestDelay, 0),
            ("longestRetryAfter: \(longestRetryAfter)", longestRetryAfter, 0),
            (
                "budget: RetryBudget(retriesPerMinute: \(budget.retriesPerMinute), …)",
                Double(budget.retriesPerMinute), 0
            ),
            (
                "budget: RetryBudget(retriesPerRequest: \(budget.retriesPerRequest), …)",
                budget.retriesPerRequest, 0
            ),
        ]
        let wrong = numbers.lazy.compactMap { text, number, least in
            WrongSetting(
                "RetryPolicy(\(text))", unless: number >= Double(least), "write \(least) or more")
        }.first
        if let wrong { return wrong }
        let limits = [("timeLimit", timeLimit), ("attemptTimeLimit", attemptTimeLimit)]
        for case (let name, let limit?) in limits where !(limit > 0) {
            return WrongSetting(
                "RetryPolicy(\(name): \(limit))", unless: false,
                "write more than 0, or `nil` for no limit")
        }
        // More retries than the attempts allow would be no limit.
        let (share, most) = (budget.retriesPerRequest, Double(max(attempts, 2)) - 1)
        guard share <= most || share.isInfinite else {
            return WrongSetting(
                "RetryPolicy(budget: RetryBudget(retriesPerRequest: \(share), …))", unless: false,
                "write a share, such as 0.2 for one retry for five requests, or `.infinity`")
        }
        return statuses.sorted().first { !(100...599).contains($0) }.flatMap { status in
            WrongSetting(
                "RetryPolicy(statuses: [\(status)])", unless: false, "write numbers from 100 to 599"
            )
        }
    }
}
