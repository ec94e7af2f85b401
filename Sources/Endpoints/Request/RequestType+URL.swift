import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestType {
    /// Makes the `URLRequest` for a URL that a server has named, such as a `Link`, an upload URL or
    /// a `Location`.
    ///
    ///     let url = URL(string: "https://api.example.com/users?after=9")!
    ///     try ListUsers().urlRequest(in: .production, at: url)
    ///     // GET https://api.example.com/users?after=9, with the headers of ListUsers
    ///
    /// The request keeps its method, headers and body. Declared query items whose names the URL
    /// doesn't have are added to it. A relative URL without a `baseURL` is
    /// resolved against the URL that the declaration makes. If the URL has another origin (scheme,
    /// host or port) than the environment, the environment's `requestProcessor` isn't called, and
    /// `Authorization`, `Cookie`, `Proxy-Authorization`, headers that are ``Credentials`` and the
    /// policy's ``LoadPolicy/sensitiveHeaders`` are removed.
    /// - Throws: An ``EndpointError`` if no request can be made, or for an invalid URL, such as one
    ///   with user info. A URL of another origin is refused unless ``LoadPolicy/redirects`` is
    ///   `.follow`, or if it lacks a declared query item; http in an https environment is refused
    ///   unless ``LoadPolicy/allowsInsecureRedirects``.
    public func urlRequest(
        in environment: Environment, at url: URL
    ) throws(EndpointError) -> URLRequest {
        try urlRequest(in: environment, at: url, addingQuery: true)
    }

    func urlRequest(
        in environment: Environment, at url: URL, addingQuery addsQuery: Bool
    ) throws(EndpointError) -> URLRequest {
        let (plan, baseUrl) = (Self.endpoint.plan, environment.baseUrl)
        let policy = policy(in: environment)
        return try BorrowedValues.borrow(self) { request throws(EndpointError) in
            try BorrowedValues.borrow(environment) { server throws(EndpointError) in
                try plan.urlRequest(of: request, in: server, baseUrl, at: url, policy, addsQuery)
            }
        }
    }
}

extension Plan {
    fileprivate func urlRequest(
        of request: BorrowedValues, in environment: BorrowedValues, _ baseUrl: URL, at url: URL,
        _ policy: LoadPolicy, _ addsQuery: Bool
    ) throws(EndpointError) -> URLRequest {
        var urlRequest = try urlRequestBeforeHooks(of: request, in: environment)
        let leavesOrigin: Bool
        do throws(FieldError) {
            let own = urlRequest.url?.writtenItems.dropFirst(baseUrl.writtenItems.count)
            var url = try URL(followed: url, from: urlRequest.url)
            leavesOrigin = try policy.leavesOrigin(of: baseUrl, for: url)
            if addsQuery, let own, !own.isEmpty { try url.add(own, isOther: leavesOrigin) }
            urlRequest.url = url
        } catch { throw endpointError(error) }
        try prepare(&urlRequest, by: request)
        if leavesOrigin {
            for name in (urlRequest.allHTTPHeaderFields ?? [:]).keys
            where policy.isSensitive(Headers(name: name)) {
                urlRequest.setValue(nil, forHTTPHeaderField: name)
            }
        } else {
            try process(&urlRequest, by: environment)
        }
        return urlRequest
    }
}

extension URL {
    /// Resolves and checks a URL that a server sent.
    fileprivate init(followed url: URL, from base: URL?) throws(FieldError) {
        let base = url.baseURL ?? base
        guard let target = URL(reference: url.relativeString, at: base), Origin(of: target) != nil
        else {
            throw FieldError(
                .url,
                "must be http or https, with a valid host and port, and no user info")
        }
        self = target
    }

    /// The items of the query, as they are written in the URL.
    fileprivate var writtenItems: [Substring] {
        absoluteString.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst().split(separator: "&")
    }

    /// Adds the query items whose names aren't in this URL. Throws if it is one of another origin.
    fileprivate mutating func add(
        _ items: ArraySlice<Substring>, isOther: Bool
    ) throws(FieldError) {
        let names = Set(writtenItems.map(\.itemName))
        let items = items.filter { !names.contains($0.itemName) }
        guard let first = items.first else { return }
        if isOther {
            throw FieldError(
                .query(first.itemName),
                "isn't added to a URL of another origin; leave it out, or add it to the URL")
        }
        let text = absoluteString.prefix { $0 != "#" }
        let mark = !text.contains("?") ? "?" : text.last == "?" ? "" : "&"
        let fragment = absoluteString[text.endIndex...]
        self = URL(string: text + mark + items.joined(separator: "&") + fragment) ?? self
    }
}

extension Substring {
    fileprivate var itemName: String {
        let name = prefix { $0 != "=" }
        return name.removingPercentEncoding ?? String(name)
    }
}

extension LoadPolicy {
    /// Whether a URL has another origin than the server. Throws if the policy refuses such a URL.
    fileprivate func leavesOrigin(of server: URL, for url: URL) throws(FieldError) -> Bool {
        let (from, to) = (Origin(of: server), Origin(of: url))
        guard from != to else { return false }
        guard redirects == .follow else {
            throw FieldError(
                .url,
                "has another origin than the environment, and the load policy forbids that; "
                    + "use a URL of the environment, or set the policy's redirects to .follow")
        }
        guard allowsInsecureRedirects || from?.scheme == "http" || to?.scheme == "https" else {
            throw FieldError(
                .url,
                """
                is http instead of https, and the load policy forbids that; \
                use https, or set the policy's allowsInsecureRedirects to true
                """)
        }
        return true
    }
}
