/// The most retries in a minute, so that clients don't keep an overloaded server from recovering.
///
///     RetryBudget.standard                                 // one in five requests, or ten
///     RetryBudget(retriesPerMinute: 0, retriesPerRequest: 0.1)   // one in ten requests
///
/// When it is used up, a request that fails is not sent again. The budget is shared by all requests
/// that pass one ``Transport/retrying(_:clock:)``.
public struct RetryBudget: Sendable, Hashable {
    /// The retries that are always allowed.
    public var retriesPerMinute: Int
    /// The retries that are allowed for each request of the last minute, where that is more.
    public var retriesPerRequest: Double

    /// One retry in five requests of the last minute, or ten retries where that is more.
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
