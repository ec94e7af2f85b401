import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
        return String(decoding: first, as: UTF8.self).trimmingBlanks.cappedNumber
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

/// What is done with a stored response when it is asked for.
enum Reuse: Equatable {
    case use
    /// It is used, and meanwhile the server is asked whether it has changed.
    case useAndValidate
    /// The server is asked whether it has changed.
    case validate
}

/// What a request says about the use of stored responses (RFC 9111, section 5.2.1).
struct RequestDirectives: Sendable {
    var directives: CacheDirectives
    var policy: CachePolicy
    /// `no-cache`, or without `Cache-Control` a `Pragma: no-cache` (section 5.4).
    var needsValidation: Bool
    /// The stored response must not be older than these seconds.
    var longestAge: TimeInterval?

    init(_ fields: [String: String]?, policy: CachePolicy) {
        var (control, pragma): (String?, String?)
        for (name, value) in fields ?? [:] {
            if ResponseFields.areEqual(name, "Cache-Control") { control = value }
            if ResponseFields.areEqual(name, "Pragma") { pragma = value }
        }
        directives = CacheDirectives(control)
        self.policy = policy
        needsValidation =
            directives.contains("no-cache") || (control == nil && pragma.hasNoCache)
        longestAge = directives.seconds("max-age")
    }

    var forbidsStoring: Bool { directives.contains("no-store") }

    /// Whether no request may be sent.
    var isOnlyIfCached: Bool { directives.contains("only-if-cached") }

    /// What is done with a stored response (section 4).
    func reuse(of freshness: Freshness, at now: Date) -> Reuse {
        let age = freshness.age(at: now)
        let isFresh = age < freshness.lifetime
        if freshness.needsValidation { return .validate }
        if policy.takesStale { return isFresh || !freshness.forbidsStaleUse ? .use : .validate }
        if needsValidation || policy == .reload || policy == .validated || forbidsStoring {
            return .validate
        }
        // A reload asks with `max-age=0`, for which an immutable response needs no validation.
        if let longestAge, age > longestAge {
            return isFresh && freshness.isImmutable ? .use : .validate
        }
        if let seconds = directives.seconds("min-fresh"), freshness.lifetime - age < seconds {
            return .validate
        }
        if isFresh { return .use }
        guard !freshness.forbidsStaleUse else { return .validate }
        let staleness = age - freshness.lifetime
        if let text = directives["max-stale"] {
            let longest = text.isEmpty ? .infinity : text.cappedNumber ?? 0
            if staleness <= longest { return .use }
        }
        return staleness < freshness.staleWhileRevalidate ? .useAndValidate : .validate
    }

    /// Whether a stale response is used because the server has failed (RFC 5861, section 4).
    func usesStaleAfterError(_ freshness: Freshness, at now: Date) -> Bool {
        guard !freshness.needsValidation, !freshness.forbidsStaleUse, policy != .reload,
            policy != .validated, !needsValidation
        else { return false }
        let seconds = max(freshness.staleIfError, directives.seconds("stale-if-error") ?? 0)
        return freshness.age(at: now) - freshness.lifetime <= seconds && seconds > 0
    }
}

/// The directives of a `Cache-Control` header (RFC 9111, section 5.2), by their names in lower
/// case.
///
///     max-age=60, no-cache="Set-Cookie"   ->   max-age: 60, no-cache: Set-Cookie
///
/// A directive that comes twice counts as it came first (section 4.2.1). A directive whose name
/// isn't a token, as in `max-age =60`, is unknown.
struct CacheDirectives: Sendable {
    private var values: [String: String] = [:]

    init(_ text: String?) {
        guard let text else { return }
        var scanner = FieldScanner(text)
        while !scanner.isAtEnd {
            scanner.skipBlanks()
            var name = scanner.text(before: .equals, .comma).lowercased()
            var value = ""
            if scanner.skip(.equals) {
                value = scanner.quotedString() ?? scanner.text(before: .comma).trimmingEnd
            } else {
                name = name.trimmingBlanks
            }
            _ = (scanner.text(before: .comma), scanner.skip(.comma))
            if !name.isEmpty, !contains(name) { values[name] = value }
        }
    }

    var isEmpty: Bool { values.isEmpty }

    func contains(_ name: String) -> Bool { values[name] != nil }

    /// The value of a directive, which is empty if it has none; `nil` without the directive.
    subscript(name: String) -> String? { values[name] }

    /// The seconds of a directive: `nil` if there is none, and 0 if its value isn't a number of
    /// seconds, so that a response with it counts as stale (section 4.2.1).
    func seconds(_ name: String) -> TimeInterval? {
        self[name].map { $0.cappedNumber ?? 0 }
    }

    /// The field names that a directive lists, in lower case, as in `no-cache="a, b"`; `nil` if it
    /// lists none.
    func fieldNames(_ name: String) -> [String]? {
        guard let value = self[name], !value.isEmpty else { return nil }
        return value.listMembers
    }
}

extension String {
    /// This text without blanks at its end.
    fileprivate var trimmingEnd: String {
        var text = self
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}

/// How a call uses what a cache has stored.
///
///     let user = try await api.response(to: GetUser(id: 42), cachePolicy: .reload)
///
/// No policy gives a response that the server forbids to use: one with `no-cache`, or a stale one
/// with `must-revalidate`.
public struct CachePolicy: Sendable, Hashable {
    let name: String

    init(name: String) { self.name = name }

    /// As the server and the request say (RFC 9111). This is the policy of a call without one.
    public static let standard = CachePolicy(name: "standard")
    /// Ask the server, and store its response.
    public static let reload = CachePolicy(name: "reload")
    /// Only what is stored, also if it is stale. Without a stored response, the call throws a
    /// ``NotStoredError`` in a `TaskError.transportError`.
    public static let storedOnly = CachePolicy(name: "storedOnly")
    /// What is stored, also if it is stale. Without a stored response, the server is asked.
    public static let storedOrLoad = CachePolicy(name: "storedOrLoad")

    /// Ask the server whether what is stored has changed.
    static let validated = CachePolicy(name: "validated")

    /// The policy that a `URLRequest` asks for.
    init(_ policy: URLRequest.CachePolicy) {
        self =
            switch policy {
            case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: .reload
            case .returnCacheDataElseLoad: .storedOrLoad
            case .returnCacheDataDontLoad: .storedOnly
            case .reloadRevalidatingCacheData: .validated
            default: .standard
            }
    }

    /// Whether a stale response is used.
    var takesStale: Bool { self == .storedOnly || self == .storedOrLoad }
}
