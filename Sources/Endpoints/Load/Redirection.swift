import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The redirects of one request, for a ``Transport`` that follows them itself. This type decides
/// what to send next; the transport sends it.
///
/// After `POST /a`, a 302 with `Location: /b` leads to `GET /b`. The transport `Following` follows
/// redirects for a base transport that doesn't:
///
///     struct Following<Base: Transport>: Transport {
///         let base: Base   // must not follow redirects itself
///         func send(_ first: TransportRequest) async throws -> TransportResponse {
///             var (request, redirection) = (first, Redirection(of: first))
///             while true {
///                 let response = try await base.send(request)
///                 guard let next = try redirection.next(after: response.httpResponse, to: request)
///                 else { return response }
///                 request = next
///             }
///         }
///     }
public struct Redirection: Sendable {
    /// What to do after a response.
    enum Step: Sendable {
        case follow(URLRequest)
        /// Return the response: it isn't a redirect, or the redirect isn't followed.
        case useResponse
        case fail(URLError)
    }

    let policy: LoadPolicy
    private let first: URLRequest
    /// The request that was sent last.
    private(set) var request: URLRequest
    private(set) var hasLeftOrigin: Bool
    /// The requests that redirects have led to, and where the middleware reads them.
    private var followed: [URLRequest] = []
    private let memory: RequestMemory?
    var count: Int { followed.count }

    init(
        of request: URLRequest, under policy: LoadPolicy, hasLeftOrigin: Bool = false,
        notingIn memory: RequestMemory? = nil
    ) {
        first = request
        self.request = request
        self.policy = policy
        self.hasLeftOrigin = hasLeftOrigin
        // A transport that follows redirects itself sends each request without following any.
        self.memory = policy.redirects == .doNotFollow ? nil : memory
        // A stream may connect again for days, so the past of a GET isn't kept.
        let isSafe =
            request.method == "GET" || HTTPMethod(rawValue: request.method).isSafe
        self.memory?.withLock { $0.beginAttempt(keepingEarlier: !isSafe) }
    }

    /// What to do after a response to the last request.
    ///
    /// - Parameter proposed: The platform's URL for the redirect, used if there is no `Location`,
    ///   such as when HTTP Strict Transport Security leads from http to https.
    func step(after response: HTTPURLResponse, proposed: URL? = nil) -> Step {
        let status = response.statusCode
        guard [301, 302, 303, 307, 308].contains(status), policy.redirects != .doNotFollow,
            let base = request.url,
            let text = location(of: response) ?? proposed?.absoluteString
        else { return .useResponse }
        let location = Location(text: text)
        if policy.redirects == .followSameOrigin, leavesOrigin(for: try? location.url(at: base)) {
            return .useResponse
        }
        do throws(URLError) {
            let next = try self.next(to: location.url(at: base), status: status)
            return step(to: next)
        } catch {
            return .fail(error)
        }
    }

    /// What to do with the next request, which the session's delegate may have changed.
    func step(to next: URLRequest) -> Step {
        guard policy.redirects == .follow || !leavesOrigin(for: next.url)
        else { return .useResponse }
        guard let from = request.url.flatMap(Origin.init), let url = next.url,
            let to = Origin(of: url)
        else { return .fail(URLError(.unsupportedURL, at: next.url)) }
        guard policy.allowsInsecureRedirects || from.scheme == "http" || to.scheme == "https"
        else { return .fail(URLError(.appTransportSecurityRequiresSecureConnection, at: url)) }
        guard count < policy.redirectLimit
        else { return .fail(URLError(.httpTooManyRedirects, at: url)) }
        return .follow(next)
    }

    /// Records that the request of a redirect is sent.
    mutating func follow(_ next: URLRequest) {
        hasLeftOrigin = hasLeftOrigin || leavesOrigin(for: next.url)
        request = next
        followed.append(next)
        memory?.withLock { $0.note(followed) }
    }

    /// Removes an earlier origin's secrets from a request that the session's delegate has returned.
    ///
    /// A redirect to another origin removes the sensitive headers that have the same value as in
    /// the last request. It and every later redirect also remove those that have the same value as
    /// in the first request. A header to which the delegate gave a new value stays.
    func withoutOldSecrets(_ next: URLRequest) -> URLRequest {
        let isLeaving = leavesOrigin(for: next.url)
        let earlier = (isLeaving ? [request] : []) + (isLeaving || hasLeftOrigin ? [first] : [])
        let kept = next
        var next = next
        next.removeHeaders { name in
            let value = kept.value(forHTTPHeaderField: name)
            return isSensitive(name)
                && earlier.contains { $0.value(forHTTPHeaderField: name) == value }
        }
        return next
    }

    /// Whether a header of this name is removed when a redirect leads to another origin.
    func isSensitive(_ name: String) -> Bool {
        let name = Headers(name: name)
        return name == "Host" || policy.isSensitive(name)
    }
}

extension Redirection {
    private func location(of response: HTTPURLResponse) -> String? {
        let text = response.value(forHTTPHeaderField: "Location")?.trimmingBlanks
        return text?.isEmpty == false ? text : nil
    }

    private func leavesOrigin(for url: URL?) -> Bool {
        request.url.flatMap(Origin.init) != url.flatMap(Origin.init)
    }

    /// The next request, by RFC 9110 15.4 and “HTTP-redirect fetch” in the Fetch Standard.
    private func next(to url: URL, status: Int) throws(URLError) -> URLRequest {
        var next = request
        next.url = url
        if turnsIntoGet(status) {
            next.httpMethod = "GET"
            next.removeBody()
        } else if !next.canBeSentAgain {
            throw URLError(.requestBodyStreamExhausted, at: url)
        }
        if leavesOrigin(for: url) { next.removeHeaders(where: isSensitive) }
        return next
    }

    private func turnsIntoGet(_ status: Int) -> Bool {
        switch status {
        case 301, 302: request.httpMethod == "POST"
        case 303: request.httpMethod != "GET" && request.httpMethod != "HEAD"
        default: false
        }
    }
}

extension URLRequest {
    /// Removes the body and the headers that describe it (RFC 9110 15.4, step 5).
    fileprivate mutating func removeBody() {
        httpBodyStream = nil
        httpBody = nil
        removeHeaders { name in
            let name = name.lowercased()
            return name.hasPrefix("content-")
                || ["transfer-encoding", "digest", "last-modified"].contains(name)
        }
    }

    fileprivate mutating func removeHeaders(where isRemoved: (String) -> Bool) {
        for name in (allHTTPHeaderFields ?? [:]).keys where isRemoved(name) {
            setValue(nil, forHTTPHeaderField: name)
        }
    }
}

extension Redirection {
    /// Begins with the first request, whose policy says which redirects are followed.
    public init(of request: TransportRequest) {
        self.init(
            of: request.urlRequest, under: request.policy, hasLeftOrigin: request.leavesOrigin,
            notingIn: request.memory)
    }

    /// The request that a redirect leads to; `nil` if the response isn't a redirect with a
    /// `Location`, or if the first request's policy doesn't follow the redirect.
    ///
    /// The response must be that to the request that was sent last. A request to another origin has
    /// no sensitive headers (``LoadPolicy/sensitiveHeaders``). A request that becomes a GET has no
    /// body (RFC 9110 15.4).
    /// - Throws: A `URLError`: `.httpTooManyRedirects`; `.redirectToNonExistentLocation` or
    ///   `.unsupportedURL` for a bad `Location`; `.appTransportSecurityRequiresSecureConnection`
    ///   from https to http, unless ``LoadPolicy/allowsInsecureRedirects``;
    ///   `.requestBodyStreamExhausted` for a body that can't be sent again. With
    ///   ``LoadPolicy/Redirects/followSameOrigin``, a bad `Location` gives `nil` instead.
    public mutating func next(
        after response: HTTPURLResponse, to request: TransportRequest
    ) throws(URLError) -> TransportRequest? {
        switch step(after: response) {
        case .useResponse: return nil
        case .fail(let error): throw error
        case .follow(let urlRequest):
            follow(urlRequest)
            request.onStep?(.redirected(to: urlRequest))
            var next = request
            next.urlRequest = urlRequest
            next.leavesOrigin = hasLeftOrigin
            return next
        }
    }
}

/// The redirects of a request, of its last attempt and of those before.
private struct FollowedRedirects {
    var last: [URLRequest] = []
    var earlier: [URLRequest] = []
}

extension [ObjectIdentifier: any Sendable] {
    private static var key: ObjectIdentifier { ObjectIdentifier(FollowedRedirects.self) }

    fileprivate var redirects: FollowedRedirects? { self[Self.key] as? FollowedRedirects }

    fileprivate mutating func beginAttempt(keepingEarlier isKept: Bool) {
        guard let old = redirects else { return }
        self[Self.key] = isKept ? FollowedRedirects(earlier: old.earlier + old.last) : nil
    }

    fileprivate mutating func note(_ followed: [URLRequest]) {
        self[Self.key] = FollowedRedirects(last: followed, earlier: redirects?.earlier ?? [])
    }
}

extension TransportRequest {
    /// The requests that redirects have led to in the last attempt, in their order. A transport
    /// that follows redirects without a ``Redirection`` doesn't tell them.
    package var redirects: [URLRequest] {
        get { memory.withLock { $0.redirects?.last ?? [] } }
        nonmutating set {
            memory.withLock { memory in
                memory.beginAttempt(keepingEarlier: false)
                if !newValue.isEmpty { memory.note(newValue) }
            }
        }
    }

    /// The requests that redirects have led to in all attempts of a request that isn't safe.
    package var allRedirects: [URLRequest] {
        memory.withLock { $0.redirects.map { $0.earlier + $0.last } ?? [] }
    }
}

/// The `Location` header of a redirect: a URL reference, resolved against the URL of the request
/// (RFC 9110 10.2.2).
///
/// ```text
/// /b?x=é        at https://h/a#top   ->  https://h/b?x=%C3%A9#top
/// HTTP://other  at https://h/a       ->  http://other
/// ```
struct Location {
    let text: String

    /// The URL that the redirect leads to from a request at `base`.
    ///
    /// - Throws: A `URLError`: `.unsupportedURL` if the scheme isn't http or https;
    ///   `.redirectToNonExistentLocation` if the text isn't a valid URL reference, if it has
    ///   control characters, user info or a host with percent escapes, or if the resolved URL has
    ///   a bad port or no host.
    func url(at base: URL) throws(URLError) -> URL {
        guard let target = URL(reference: text, at: base) else { throw .badLocation }
        guard let scheme = target.scheme?.lowercased(), ["http", "https"].contains(scheme)
        else { throw URLError(.unsupportedURL, at: target) }
        guard Origin(of: target) != nil,
            let url = URL(string: scheme + target.absoluteString.dropFirst(scheme.utf8.count))
        else { throw .badLocation }
        return url.inheritingFragment(of: base)
    }
}

extension URL {
    /// This URL. If it has no fragment, it gets the fragment of `base` (RFC 9110 10.2.2).
    fileprivate func inheritingFragment(of base: URL) -> URL {
        guard fragment == nil, let mark = base.absoluteString.firstIndex(of: "#")
        else { return self }
        return URL(string: absoluteString + base.absoluteString[mark...]) ?? self
    }
}

extension URLError {
    /// The error for a `Location` that isn't valid. It leaves out the text, which may be secret.
    fileprivate static var badLocation: URLError { URLError(.redirectToNonExistentLocation) }
}
