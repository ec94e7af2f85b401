import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Redirection {
    /// Begins with the first request, whose policy says which redirects are followed.
    public init(of request: TransportRequest) {
        self.init(of: request.urlRequest, under: request.policy)
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
            var next = request
            next.urlRequest = urlRequest
            return next
        }
    }
}
