import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How a request is loaded: its redirects, its limits, and whether it may be sent again.
///
///     LoadPolicy(redirects: .doNotFollow)            // a 302 is the response
///     LoadPolicy(sensitiveHeaders: ["X-Api-Key"])    // not sent to another origin
///
/// A policy is layered as headers are: the environment's ``EnvironmentType/loadPolicy``, the
/// `commonLoadPolicy` of a protocol of yours, and the request's `loadPolicy`, static and then that
/// of the value. A later policy replaces what it sets, and leaves the rest as it is.
/// ``sensitiveHeaders`` and ``secretNames`` only add up. To lift a limit, set it to `.infinity` or
/// `.max`.
///
/// Every ``Transport`` receives the policy with the request. If a limit is below zero, the
/// ``timeLimit`` is zero or `.nan`, or one of the ``sensitiveHeaders`` or ``secretNames`` can't be
/// a name, loading the request throws an ``EndpointError``.
public struct LoadPolicy: Sendable, Hashable {
    /// Which redirects are followed.
    public enum Redirects: Sendable, Hashable {
        /// Redirects to any host, as `redirectLimit` and `allowsInsecureRedirects` permit.
        case follow
        /// Only redirects to the same scheme, host and port; any other 3xx is the response. With
        /// ``follow``, a `Location` that isn't a valid http or https URL is an error, but not here.
        case followSameOrigin
        /// No redirect: the 3xx is the response.
        case doNotFollow
    }

    /// Whether ``Transport/retrying(_:clock:)``, or a transport of yours, may send a request again
    /// after a failure. Even with `.never`, an event stream and a download may send a GET again,
    /// ``Transport/authorized(by:header:clock:)`` may send a request once more after a 401, and
    /// `URLSession` may send one without a body again if the server has closed a kept connection.
    public enum Repetition: Sendable, Hashable {
        /// Only if the request's method is idempotent (RFC 9110, section 9.2.2), or the request has
        /// an `Idempotency-Key` header.
        case ifIdempotent
        /// With any method. Use it only if the server may get the request twice without harm.
        case always
        /// With no method, not even with GET.
        case never
    }

    /// The policy of a request that declares none.
    public static let `default` = LoadPolicy()

    /// Which redirects are followed. Unless this is ``Redirects/follow``, loading a next page or
    /// another URL that a server has named throws an ``EndpointError`` if its origin isn't the
    /// environment's.
    public var redirects: Redirects {
        get { own.redirects ?? .follow }
        set { own.redirects = newValue }
    }

    /// Whether ``Redirects/follow`` also follows a redirect from https to http. If `false`, such a
    /// redirect ends the load with `URLError.appTransportSecurityRequiresSecureConnection`. In an
    /// https environment, an http URL of a next page is then an ``EndpointError``.
    public var allowsInsecureRedirects: Bool {
        get { own.allowsInsecureRedirects ?? false }
        set { own.allowsInsecureRedirects = newValue }
    }

    /// The most redirects that are followed; one more ends the load with
    /// `URLError.httpTooManyRedirects`.
    ///
    /// On Apple platforms `URLSession` may have a lower limit of its own.
    public var redirectLimit: Int {
        get { own.redirectLimit ?? 20 }
        set { own.redirectLimit = newValue }
    }

    /// Headers that are removed from a request to another origin (scheme, host or port): after a
    /// redirect, and for a URL that a server has named, such as that of a next page.
    ///
    /// Error texts and ``RequestType/curl(in:showsCredentials:)`` hide their values.
    /// `Authorization`, `Cookie`, `Proxy-Authorization`, headers with ``Credentials`` and headers
    /// whose name is one of ``secretNames``, such as `X-Api-Key`, are removed even if not listed
    /// here. After a redirect to another origin, so is `Host`.
    public var sensitiveHeaders: Set<Headers>

    /// Changes to ``SecretNames/usual``, for the texts of errors, logs, recordings and snapshots,
    /// and for the headers that aren't sent to another origin.
    ///
    ///     LoadPolicy(secretNames: ["mfa"])                             // also hides `mfa`
    ///     LoadPolicy(secretNames: SecretNames().subtracting(["sig"]))  // shows `sig`
    ///
    /// The changes of all layers add up. If two layers name the same name, the later one counts.
    public var secretNames: SecretNames {
        get { own.secretNames ?? [] }
        set { own.secretNames = newValue }
    }

    /// Whether a body without structure, such as a web page, XML or broken JSON, is shown in texts
    /// and recordings even if it has the name of a secret.
    ///
    /// If `false`, which is the default, such a body is shown by its type and size, as in
    /// `text/html, 312 bytes`. Secrets that are known by their values are hidden in any case.
    public var showsUnparsedBodies: Bool {
        get { own.showsUnparsedBodies ?? false }
        set { own.showsUnparsedBodies = newValue }
    }

    /// The secrets in the request's path.
    package internal(set) var pathSecrets: [Secret] {
        get { own.pathSecrets ?? [] }
        set { own.pathSecrets = newValue.isEmpty ? nil : newValue }
    }

    /// The most bytes of a response's body; a longer body ends the load with
    /// `URLError.dataLengthExceedsMaximum`.
    ///
    /// With `nil`, the limit is 64 MB for a body that is collected in memory, and there is no limit
    /// for a ``StreamedResponse``. A line or an event of a stream, and an error response in place
    /// of a stream, may never have more than 64 MB. Bytes are counted while they arrive, after
    /// decompression.
    public var bodyLimit: Int? {
        get { own.bodyLimit }
        set { own.bodyLimit = newValue }
    }

    /// The most bytes of an error response's body that an ``EndpointTaskError`` keeps if the body
    /// can't be decoded. Its `debugDescription` shows the beginning of the body in any case,
    /// without secrets.
    public var errorBodyLimit: Int {
        get { own.errorBodyLimit ?? 1 << 20 }
        set { own.errorBodyLimit = newValue }
    }

    /// The most bytes of a ``StreamedResponse`` that have arrived and are not read yet; more end
    /// the load with `URLError.dataLengthExceedsMaximum`.
    ///
    /// On Apple platforms, a server has to wait while more than 1 MB is unread, so a limit much
    /// higher than that makes no difference. On Linux, `URLSession` can't make a server wait for
    /// the reader, so unread bytes beyond 1 MB are kept in temporary files.
    public var unreadLimit: Int {
        get { own.unreadLimit ?? 1 << 30 }
        set { own.unreadLimit = newValue }
    }

    /// The most seconds that a load may take: with its redirects, with all attempts of
    /// ``Transport/retrying(_:clock:)`` and ``Transport/authorized(by:header:clock:)``, and with
    /// all connections of a stream. A longer load ends with `URLError.timedOut`. With
    /// zero, less, or `.nan`, loading the request throws an ``EndpointError``. If a transport of
    /// yours leaves a request no time, nothing is sent.
    ///
    /// A load with a callback or a publisher reports the timeout on the session's delegate queue,
    /// which is later if that queue is blocked. The time begins when the `URLSessionTask` is made,
    /// not when you resume it. If the time is over before you first resume the task, the task gets
    /// at least one more `timeLimit`, and at most two.
    ///
    /// The session's `timeoutIntervalForResource` limits each attempt and each connection alone,
    /// also if `timeLimit` is `nil`; another attempt or connection may follow. The session's
    /// `timeoutIntervalForRequest` limits only the time in which nothing arrives, so it doesn't end
    /// a body that arrives slowly.
    public var timeLimit: TimeInterval? {
        get { own.timeLimit }
        set { own.timeLimit = newValue }
    }

    /// Whether ``Transport/retrying(_:clock:)``, or a transport of yours, may send the request
    /// again after a failure.
    public var repetition: Repetition {
        get { own.repetition ?? .ifIdempotent }
        set { own.repetition = newValue }
    }

    /// Whether a header is a secret, which is neither printed nor sent to another origin: it is
    /// listed, or its name is that of a secret, such as `X-API-Key`.
    func isSensitive(_ name: Headers) -> Bool { hides(name.name) }

    /// Whether a header's value is a secret, which must not be shown: it is one of
    /// ``sensitiveHeaders``, or its name is that of a secret, with the changes of this policy. For
    /// a middleware of yours that writes headers into a log.
    ///
    ///     LoadPolicy().hides("X-Api-Key")   // true
    ///     LoadPolicy().hides("Accept")      // false
    ///
    /// - Parameters:
    ///   - header: The name of a header, in upper or lower case.
    ///   - names: Changes to ``SecretNames/usual``, before those of this policy.
    public func hides(_ header: String, masking names: SecretNames = []) -> Bool {
        hides(header, among: changing(SecretNames.usual.union(names)))
    }

    /// Whether a header's value is a secret.
    /// - Parameter names: The secret names, with the changes of this policy.
    func hides(_ header: String, among names: SecretNames) -> Bool {
        let (always, own) = (["authorization", "cookie", "proxy-authorization"], sensitiveHeaders)
        return always.contains(header.lowercased())
            || !own.isEmpty && own.contains(Headers(name: header))
            || names.contains(header, in: .header)
    }

    /// Secret names with the changes of this policy.
    private func changing(_ names: SecretNames) -> SecretNames {
        own.secretNames.map(names.union) ?? names
    }

    /// What hides secrets in the texts of a request under this policy.
    package func masking(
        _ names: SecretNames = .usual, _ known: [String] = [], whole: String? = "…"
    ) -> Masking {
        var masking = Masking(
            changing(names), whole: whole,
            known: KnownSecrets(known, inPath: pathSecrets.map(\.text)))
        masking.showsUnparsedBodies = showsUnparsedBodies
        return masking
    }

    /// What the policy sets; `nil` leaves it to the layer below, or to the default.
    private struct Fields: Hashable {
        var redirects: Redirects?
        var allowsInsecureRedirects: Bool?
        var redirectLimit: Int?
        var bodyLimit: Int?
        var errorBodyLimit: Int?
        var unreadLimit: Int?
        var timeLimit: TimeInterval?
        var repetition: Repetition?
        var secretNames: SecretNames?
        var showsUnparsedBodies: Bool?
        var pathSecrets: [Secret]?
    }

    private var own: Fields

    /// Makes a policy. What you leave out is as in the layer below, or as in ``default``.
    public init(
        redirects: Redirects? = nil,
        allowsInsecureRedirects: Bool? = nil,
        redirectLimit: Int? = nil,
        sensitiveHeaders: Set<Headers> = [],
        bodyLimit: Int? = nil,
        errorBodyLimit: Int? = nil,
        unreadLimit: Int? = nil,
        timeLimit: TimeInterval? = nil,
        repetition: Repetition? = nil,
        secretNames: SecretNames? = nil,
        showsUnparsedBodies: Bool? = nil
    ) {
        own = Fields(
            redirects: redirects, allowsInsecureRedirects: allowsInsecureRedirects,
            redirectLimit: redirectLimit, bodyLimit: bodyLimit, errorBodyLimit: errorBodyLimit,
            unreadLimit: unreadLimit, timeLimit: timeLimit, repetition: repetition,
            secretNames: secretNames, showsUnparsedBodies: showsUnparsedBodies)
        self.sensitiveHeaders = sensitiveHeaders
    }

    /// This policy with what a later layer sets.
    func replaced(by layer: LoadPolicy) -> LoadPolicy {
        // Most layers set nothing, and a policy is large.
        guard layer != .default else { return self }
        var policy = self
        policy.own.redirects = layer.own.redirects ?? own.redirects
        policy.own.allowsInsecureRedirects =
            layer.own.allowsInsecureRedirects ?? own.allowsInsecureRedirects
        policy.own.redirectLimit = layer.own.redirectLimit ?? own.redirectLimit
        policy.own.bodyLimit = layer.own.bodyLimit ?? own.bodyLimit
        policy.own.errorBodyLimit = layer.own.errorBodyLimit ?? own.errorBodyLimit
        policy.own.unreadLimit = layer.own.unreadLimit ?? own.unreadLimit
        policy.own.timeLimit = layer.own.timeLimit ?? own.timeLimit
        policy.own.repetition = layer.own.repetition ?? own.repetition
        if let names = layer.own.secretNames {
            policy.own.secretNames = secretNames.union(names)
        }
        policy.own.showsUnparsedBodies = layer.own.showsUnparsedBodies ?? own.showsUnparsedBodies
        policy.own.pathSecrets = layer.own.pathSecrets ?? own.pathSecrets
        policy.sensitiveHeaders.formUnion(layer.sensitiveHeaders)
        return policy
    }
}

extension LoadPolicy {
    /// Throws for a setting that can't be meant.
    func check() throws(FieldError) {
        try Self.check("redirectLimit", own.redirectLimit)
        try Self.check("bodyLimit", own.bodyLimit)
        try Self.check("errorBodyLimit", own.errorBodyLimit)
        try Self.check("unreadLimit", own.unreadLimit)
        if let timeLimit, !(timeLimit > 0) {
            throw Self.wrong(
                "timeLimit: \(timeLimit)", "write more than 0, or `.infinity` for no limit")
        }
        if let names = own.secretNames, names == names.union([""]) {
            throw Self.wrong("secretNames: [\"\"]", "write names, such as `token`")
        }
        if own.secretNames?.hasList == true {
            throw Self.wrong(
                "secretNames: [\"…,…\"]", "write each name as a text of its own")
        }
        for header in sensitiveHeaders where !header.isToken {
            throw Self.wrong(
                "sensitiveHeaders: [\(header.name.quoted)]", "use letters, digits and `-`")
        }
    }

    private static func check(_ name: StaticString, _ limit: Int?) throws(FieldError) {
        guard let limit, limit < 0 else { return }
        throw wrong("\(name): \(limit)", "write 0 or more")
    }

    private static func wrong(_ setting: String, _ advice: String) -> FieldError {
        FieldError(.loadPolicy, "has `LoadPolicy(\(setting))`, which can't be meant; \(advice)")
    }
}

extension LoadPolicy {
    /// Whether a request may be sent again after a failure, as ``repetition`` says. For a transport
    /// of yours that does so.
    ///
    ///     LoadPolicy().mayRepeat(URLRequest(url: url))   // true, as it is a GET
    public func mayRepeat(_ request: URLRequest) -> Bool {
        switch repetition {
        case .always: true
        case .never: false
        case .ifIdempotent: request.isIdempotent
        }
    }
}

extension URLRequest {
    /// Whether the method is idempotent, or the request has an `Idempotency-Key`.
    var isIdempotent: Bool {
        HTTPMethod(rawValue: method).isIdempotent
            || value(forHTTPHeaderField: Headers.idempotencyKey.name)?.isEmpty == false
    }
}

extension LoadPolicy {
    private static let usualMemoryLimit = 64 << 20

    /// The most bytes of a body that is collected in memory.
    package var wholeBodyLimit: Int { bodyLimit ?? Self.usualMemoryLimit }

    /// The most bytes of one part of a stream, such as a line, or of an error response that the
    /// server sends instead of a stream.
    var partLimit: Int { min(wholeBodyLimit, Self.usualMemoryLimit) }
}
