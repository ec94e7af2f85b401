import Endpoints
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
/// - `RateLimit` and, for the limit, `RateLimit-Policy`, as in the IETF draft “RateLimit header
///   fields for HTTP”; or `RateLimit` as in older drafts, `limit=100, remaining=50, reset=30`
/// - `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`
/// - `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`
/// - `X-Rate-Limit-Limit`, `X-Rate-Limit-Remaining` and `X-Rate-Limit-Reset`
/// - `RateLimit-Policy` alone: the limit of its first policy
///
/// If `RateLimit` has several quotas, the one with the fewest requests left is read. A policy that
/// doesn't count requests, such as one with `qu="content-bytes"`, is ignored, and so is its quota.
/// Servers use different units for a reset. A number below 1,000,000,000 (32 years) means seconds
/// from now, one below 100,000,000,000 means seconds since 1970, and a larger one milliseconds
/// since 1970.
public struct RateLimit: Hashable, Sendable {
    /// The number of requests that are allowed in a period.
    public let limit: Int?
    /// The number of requests that are left until ``reset``.
    public let remaining: Int?
    /// When the next period begins.
    public let reset: Date?
    /// When the request may be sent again, by `Retry-After`. If this is set, ignore ``reset``.
    public let retryAfter: Date?

    init(limit: Int?, remaining: Int?, reset: Date?, retryAfter: Date? = nil) {
        self.limit = limit
        self.remaining = remaining
        self.reset = reset
        self.retryAfter = retryAfter
    }

    /// Reads the rate limit of a response. `nil` if neither `Retry-After` nor any header that
    /// ``RateLimit`` lists has a valid value.
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
    /// The response's rate limit or `Retry-After`; `nil` if it has neither. Seconds to wait are
    /// counted from the moment at which this property is read.
    public var rateLimit: RateLimit? { RateLimit(httpResponse) }
}
