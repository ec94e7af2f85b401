import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
        let limits = quotas.compactMap { member -> RateLimit? in
            guard let remaining = member.parameters["r"], integer(remaining) != nil
            else { return nil }
            let policy = policies.first { $0.name == member.name }
            return quota(policy?.quota, remaining, member.parameters["t"], now)
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
