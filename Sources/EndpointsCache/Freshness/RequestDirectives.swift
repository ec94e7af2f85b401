import Endpoints
import Foundation

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
            let longest = text.isEmpty ? .infinity : CacheDirectives.seconds(of: text) ?? 0
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
