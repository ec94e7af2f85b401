import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How many requests a server still allows, as a response says.
///
///     let rateLimit = RateLimit(httpResponse)
///     // RateLimit-Policy: "hour";q=1000;w=3600
///     // RateLimit: "hour";r=0;t=30      ->  limit 1000, remaining 0, reset 30 seconds from now
///
///     // X-RateLimit-Limit: 60
///     // X-RateLimit-Remaining: 0
///     // X-RateLimit-Reset: 1700000000   ->  limit 60, remaining 0, reset 2023-11-14T22:13:20Z
///
/// Read are, in this order, the first that say anything: `RateLimit` with `RateLimit-Policy`, both
/// as the IETF draft “RateLimit header fields for HTTP” has them and in its older form
/// (`limit=100, remaining=50, reset=30`); `RateLimit-Limit`, `-Remaining` and `-Reset`; the same
/// with `X-RateLimit-`; the same with `X-Rate-Limit-`. Of several quotas it is the one of which the
/// least remains.
///
/// Servers write the reset as seconds from now, as seconds since 1970 or as milliseconds since
/// 1970, under the same names. The number tells: below 1,000,000,000 (32 years) it is seconds from
/// now, below 100,000,000,000 seconds since 1970, and from there on milliseconds.
public struct RateLimit: Hashable, Sendable {
    /// How many requests are allowed in all.
    public let limit: Int?
    /// How many requests are left until ``reset``.
    public let remaining: Int?
    /// When there will be more.
    public let reset: Date?
    /// When the server wants to be asked again, by its `Retry-After`; it goes before ``reset``.
    public let retryAfter: Date?

    init(limit: Int?, remaining: Int?, reset: Date?, retryAfter: Date? = nil) {
        self.limit = limit
        self.remaining = remaining
        self.reset = reset
        self.retryAfter = retryAfter
    }

    /// The limit that a response tells of; `nil` if it has none of these headers, or only malformed
    /// ones.
    ///
    /// - Parameters:
    ///   - httpResponse: The head of the response.
    ///   - now: When the response came.
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
    /// How many requests the server still allows, if it says; times from now are counted from this
    /// call.
    public var rateLimit: RateLimit? { RateLimit(httpResponse) }
}
