import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestType {
    /// Makes the `URLRequest` for a server.
    ///
    ///     try GetUser(id: 42).urlRequest(in: .production)
    ///     // GET https://api.example.com/users/42
    ///
    /// It needs no network. The request's own ``prepare(_:)`` and then the environment's
    /// `requestProcessor` change the finished request.
    /// - Throws: An ``EndpointError`` that names the field and says what to change.
    @inlinable
    public func urlRequest(in environment: Environment) throws(EndpointError) -> URLRequest {
        // A plan in a variable would be reference counted, and threads that use one declaration
        // would wait for each other.
        try Self.endpoint.plan.urlRequest(of: self, in: environment)
    }
}

extension Plan {
    @inlinable
    func urlRequest<Request: RequestType>(
        of request: Request, in environment: Request.Environment
    ) throws(EndpointError) -> URLRequest {
        var urlRequest = try request.borrowed(isFlat: isFlat) { borrowed throws(EndpointError) in
            try self.urlRequest(
                of: borrowed, at: environment.baseUrl, request.additionalQueryItems,
                request.additionalHeaders)
        }
        do { try request.prepare(&urlRequest) } catch { throw refusal(by: .prepare, error) }
        guard let process = environment.requestProcessor else { return urlRequest }
        do { try process(&urlRequest) } catch { throw refusal(by: .requestProcessor, error) }
        return urlRequest
    }

    /// The error for a hook that threw.
    @usableFromInline
    func refusal(by hook: EndpointError.Field, _ error: any Error) -> EndpointError {
        endpointError(
            FieldError(hook, "refused the request: \(error.safeReason)", cause: error))
    }
}
