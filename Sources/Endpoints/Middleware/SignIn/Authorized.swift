import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Transport {
    /// A transport that signs requests, and gets new credentials when the server refuses them.
    ///
    ///     let api = EndpointClient(
    ///         URLSession.shared.authorized(by: tokens).retrying(), in: .production)
    ///
    /// A token is refreshed shortly before it expires, and after a 401. However many requests get
    /// the 401, one refresh runs, and each of them is sent once more. A request is left as it is if
    /// it goes to another origin than the source's, if it has the header already, or if the source
    /// has no token. If there are no new credentials, requests end with a ``SignInError``.
    ///
    /// - Parameter header: The header that holds the credentials. It doesn't follow a redirect to
    ///   another origin.
    public func authorized(
        by source: some CredentialSource, header: Headers = .authorization,
        clock: TransportClock = .system
    ) -> some Transport {
        Authorized(
            base: self, header: header, server: KnownOrigin(source.baseUrl),
            tokens: TokenRefresher(source, clock))
    }
}

/// Signs the requests for one origin.
struct Authorized<Base: Transport>: Transport {
    let base: Base
    let header: Headers
    let server: KnownOrigin?
    let tokens: TokenRefresher

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard takesCredentials(request), let issued = try await tokens.token()
        else { return try await base.send(request) }
        // The response is released at the end of this scope, so that it isn't kept while waiting.
        do {
            let response = try await base.send(try signed(request, issued))
            guard isRefusal(response.httpResponse) else { return response }
            guard request.urlRequest.canBeSentAgain else {
                tokens.refuse(issued)
                return response
            }
        }
        var request = request
        request.attempt += 1
        return try await base.send(try signed(request, tokens.token(after: issued)))
    }

    private func takesCredentials(_ request: TransportRequest) -> Bool {
        guard let server, let url = request.urlRequest.url, server.contains(url),
            !tokens.isRefreshingInThisTask
        else { return false }
        return request.urlRequest.value(forHTTPHeaderField: header.name) == nil
    }

    /// Whether the response says that the credentials are not valid. A response from another
    /// origin, after a redirect, doesn't: they weren't sent there.
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
