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

extension RateLimit {
    /// Reads the first group of headers that has a valid value. ``RateLimit`` lists the groups.
    static func quota(_ httpResponse: HTTPURLResponse, _ now: Date) -> RateLimit? {
        func members(_ name: String) -> [FieldMember] {
            httpResponse.value(forHTTPHeaderField: name).flatMap(FieldMember.list) ?? []
        }
        let declared = members("RateLimit-Policy")
        let policies = declared.filter(\.countsRequests)
        let others = Set(declared.filter { !$0.countsRequests }.map(\.name))
        let quotas = members("RateLimit").filter { !others.contains($0.name) }
        if let quota = tightest(quotas, policies, now) ?? dictionary(quotas, now) { return quota }
        for family in ["RateLimit", "X-RateLimit", "X-Rate-Limit"] {
            // A limit such as `100, 100;w=60` has two members with the name 100. The first counts.
            func text(_ name: String) -> String? { members("\(family)-\(name)").first?.name }
            let quota = quota(text("Limit"), text("Remaining"), text("Reset"), now)
            if let quota { return quota }
        }
        return quota(policies.first?.quota, nil, nil, now)
    }

    /// The quota with the fewest requests left: of `"hour";r=50;t=30, "day";r=9;t=3000` the second.
    /// Of two quotas with equally few requests left, the one that is reset later.
    private static func tightest(
        _ quotas: [FieldMember], _ policies: [FieldMember], _ now: Date
    ) -> RateLimit? {
        let declared = Dictionary(policies.map { ($0.name, $0.quota) }) { first, _ in first }
        let limits = quotas.compactMap { member -> RateLimit? in
            guard let remaining = member.parameters["r"], integer(remaining) != nil
            else { return nil }
            return quota(
                declared[member.name] ?? nil, remaining, member.parameters["t"], now)
        }
        return limits.min {
            ($0.remaining ?? 0, $1.reset ?? now) < ($1.remaining ?? 0, $0.reset ?? now)
        }
    }

    /// Reads a `RateLimit` header in an older form: `limit=100, remaining=50, reset=30`.
    private static func dictionary(_ members: [FieldMember], _ now: Date) -> RateLimit? {
        func value(_ name: String) -> String? { members.first { $0.name == name }?.value }
        return quota(value("limit"), value("remaining"), value("reset"), now)
    }

    private static func quota(
        _ limit: String?, _ remaining: String?, _ reset: String?, _ now: Date
    ) -> RateLimit? {
        let quota = RateLimit(
            limit: limit.flatMap(integer), remaining: remaining.flatMap(integer),
            reset: reset.flatMap { moment($0, now) })
        let saysNothing = quota.limit == nil && quota.remaining == nil && quota.reset == nil
        return saysNothing ? nil : quota
    }
}

extension RateLimit {
    /// The number in a text of at most 15 digits and maybe a `.` (RFC 9651, section 3.3). `nil` for
    /// any other text, such as a negative number, which some servers send for “no limit”.
    private static func number(_ text: String) -> Double? {
        let digits = text.utf8.filter(\.isDigit).count
        let isNumber = text.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
        return (1...15).contains(digits) && isNumber ? Double(text) : nil
    }

    private static func integer(_ text: String) -> Int? {
        number(text).flatMap { Int(exactly: $0.rounded(.down)) }
    }

    private static func moment(_ text: String, _ now: Date) -> Date? {
        number(text).map { number in
            switch number {
            case ..<1_000_000_000: now + number
            case ..<100_000_000_000: Date(timeIntervalSince1970: number)
            default: Date(timeIntervalSince1970: number / 1000)
            }
        }
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
