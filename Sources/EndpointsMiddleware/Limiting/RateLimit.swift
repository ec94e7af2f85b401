import Endpoints
import EndpointsShared
import EndpointsStructuredFields
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
/// - the ``RateLimitHeaders`` that you name
/// - `RateLimit` and, for the limit, `RateLimit-Policy`, as in the IETF draft “RateLimit header
///   fields for HTTP”; or `RateLimit` as in older drafts, `limit=100, remaining=50, reset=30`
/// - `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`
/// - `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`
/// - `X-Rate-Limit-Limit`, `X-Rate-Limit-Remaining` and `X-Rate-Limit-Reset`
/// - `X-RateLimit-Limit-Requests`, `X-RateLimit-Remaining-Requests` and
///   `X-RateLimit-Reset-Requests`, with the same three for `-Tokens`
/// - `Anthropic-RateLimit-Requests-Limit`, `-Remaining` and `-Reset`, with the same three for
///   `Tokens`, `Input-Tokens` and `Output-Tokens`
/// - `X-RateLimit-Requests-Limit`, `-Remaining` and `-Reset`, with the same three for `Complexity`
/// - `RateLimit-Policy` alone: the limit of its first policy
///
/// If `RateLimit` has several quotas, the one with the fewest requests left is read. A policy that
/// doesn't count requests, such as one with `qu="content-bytes"`, is ignored, and so is its quota.
/// If no tokens or complexity are left, no requests are, until those are reset. A reset is a
/// number, a duration or a date, as ``RateLimitHeaders`` says; the size of a number decides its
/// unit.
public struct RateLimit: Hashable, Sendable {
    /// The number of requests that are allowed in a period.
    public let limit: Int?
    /// The number of requests that are left until ``reset``.
    public let remaining: Int?
    /// When the next period begins.
    public let reset: Date?
    /// When the request may be sent again, by `Retry-After`. If this is set, ignore ``reset``.
    public let retryAfter: Date?

    init(limit: Int?, remaining: Int?, reset: Date?, retryAfter: Date?) {
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
    ///   - headers: Headers of the server's own, which are read before those that ``RateLimit``
    ///     lists.
    ///   - now: When the response arrived.
    public init?(
        _ httpResponse: HTTPURLResponse, reading headers: [RateLimitHeaders] = [],
        now: Date = Date()
    ) {
        let quota =
            RateLimit.quota(headers, httpResponse, now) ?? RateLimit.quota(httpResponse, now)
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

extension RateLimit {
    /// Reads the first group of headers that has a valid value. ``RateLimit`` lists the groups.
    static func quota(_ httpResponse: HTTPURLResponse, _ now: Date) -> RateLimit? {
        let field = httpResponse.shortValue("RateLimit") ?? ""
        let declared = Quota.list(httpResponse.shortValue("RateLimit-Policy") ?? "", now)
        let policies = declared.filter(\.countsRequests)
        let others = Set(declared.filter { !$0.countsRequests }.map(\.name))
        let quotas = Quota.list(field, now).filter { !others.contains($0.name) }
        if let quota = tightest(quotas, policies, now) ?? dictionary(field, now) { return quota }
        for group in RateLimitHeaders.known {
            if let quota = quota(group, httpResponse, now) { return quota }
        }
        return RateLimit(limit: policies.first?.limit, remaining: nil, reset: nil)
    }

    /// The quota with the fewest requests left: of `"hour";r=50;t=30, "day";r=9;t=3000` the second.
    /// Of two quotas with equally few requests left, the one that is reset later.
    private static func tightest(
        _ quotas: [Quota], _ policies: [Quota], _ now: Date
    ) -> RateLimit? {
        let declared = Dictionary(policies.map { ($0.name, $0.limit) }) { first, _ in first }
        let limits = quotas.compactMap { quota -> RateLimit? in
            guard let remaining = quota.remaining else { return nil }
            return RateLimit(
                limit: declared[quota.name] ?? nil, remaining: remaining, reset: quota.reset)
        }
        return limits.min { $0.isTighter(than: $1, now) }
    }

    /// Whether fewer requests are left than of another quota, or as many and for a longer time.
    func isTighter(than other: RateLimit, _ now: Date) -> Bool {
        (remaining ?? .max, other.reset ?? now) < (other.remaining ?? .max, reset ?? now)
    }

    /// Reads a `RateLimit` header in an older form: `limit=100, remaining=50, reset=30`.
    private static func dictionary(_ field: String, _ now: Date) -> RateLimit? {
        var reader = StructuredReader(field)
        var (limit, remaining, reset): (Int?, Int?, Date?) = (nil, nil, nil)
        while let key = reader.nextKey() {
            let value = reader.value()
            switch key {
            case "limit": limit = value?.requests
            case "remaining": remaining = value?.requests
            case "reset": reset = value?.reset(now)
            default: break
            }
        }
        guard reader.reachesEnd() else { return nil }
        return RateLimit(limit: limit, remaining: remaining, reset: reset)
    }

    /// The rate limit of some values; `nil` if there are none.
    init?(limit: Int?, remaining: Int?, reset: Date?) {
        guard limit != nil || remaining != nil || reset != nil else { return nil }
        self.init(limit: limit, remaining: remaining, reset: reset, retryAfter: nil)
    }
}

/// A member of `RateLimit` or `RateLimit-Policy`, which are lists of items with parameters (RFC
/// 9651, section 3.1).
///
///     "hour";r=50;t=30      ->  name hour, remaining 50, reset 30 seconds from now
///     "hour";q=100;w=3600   ->  name hour, limit 100
///     100;w=3600            ->  limit 100, as older drafts had it
private struct Quota {
    private(set) var name: String?
    private(set) var limit: Int?
    private(set) var remaining: Int?
    private(set) var reset: Date?
    /// `false` for a policy such as `"up";q=1000000;qu="content-bytes"`, which counts bytes.
    private(set) var countsRequests = true

    /// The members of a field; none if it isn't a list of items, which must be ignored then.
    static func list(_ field: String, _ now: Date) -> [Quota] {
        var (reader, quotas) = (StructuredReader(field), [Quota]())
        while reader.nextMember() {
            guard let value = reader.value() else { return [] }
            var quota = Quota()
            switch value {
            case .string(let name), .token(let name): quota.name = name
            default: quota.limit = value.requests
            }
            while let (name, value) = reader.nextParameter() { quota.set(name, value, now) }
            quotas.append(quota)
        }
        return reader.reachesEnd() ? quotas : []
    }

    private mutating func set(_ parameter: String, _ value: StructuredValue, _ now: Date) {
        switch parameter {
        case "q": limit = value.requests
        case "r": remaining = value.requests
        case "t": reset = value.reset(now)
        case "qu": countsRequests = value == .string("requests")
        default: break
        }
    }
}

extension StructuredValue {
    /// A number that isn't negative. Some servers send a negative one for “no limit”.
    private var number: Double? {
        switch self {
        case .integer(let number) where number >= 0: Double(number)
        case .decimal(let thousandths) where thousandths >= 0: Double(thousandths) / 1000
        default: nil
        }
    }

    fileprivate var requests: Int? { number.map { Int($0) } }

    fileprivate func reset(_ now: Date) -> Date? {
        number.map { RateLimitValue.moment($0, .bySize, now) }
    }
}
