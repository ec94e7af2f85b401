/// The most retries in a minute, so that clients don't keep an overloaded server from recovering.
///
///     RetryBudget.standard                                 // for one in five requests, or ten
///     RetryBudget(retriesPerMinute: 0, retriesPerRequest: 0.1)   // for one in ten requests
///
/// When the budget is used up, a request that fails is not sent again. All requests through one
/// ``Transport/retrying(_:clock:)`` share a budget.
public struct RetryBudget: Sendable, Hashable {
    /// How many retries are always allowed.
    public var retriesPerMinute: Int
    /// How many retries are allowed for each request of the last minute, if that is more in all.
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
