import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Transport {
    /// A transport that adds credentials to requests, and gets new ones if the server refuses them.
    ///
    ///     let api = EndpointClient(
    ///         URLSession.shared.authorized(by: tokens).retrying(), in: .production)
    ///
    /// A token is refreshed when a request is to be sent and the token has expired or soon will,
    /// and when a request gets a 401. However many requests get a 401, only one refresh runs. Then
    /// each of these requests is sent once more. While the token is valid, requests don't wait for
    /// its refresh. If the refresh of a refused or expired token fails, the requests that need the
    /// new token end with a ``SignInError``. A request whose body can be read only once is not sent
    /// again: it ends with its 401. After a redirect that makes a GET of a POST, such as a 303, the
    /// POST has been carried out, so only the GET is sent again.
    ///
    /// If the new token is refused too, a server may refuse whatever it gets. So requests then end
    /// with their 401, until that token is 30 seconds old. If the next one is refused as well, it
    /// is a minute, and so on up to 10 minutes. If a refresh fails because its server is down, the
    /// requests that need the new token fail at once until ``SignInError/nextRefresh``.
    ///
    /// A request belongs to the account with whose token it was first sent. If somebody else has
    /// signed in before it is sent again, it ends with a ``SignInError``. With
    /// ``MemoryCredentials``, it belongs to the account that was signed in when its call began,
    /// even if it then waits, as in ``Transport/limited(perOrigin:clock:)``.
    ///
    /// No credentials are added to a request to another origin than those of the source's `baseUrl`
    /// and `trustedUrls`, to a request that has the `header` already or declares it as `nil`, or to
    /// a request that the source sends. If the source has no token, requests are sent without
    /// credentials. The `debugDescription` of a 401's error says why the request got none.
    ///
    /// If one of these URLs has no `https://` or `http://` or no host, each request ends with an
    /// ``EndpointError``, and so does a request whose `header` is empty.
    ///
    /// If a token can't be refreshed because the network is lost, a request for which a cache has a
    /// response that may be used then (`stale-if-error`) gets that response.
    ///
    /// A request's ``LoadPolicy/timeLimit`` is for everything together: the wait for a token, the
    /// request that gets a 401, and the one that is sent after it.
    ///
    /// The `header` holds the credentials. It is removed when a redirect leads to another origin.
    public func authorized(
        by source: some CredentialSource, header: Headers = .authorization,
        clock: TransportClock = .system
    ) -> some Transport {
        let urls = [source.baseUrl] + source.checkedTrustedUrls
        let tokens = TokenRefresher(source, clock)
        for case let cache as any AccountKeeping in layers { cache.drop(tokens.endedAccounts) }
        return Authorized(
            base: self, header: header, servers: urls.compactMap(KnownOrigin.init),
            unusable: urls.first { KnownOrigin($0) == nil || $0.host?.contains("*") == true },
            clock: clock, tokens: tokens)
    }
}

struct Authorized<Base: Transport>: Transport {
    let base: Base
    let header: Headers
    let servers: [KnownOrigin]
    /// A URL of the source that is none of a server, such as one without `https://`.
    let unusable: URL?
    let clock: TransportClock
    let tokens: TokenRefresher

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        if let unusable { throw error(about: unusable, request) }
        guard !tokens.isCallingSource else { return try await base.send(request) }
        guard let server = server(of: request) else { return try await sendElsewhere(request) }
        if let value = request.urlRequest.value(forHTTPHeaderField: header.name) {
            guard !value.allSatisfy(\.isWhitespace) else {
                throw EndpointError(
                    requestType: "\(request.requestType)", field: .header(header.name),
                    reason: """
                        is empty, so `authorized(by:)` would add no token; remove it for a token, \
                        or declare it as nil for none
                        """)
            }
            return try await sendSigned(request, to: server)
        }
        if request.leavesOut(header) {
            return try await base.send(request).explained(
                "`authorized(by:)` added no token, because the request declares \(header.name): nil"
            )
        }
        do { return try await sendWithToken(request, to: server) } catch {
            guard error is SignInError || error.asURLError?.code == .timedOut,
                let stored = await stored(insteadOf: request, after: error)
            else { throw error }
            return stored
        }
    }

    private func sendWithToken(
        _ request: TransportRequest, to server: KnownOrigin
    ) async throws -> TransportResponse {
        var request = request
        let deadline = Deadline(of: request, clock)
        let first = try firstToken(of: request)
        guard let issued = try await tokens.token(begunWith: first?.issued, until: deadline)
        else {
            request.account = nil
            try note(nil, of: request, begunWith: first)
            let response = try await base.send(try deadline.limited(request))
            return response.explained(
                "`authorized(by:)` added no token, because its source has none: nobody is signed in"
            )
        }
        try note(issued, of: request, begunWith: first)
        // The response is released at the end of this scope, and not kept during the refresh.
        do {
            let signed = try signed(request, issued)
            let response = try await base.send(try deadline.limited(signed))
            let isCarried = hasKeptToken(signed)
            guard response.isRefusal(by: server), isCarried
            else { return response.explainedRedirect(from: server, isCarried: isCarried) }
            request = request.refused(after: signed.redirects)
            let canBeSentAgain = request.urlRequest.canBeSentAgain
            let pause = try await tokens.refuse(
                issued, canBeSentAgain: canBeSentAgain, until: deadline)
            guard pause == nil else {
                return response.explained(
                    """
                    `authorized(by:)` got this token after a 401, and it is refused too, so it \
                    isn't refreshed again yet
                    """)
            }
            guard canBeSentAgain else { return response }
        }
        request.attempt += 1
        let renewed = try await tokens.token(replacing: issued, until: deadline)
        let signed = try signed(request, renewed)
        let last = try await base.send(try deadline.limited(signed))
        let isCarried = hasKeptToken(signed)
        guard last.isRefusal(by: server), isCarried else {
            if isCarried { tokens.accept(renewed) }
            return last.explainedRedirect(from: server, isCarried: isCarried)
        }
        _ = try await tokens.refuse(renewed, canBeSentAgain: true, until: deadline)
        return last.explained(
            renewed.token.credentials == issued.token.credentials
                ? "`authorized(by:)` sent it again with the same token, as its source's refresh gave no other"
                : "`authorized(by:)` sent it again with a new token, which is refused too")
    }

    /// Sends a request that has the header already.
    private func sendSigned(
        _ request: TransportRequest, to server: KnownOrigin
    ) async throws -> TransportResponse {
        let response = try await base.send(request)
        guard response.isRefusal(by: server) else { return response }
        return response.explained(
            """
            the request or its environment had set \(header.name), so `authorized(by:)` added \
            no token; remove that header if the token shall be sent
            """)
    }

    /// Sends a request to an origin that gets no token.
    private func sendElsewhere(_ request: TransportRequest) async throws -> TransportResponse {
        let response = try await base.send(request)
        guard request.urlRequest.value(forHTTPHeaderField: header.name) == nil
        else { return response }
        return response.explained(
            """
            `authorized(by:)` added no token, because its source names another server; compare \
            its `baseUrl` and `trustedUrls` with this URL: scheme, host and port must be the same
            """)
    }

    /// The token of the request's first attempt; `nil` if this is the first.
    /// - Throws: A ``SignInError`` if this is the first, and the account has changed since the call
    ///   began.
    private func firstToken(of request: TransportRequest) throws -> FirstToken? {
        let first = request.memory.withLock { $0[tokens.id] as? FirstToken }
        if first == nil { try tokens.checkAccount(since: request.begun) }
        return first
    }

    /// Notes the account to which a request belongs from its first attempt on; `nil` if nobody was
    /// signed in.
    /// - Throws: A ``SignInError`` if nobody was at the first attempt, and somebody is now.
    private func note(
        _ issued: IssuedToken?, of request: TransportRequest, begunWith first: FirstToken?
    ) throws {
        if let first {
            guard first.issued != nil || issued == nil
            else { throw SignInError(accountHasChanged: true) }
        } else {
            let first = FirstToken(issued: issued, tokens: tokens)
            request.memory.withLock { $0[tokens.id] = first }
        }
    }

    /// Whether the last request that was sent, after all redirects, had the token: a redirect to
    /// another origin removes it, also if a later one leads back.
    private func hasKeptToken(_ signed: TransportRequest) -> Bool {
        guard let last = signed.redirects.last else { return true }
        return last.value(forHTTPHeaderField: header.name)
            == signed.urlRequest.value(forHTTPHeaderField: header.name)
    }

    private func server(of request: TransportRequest) -> KnownOrigin? {
        guard let url = request.urlRequest.url else { return nil }
        return servers.first { $0.contains(url) }
    }

    private func error(about url: URL, _ request: TransportRequest) -> EndpointError {
        EndpointError(
            requestType: "\(request.requestType)", field: .transport,
            reason: """
                has a sign-in whose URL \(SecretNames.usual.masked(url)) is not one of a server; \
                correct its `baseUrl` or `trustedUrls`, as in https://api.example.com
                """)
    }

    private func signed(
        _ request: TransportRequest, _ issued: IssuedToken
    ) throws -> TransportRequest {
        var request = request
        let value = try request.set(header, to: issued.token.credentials)
        tokens.note(value)
        if header != .authorization { request.policy.sensitiveHeaders.insert(header) }
        request.account = Account(id: issued.accountID, header: header.name)
        return request
    }
}

extension Authorized: Layer {
    var inner: any Transport { base }
}

extension Authorized: AccountNaming {
    func account(of request: TransportRequest) async throws -> Account? {
        guard getsToken(request) else { return nil }
        let first = try firstToken(of: request)
        let issued = try await tokens.present(
            begunWith: first?.issued, until: Deadline(of: request, clock))
        try note(issued, of: request, begunWith: first)
        return issued.map { account($0.accountID, of: $0.token) }
    }

    private func account(_ id: String, of token: AccessToken) -> Account {
        Account(
            id: id, header: header.name,
            isNamed: token.account != nil && !token.isAccountOfSignIn)
    }

    func lastingAccount(of request: TransportRequest) async throws -> Account? {
        do { return try await account(of: request) } catch let error as SignInError {
            guard !error.accountHasChanged, getsToken(request),
                let token = try? await tokens.lastToken
            else { throw error }
            return account(token.accountID, of: token)
        }
    }

    private func getsToken(_ request: TransportRequest) -> Bool {
        unusable == nil && !tokens.isCallingSource && server(of: request) != nil
            && request.urlRequest.value(forHTTPHeaderField: header.name) == nil
            && !request.leavesOut(header)
    }

    var endedAccounts: EndedAccounts? { tokens.endedAccounts }
}

extension TransportRequest {
    /// The request that a 401 has refused: this one or, if a redirect has made another method of
    /// it, the last one. The server has carried out this one then, so it isn't sent again.
    ///
    ///     POST /add -> 303, GET /cart -> 401   ->   GET /cart
    fileprivate func refused(after redirects: [URLRequest]) -> TransportRequest {
        guard let last = redirects.last, last.method != urlRequest.method else { return self }
        var request = self
        request.urlRequest = last
        return request
    }
}

/// The token of a request's first attempt; `nil` if nobody was signed in. It keeps what has issued
/// it, so that nothing else can get the same `id` meanwhile.
private struct FirstToken: KeptForCall {
    let issued: IssuedToken?
    let tokens: TokenRefresher

    var secrets: [String] { tokens.secrets }
}

extension TransportResponse {
    /// This response, if it is a 401, with a hint at why.
    fileprivate func explained(_ hint: String) -> TransportResponse {
        guard httpResponse.statusCode == 401 else { return self }
        var response = self
        response.httpResponse = httpResponse.withHint(hint)
        return response
    }

    /// This response, if it is a 401 after a redirect to another origin, with a hint at why.
    fileprivate func explainedRedirect(
        from server: KnownOrigin, isCarried: Bool
    ) -> TransportResponse {
        guard !isCarried || httpResponse.url.map({ !server.contains($0) }) == true
        else { return self }
        return explained(
            """
            the request was redirected to another origin, where a token is never sent on; request \
            its URL itself, as with `response(to:at:)`, if the token shall be sent there
            """)
    }

    /// Whether the response says that the credentials are not valid. A 401 of another origin, after
    /// a redirect, doesn't say so, because the credentials weren't sent there.
    fileprivate func isRefusal(by server: KnownOrigin) -> Bool {
        guard httpResponse.statusCode == 401 else { return false }
        return httpResponse.url.map(server.contains) ?? true
    }
}
