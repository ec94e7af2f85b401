import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The rate limit that a response reports.
///
///     let rateLimit = RateLimit(httpResponse)
///     // RateLimit-Policy: "hour";q=1000;w=3600
///     // RateLimit: "hour";r=0;t=30      ->  limit 1000, remaining 0, reset 30 seconds from now
///
///     // X-RateLimit-Limit: 60
///     // X-RateLimit-Remaining: 0
///     // X-RateLimit-Reset: 1700000000   ->  limit 60, remaining 0, reset 2023-11-14T22:13:20Z
///
/// Only the first of these groups of headers that has a valid value is read:
/// - `RateLimit` with `RateLimit-Policy`, as in the IETF draft “RateLimit header fields for HTTP”,
///   or in an older form of the draft, `limit=100, remaining=50, reset=30`
/// - `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`
/// - these three with the prefix `X-RateLimit-`, then with `X-Rate-Limit-`
/// - `RateLimit-Policy` alone, which has only the limit
///
/// Of several quotas, the one with the fewest requests left is read. The unit of a reset differs
/// between servers. A number below 1,000,000,000 (32 years) is read as seconds from now, one below
/// 100,000,000,000 as seconds since 1970, and a larger one as milliseconds since 1970.
public struct RateLimit: Hashable, Sendable {
    /// The number of requests that are allowed in a period.
    public let limit: Int?
    /// The number of requests that are left until ``reset``.
    public let remaining: Int?
    /// When the next period begins.
    public let reset: Date?
    /// When the request may be sent again, by `Retry-After`; it has precedence over ``reset``.
    public let retryAfter: Date?

    init(limit: Int?, remaining: Int?, reset: Date?, retryAfter: Date? = nil) {
        self.limit = limit
        self.remaining = remaining
        self.reset = reset
        self.retryAfter = retryAfter
    }

    /// Reads the rate limit of a response; `nil` if it has neither a valid `Retry-After` nor a
    /// valid header of those that ``RateLimit`` lists.
    ///
    /// - Parameters:
    ///   - httpResponse: The status and the headers of the response.
    ///   - now: When the response arrived.
    public init?(_ httpResponse: HTTPURLResponse, now: Date = Date()) {
        let quota = RateLimit.quota(httpResponse, now)
        let retryAfter = httpResponse.retryAfter(now: now)
        guard quota != nil || retryAfter != nil else { return nil }
        self.init(
            limit: quota?.limit, remaining: quota?.remaining, reset: quota?.reset,
            retryAfter: retryAfter)
    }
}

extension WithHTTPResponse {
    /// The response's rate limit or `Retry-After`; `nil` if it has neither. A header with a number
    /// of seconds counts from the moment at which this property is read.
    public var rateLimit: RateLimit? { RateLimit(httpResponse) }
}
