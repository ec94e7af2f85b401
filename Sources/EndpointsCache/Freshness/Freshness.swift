import Endpoints
import EndpointsShared
import Foundation

/// How long a response is fresh, how old it is, and what it says about its use (RFC 9111, section
/// 4.2).
struct Freshness: Sendable, Equatable {
    /// The seconds for which the response is fresh, from when the server made it (section 4.2.1).
    var lifetime: TimeInterval
    /// The age that the response had when it arrived (section 4.2.3).
    var ageAtArrival: TimeInterval
    var arrival: Date
    /// Whether the response is used only after the server has validated it (`no-cache`).
    var needsValidation: Bool
    /// Whether the response is not used when it is stale (`must-revalidate`).
    var forbidsStaleUse: Bool
    /// Whether a reload needn't ask while the response is fresh (RFC 8246).
    var isImmutable: Bool
    /// For how many seconds the stale response may be used while it is validated (RFC 5861).
    var staleWhileRevalidate: TimeInterval
    /// For how many seconds the stale response may be used if the server fails (RFC 5861).
    var staleIfError: TimeInterval

    init(status: Int, _ fields: ResponseFields, sent: Date, arrived: Date) {
        let directives = CacheDirectives(fields["Cache-Control"])
        let date = fields["Date"].flatMap { Self.date($0, now: arrived) } ?? arrived
        arrival = arrived
        let age = fields["Age"].flatMap(Self.seconds(ofFirst:)) ?? 0
        let delay = max(0, arrived.timeIntervalSince(sent))
        ageAtArrival = max(0, arrived.timeIntervalSince(date), age + delay)
        let noCache = directives["no-cache"]
        let pragma = fields["Cache-Control"] == nil && fields["Pragma"].hasNoCache
        needsValidation = noCache?.isEmpty == true || pragma
        forbidsStaleUse = directives.contains("must-revalidate")
        isImmutable = directives.contains("immutable")
        staleWhileRevalidate = directives.seconds("stale-while-revalidate") ?? 0
        staleIfError = directives.seconds("stale-if-error") ?? 0
        if let seconds = directives.seconds("max-age") {
            lifetime = seconds
        } else if let expires = fields["Expires"] {
            lifetime = max(0, Self.date(expires, now: arrived)?.timeIntervalSince(date) ?? 0)
        } else {
            let mayGuess = Self.heuristicStatuses.contains(status) || directives.contains("public")
            lifetime = mayGuess ? Self.guess(fields["Last-Modified"], date) : 0
        }
    }

    /// The statuses of responses that may be stored without a lifetime (RFC 9110, section 15.1).
    static let heuristicStatuses: Set<Int> = [
        200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501,
    ]

    /// A tenth of the time since the last change, and at most a day (RFC 9111, section 4.2.2).
    private static func guess(_ lastModified: String?, _ date: Date) -> TimeInterval {
        guard let changed = lastModified.flatMap({ Self.date($0, now: date) }) else { return 0 }
        return min(max(0, date.timeIntervalSince(changed) / 10), 86_400)
    }

    /// The seconds of the first member of a list; `nil` if it isn't a number (section 5.1).
    private static func seconds(ofFirst text: String) -> TimeInterval? {
        let first = text.utf8.prefix { $0 != .comma }
        return CacheDirectives.seconds(of: String(decoding: first, as: UTF8.self).trimmingBlanks)
    }

    /// A date in one of HTTP's forms, in any case (section 4.2).
    static func date(_ text: String, now: Date) -> Date? {
        if let date = HTTPDate.date(text, now: now) { return date }
        var words = text.lowercased().split(separator: " ", omittingEmptySubsequences: false)
            .map { $0.split(separator: "-", omittingEmptySubsequences: false) }
            .map { $0.map(\.capitalized).joined(separator: "-") }
        if words.last == "Gmt" { words[words.count - 1] = "GMT" }
        return HTTPDate.date(words.joined(separator: " "), now: now)
    }

    /// The response's age (section 4.2.3). If the clock was set back, it counts as no longer fresh.
    func age(at now: Date) -> TimeInterval {
        let resident = now.timeIntervalSince(arrival)
        return resident < -60 ? max(ageAtArrival, lifetime) : ageAtArrival + max(0, resident)
    }

    func isFresh(at now: Date) -> Bool { age(at: now) < lifetime }
}

extension String? {
    /// Whether this value of a `Pragma` header has `no-cache` (RFC 9111, section 5.4).
    var hasNoCache: Bool { CacheDirectives(self).contains("no-cache") }
}
