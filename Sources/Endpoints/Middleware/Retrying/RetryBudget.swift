/// The most retries in a minute, so that an overloaded server can recover.
///
///     RetryBudget.standard       // one retry for five requests, or ten retries if that is more
///     RetryBudget(retriesPerMinute: 0, retriesPerRequest: 0.1)   // one retry for ten requests
///
/// When the budget is used up, a request that fails is not sent again. All requests through one
/// ``Transport/retrying(_:clock:)`` share a budget.
public struct RetryBudget: Sendable, Hashable {
    /// How many retries are allowed in a minute, however few requests there are.
    public var retriesPerMinute: Int
    /// How many retries are allowed for each request of the last minute, if this allows more.
    public var retriesPerRequest: Double

    /// One retry for five requests of the last minute, or ten retries if that is more.
    public static let standard = RetryBudget(retriesPerMinute: 10, retriesPerRequest: 0.2)
    /// As many retries as the policy's attempts allow.
    public static let unlimited = RetryBudget(
        retriesPerMinute: .max, retriesPerRequest: .infinity)

    /// A budget.
    public init(retriesPerMinute: Int, retriesPerRequest: Double) {
        self.retriesPerMinute = retriesPerMinute
        self.retriesPerRequest = retriesPerRequest
    }
}
