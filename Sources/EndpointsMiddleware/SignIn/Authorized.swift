import Endpoints
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
    /// each of these requests is sent once more. If the refresh of a refused or expired token
    /// fails, the requests that need the new token end with a ``SignInError``. A request whose body
    /// can be read only once is not sent again: it ends with its 401.
    ///
    /// No credentials are added to a request to another origin than that of the source's `baseUrl`,
    /// to a request that has the `header` already, or to a request that the source sends. If the
    /// source has no token, requests are sent without credentials.
    ///
    /// A request's ``LoadPolicy/timeLimit`` is for everything together: the wait for a token, the
    /// request that gets a 401, and the one that is sent after it. The limit doesn't interrupt the
    /// wait: if the time is up after it, the load ends with `URLError.timedOut`.
    ///
    /// The `header` holds the credentials. It is removed when a redirect leads to another origin.
    public func authorized(
        by source: some CredentialSource, header: Headers = .authorization,
        clock: TransportClock = .system
    ) -> some Transport {
        Authorized(
            base: self, header: header, server: KnownOrigin(source.baseUrl),
            clock: clock, tokens: TokenRefresher(source, clock))
    }
}

struct Authorized<Base: Transport>: Transport {
    let base: Base
    let header: Headers
    let server: KnownOrigin?
    let clock: TransportClock
    let tokens: TokenRefresher

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard takesCredentials(request) else { return try await base.send(request) }
        let deadline = request.policy.timeLimit.map { clock.uptime() + $0 }
        guard let issued = try await tokens.token()
        else { return try await base.send(try limited(request, deadline)) }
        // The response is released at the end of this scope, and not kept during the refresh.
        do {
            let response = try await base.send(try limited(try signed(request, issued), deadline))
            guard isRefusal(response.httpResponse) else { return response }
            guard request.urlRequest.canBeSentAgain else {
                tokens.refuse(issued)
                return response
            }
        }
        var request = request
        request.attempt += 1
        let renewed = try await tokens.token(after: issued)
        return try await base.send(try limited(try signed(request, renewed), deadline))
    }

    private func limited(
        _ request: TransportRequest, _ deadline: TimeInterval?
    ) throws -> TransportRequest {
        guard let deadline else { return request }
        var request = request
        request.policy.timeLimit = deadline - clock.uptime()
        if request.policy.leavesNoTime { throw URLError(.timedOut, at: request.urlRequest.url) }
        return request
    }

    private func takesCredentials(_ request: TransportRequest) -> Bool {
        guard let server, let url = request.urlRequest.url, server.contains(url),
            !tokens.isCallingSource
        else { return false }
        return request.urlRequest.value(forHTTPHeaderField: header.name) == nil
    }

    /// Whether the response says that the credentials are not valid. A 401 of another origin, after
    /// a redirect, doesn't say so, because the credentials weren't sent there.
    private func isRefusal(_ httpResponse: HTTPURLResponse) -> Bool {
        guard httpResponse.statusCode == 401 else { return false }
        return httpResponse.url.map { server?.contains($0) == true } ?? true
    }

    private func signed(
        _ request: TransportRequest, _ issued: IssuedToken
    ) throws -> TransportRequest {
        var request = request
        do throws(FieldError) {
            request.urlRequest.setValue(try value(of: issued), forHTTPHeaderField: header.name)
        } catch {
            throw EndpointError(requestType: "\(request.requestType)", error)
        }
        if header != .authorization { request.policy.sensitiveHeaders.insert(header) }
        return request
    }

    private func value(of issued: IssuedToken) throws(FieldError) -> String {
        let text: String?
        do { text = try issued.token.credentials.pathRepresentation } catch {
            throw FieldError(.header(header.name), unrepresentableBecauseOf: error)
        }
        return try header.checked(text ?? "")
    }
}
