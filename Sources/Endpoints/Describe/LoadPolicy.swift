import Foundation

/// What a load may do on its own, and how much it may take in.
///
///     LoadPolicy(redirects: .doNotFollow)            // a 302 is the answer
///     LoadPolicy(sensitiveHeaders: ["X-Api-Key"])    // not sent along to another origin
///
/// A value that any transport can read; `URLSession` is one.
public struct LoadPolicy: Sendable, Hashable {
    /// Which redirects are followed.
    public enum Redirects: Sendable, Hashable {
        /// Every redirect, wherever it leads.
        case follow
        /// Redirects that keep scheme, host and port; any other 3xx is the answer.
        case followSameOrigin
        /// None: the 3xx is the answer.
        case doNotFollow
    }

    /// The policy of a request that declares none.
    public static let `default` = LoadPolicy()

    /// Which redirects are followed.
    public var redirects: Redirects

    /// Whether a redirect may lead from https to http; if not, it ends the load with
    /// `URLError.appTransportSecurityRequiresSecureConnection`.
    public var allowsInsecureRedirects: Bool

    /// How many redirects are followed before the load ends with `URLError.httpTooManyRedirects`.
    ///
    /// `URLSession` on Apple platforms may have a limit of its own besides.
    public var redirectLimit: Int

    /// Header names, in any case, that are not sent along when a redirect leads to another origin.
    ///
    /// `Authorization`, `Cookie` and `Proxy-Authorization` never are.
    public var sensitiveHeaders: Set<Headers>

    /// The most bytes of an answer's body; a longer one ends the load with
    /// `URLError.dataLengthExceedsMaximum`.
    ///
    /// It is counted without its content coding, once it has arrived: only ``timeLimit`` ends one
    /// that never does.
    public var bodyLimit: Int

    /// The most bytes of an error answer's body that an ``EndpointTaskError`` keeps where it can't
    /// be read.
    public var errorBodyLimit: Int

    /// The most seconds from the making of a load to its end, redirects included; then it ends
    /// with `URLError.timedOut`. Zero or less ends it at once.
    ///
    /// With `nil` the session's `timeoutIntervalForResource` alone counts. Its
    /// `timeoutIntervalForRequest` is the longest silence: a body that drips never meets it.
    public var timeLimit: TimeInterval?

    /// Whether the value of a header is a secret, which is neither printed nor sent to another
    /// origin.
    package func isSensitive(_ name: Headers) -> Bool {
        [.authorization, .cookie, .proxyAuthorization].contains(name)
            || sensitiveHeaders.contains(name)
    }

    /// Makes a policy; what is left out is as in ``default``.
    public init(
        redirects: Redirects = .follow,
        allowsInsecureRedirects: Bool = false,
        redirectLimit: Int = 20,
        sensitiveHeaders: Set<Headers> = [],
        bodyLimit: Int = 64 << 20,
        errorBodyLimit: Int = 1 << 20,
        timeLimit: TimeInterval? = nil
    ) {
        self.redirects = redirects
        self.allowsInsecureRedirects = allowsInsecureRedirects
        self.redirectLimit = redirectLimit
        self.sensitiveHeaders = sensitiveHeaders
        self.bodyLimit = bodyLimit
        self.errorBodyLimit = errorBodyLimit
        self.timeLimit = timeLimit
    }
}
