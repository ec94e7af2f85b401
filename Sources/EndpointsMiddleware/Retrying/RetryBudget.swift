import Endpoints

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
    /// five requests. If ``retriesPerMinute`` allows more, it is the limit.
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
