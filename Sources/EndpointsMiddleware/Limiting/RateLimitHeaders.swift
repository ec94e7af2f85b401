import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The names of the headers in which a server says how many requests it still allows, for
/// ``Transport/paced(reading:waitingAtMost:clock:)``.
///
///     RateLimitHeaders(limit: "X-Quota", remaining: "X-Quota-Left", reset: "X-Quota-Reset")
///     // X-Quota: 60
///     // X-Quota-Left: 0
///     // X-Quota-Reset: 6m0s   ->  limit 60, remaining 0, reset 6 minutes from now
///
/// A limit and what is left are numbers of at most 15 digits; a fraction is dropped. A reset is one
/// of these:
/// - a number in the given ``unit``, such as `30` or `1700000030`
/// - a duration of days, hours, minutes and smaller units: `6m0s`, `2m59.56s`, `20ms`
/// - a date of RFC 3339, such as `2023-11-14T22:13:50Z`, or of HTTP
///
/// Any other value, such as a negative one, is ignored as if the header was missing.
public struct RateLimitHeaders: Sendable, Hashable {
    /// What a reset that is a plain number counts.
    public enum Unit: Sendable, Hashable {
        /// As the size of the number says: one below 1,000,000,000 (32 years) is seconds from now,
        /// one below 100,000,000,000 seconds since 1970, and a larger one milliseconds since 1970.
        case bySize
        /// Seconds from now.
        case seconds
        /// Milliseconds from now.
        case milliseconds
        /// Seconds since 1970.
        case secondsSince1970
        /// Milliseconds since 1970.
        case millisecondsSince1970
    }

    /// The header with the number of requests that are allowed in a period; `nil` if there is none.
    public var limit: Headers?
    /// The header with the number of requests that are left in this period.
    public var remaining: Headers
    /// The header with the moment at which the next period begins.
    public var reset: Headers
    /// What a ``reset`` that is a plain number counts.
    public var unit: Unit
    /// Whether the numbers count requests. If `false`, such as for the tokens of an AI service,
    /// requests wait only if nothing is left: how much the next one needs isn't known.
    public var countsRequests: Bool

    /// Makes the names; they are compared without their case.
    public init(
        limit: Headers? = nil, remaining: Headers, reset: Headers, unit: Unit = .bySize,
        countsRequests: Bool = true
    ) {
        self.limit = limit
        self.remaining = remaining
        self.reset = reset
        self.unit = unit
        self.countsRequests = countsRequests
    }
}

extension RateLimitHeaders {
    /// The headers that are read besides `RateLimit` and `RateLimit-Policy`. A response's first
    /// group with a valid value counts. Of a group, what is left of requests counts, unless nothing
    /// is left of something else.
    static let known = patterns.map { requests, others in
        [RateLimitHeaders(requests)]
            + others.map { RateLimitHeaders($0, countsRequests: false) }
    }

    private static let patterns: [(requests: String, others: [String])] = [
        // An older IETF draft; GitLab and Docker Hub.
        ("RateLimit-*", []),
        // GitHub, Reddit, Discord, Vimeo, OpenRouter and many others.
        ("X-RateLimit-*", []),
        // Okta and X.
        ("X-Rate-Limit-*", []),
        // OpenAI, Azure OpenAI and Groq.
        ("X-RateLimit-*-Requests", ["X-RateLimit-*-Tokens"]),
        // Anthropic.
        (
            "Anthropic-RateLimit-Requests-*",
            [
                "Anthropic-RateLimit-Tokens-*", "Anthropic-RateLimit-Input-Tokens-*",
                "Anthropic-RateLimit-Output-Tokens-*",
            ]
        ),
        // Linear.
        ("X-RateLimit-Requests-*", ["X-RateLimit-Complexity-*"]),
    ]

    /// The three names with `Limit`, `Remaining` and `Reset` in place of the `*`.
    private init(_ pattern: String, countsRequests: Bool = true) {
        func name(_ word: String) -> Headers {
            Headers(name: pattern.replacingOccurrences(of: "*", with: word))
        }
        self.init(
            limit: name("Limit"), remaining: name("Remaining"), reset: name("Reset"),
            countsRequests: countsRequests)
    }

    private var names: [Headers] { [limit, remaining, reset].compactMap(\.self) }

    /// What is wrong with headers that ``Transport/paced(reading:waitingAtMost:clock:)`` is given.
    static func wrongSetting(_ headers: [RateLimitHeaders]) -> WrongSetting? {
        headers.lazy.flatMap(\.names).first { !$0.isToken }.flatMap { header in
            WrongSetting(
                "RateLimitHeaders(…) with the header \"\(header.name)\"", unless: false,
                "use letters, digits and `-`")
        }
    }

    /// Whether a header's name is one of these, or differs from one in a few characters only.
    func mayHave(_ name: String.UTF8View) -> Bool {
        names.contains { header in
            header.name.utf8.elementsEqual(name) { $0 | 0x20 == $1 | 0x20 }
        }
    }
}

extension RateLimit {
    /// Reads a group of headers that belong together; `nil` if none has a valid value.
    static func quota(
        _ headers: [RateLimitHeaders], _ httpResponse: HTTPURLResponse, _ now: Date
    ) -> RateLimit? {
        var others: RateLimit?
        var requests: RateLimit?
        for names in headers {
            guard let quota = quota(names, httpResponse, now) else { continue }
            if !names.countsRequests {
                if quota.remaining == 0 { others = tighter(others, quota, now) }
            } else {
                requests = tighter(requests, quota, now)
            }
        }
        guard let others, requests?.remaining != 0 || others.isReset(after: requests, now)
        else { return requests }
        return RateLimit(limit: requests?.limit, remaining: 0, reset: others.reset)
    }

    private static func tighter(_ one: RateLimit?, _ other: RateLimit, _ now: Date) -> RateLimit {
        guard let one else { return other }
        return one.isTighter(than: other, now) ? one : other
    }

    private func isReset(after other: RateLimit?, _ now: Date) -> Bool {
        (reset ?? now) > (other?.reset ?? now)
    }

    private static func quota(
        _ names: RateLimitHeaders, _ httpResponse: HTTPURLResponse, _ now: Date
    ) -> RateLimit? {
        func text(_ header: Headers?) -> String? {
            header.flatMap { httpResponse.shortValue($0.name) }
        }
        func requests(_ header: Headers?) -> Int? {
            text(header).flatMap { RateLimitValue.integer($0.firstMember) }
        }
        let reset = text(names.reset).flatMap { text in
            // An HTTP date has a comma.
            RateLimitValue.moment(text, names.unit, now)
                ?? RateLimitValue.moment(text.firstMember, names.unit, now)
        }
        return RateLimit(
            limit: requests(names.limit), remaining: requests(names.remaining), reset: reset)
    }
}

extension String {
    /// The first member of a list, without its parameters: of `100, 100;w=60` the first 100. It
    /// isn't read as a structured field, as most of these headers are older and have what no such
    /// field can have, such as `6m0s`.
    fileprivate var firstMember: String {
        String(prefix { $0 != "," && $0 != ";" }).trimmingBlanks
    }
}

extension HTTPURLResponse {
    /// The value of a header without blanks around it; `nil` if it is missing, or longer than any
    /// server means it.
    func shortValue(_ name: String) -> String? {
        guard let text = value(forHTTPHeaderField: name), text.utf8.count <= 8192 else {
            return nil
        }
        return text.trimmingBlanks
    }
}
