import Endpoints
import EndpointsShared
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
        func members(_ name: String) -> [FieldMember] {
            httpResponse.shortValue(name).flatMap(FieldMember.list) ?? []
        }
        let declared = members("RateLimit-Policy")
        let policies = declared.filter(\.countsRequests)
        let others = Set(declared.filter { !$0.countsRequests }.map(\.name))
        let quotas = members("RateLimit").filter { !others.contains($0.name) }
        if let quota = tightest(quotas, policies, now) ?? dictionary(quotas, now) { return quota }
        for group in RateLimitHeaders.known {
            if let quota = quota(group, httpResponse, now) { return quota }
        }
        return RateLimit(limit: policies.first?.quota, remaining: nil, reset: nil)
    }

    /// The quota with the fewest requests left: of `"hour";r=50;t=30, "day";r=9;t=3000` the second.
    /// Of two quotas with equally few requests left, the one that is reset later.
    private static func tightest(
        _ quotas: [FieldMember], _ policies: [FieldMember], _ now: Date
    ) -> RateLimit? {
        let declared = Dictionary(policies.map { ($0.name, $0.quota) }) { first, _ in first }
        let limits = quotas.compactMap { member -> RateLimit? in
            guard let remaining = member.parameters["r"], RateLimitValue.integer(remaining) != nil
            else { return nil }
            return RateLimit(
                limit: declared[member.name] ?? nil, remaining: remaining,
                reset: moment(member.parameters["t"], now))
        }
        return limits.min { $0.isTighter(than: $1, now) }
    }

    /// Whether fewer requests are left than of another quota, or as many and for a longer time.
    func isTighter(than other: RateLimit, _ now: Date) -> Bool {
        (remaining ?? .max, other.reset ?? now) < (other.remaining ?? .max, reset ?? now)
    }

    private static func moment(_ text: String?, _ now: Date) -> Date? {
        text.flatMap { RateLimitValue.moment($0, .bySize, now) }
    }

    /// Reads a `RateLimit` header in an older form: `limit=100, remaining=50, reset=30`.
    private static func dictionary(_ members: [FieldMember], _ now: Date) -> RateLimit? {
        func value(_ name: String) -> String? { members.first { $0.name == name }?.value }
        return RateLimit(
            limit: value("limit"), remaining: value("remaining"),
            reset: moment(value("reset"), now))
    }

    /// The quota of texts; `nil` if none of them says something.
    init?(limit: String?, remaining: String?, reset: Date?) {
        let limit = limit.flatMap(RateLimitValue.integer)
        let remaining = remaining.flatMap(RateLimitValue.integer)
        guard limit != nil || remaining != nil || reset != nil else { return nil }
        self.init(limit: limit, remaining: remaining, reset: reset)
    }
}

extension FieldMember {
    /// The number of requests that a policy allows: `"hour";q=1000;w=3600` or, as older drafts had
    /// it, `1000;w=3600`.
    fileprivate var quota: String? { parameters["q"] ?? name }

    /// Whether a policy counts requests. `"up";q=1000000;qu="content-bytes"` counts bytes.
    fileprivate var countsRequests: Bool { parameters["qu"] ?? "requests" == "requests" }
}

/// A member of a header whose value is a list or a dictionary (RFC 9651, sections 3.1 and 3.2).
///
///     "hour";r=50;t=30   ->  name hour, parameters r=50 and t=30
///     remaining=50       ->  name remaining, value 50
///     100;w=60           ->  name 100, parameter w=60
struct FieldMember {
    let name: String
    let value: String?
    let parameters: [String: String]

    /// The members of a header's value; `nil` if one of them has no name, or has other text after a
    /// quoted string. The name may be `""`. Other mistakes, such as a missing closing quote, are
    /// accepted.
    static func list(_ field: String) -> [FieldMember]? {
        var scanner = FieldScanner(field)
        var members: [FieldMember] = []
        repeat {
            scanner.skipBlanks()
            let isQuoted = scanner.next == .quote
            let name =
                scanner.quotedString()
                ?? scanner.text(before: .equals, .semicolon, .comma).trimmingBlanks
            let value = scanner.skip(.equals) ? scanner.value() : nil
            let parameters = Dictionary(scanner.parameters()) { _, last in last }
            guard isQuoted || !name.isEmpty, scanner.isAtEnd || scanner.next == .comma
            else { return nil }
            members.append(FieldMember(name: name, value: value, parameters: parameters))
        } while scanner.skip(.comma)
        return members
    }
}
