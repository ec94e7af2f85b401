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
        // A plan in a variable would be reference-counted, and threads that use the same
        // declaration would wait for each other.
        try Self.endpoint.plan.urlRequest(of: self, in: environment)
    }
}

extension Plan {
    @inlinable
    func urlRequest<Request: RequestType>(
        of request: Request, in environment: Request.Environment
    ) throws(EndpointError) -> URLRequest {
        var urlRequest = try urlRequestBeforeHooks(of: request, in: environment)
        try prepare(&urlRequest, by: request)
        try process(&urlRequest, by: environment)
        return urlRequest
    }

    /// Makes the `URLRequest`, before the hooks run.
    @inlinable
    func urlRequestBeforeHooks<Request: RequestType>(
        of request: Request, in environment: Request.Environment
    ) throws(EndpointError) -> URLRequest {
        let headers = try headerTexts(of: environment)
        return try request.borrowed(isFlat: isFlat) { borrowed throws(EndpointError) in
            try self.urlRequest(of: borrowed, at: environment.baseUrl, headers)
        }
    }

    /// Runs the request's own hooks.
    @inlinable
    func prepare(
        _ urlRequest: inout URLRequest, by request: some RequestType
    ) throws(EndpointError) {
        do {
            try request.prepare(request: &urlRequest)
            try request.prepare(&urlRequest)
        } catch { throw refusal(by: .prepare, error) }
    }

    /// Runs the environment's hook.
    @inlinable
    func process(
        _ urlRequest: inout URLRequest, by environment: some EnvironmentType
    ) throws(EndpointError) {
        do { try environment.process(&urlRequest) } catch {
            throw refusal(by: .requestProcessor, error)
        }
    }

    /// The environment's headers.
    @usableFromInline
    func headerTexts(of environment: some EnvironmentType) throws(EndpointError) -> [HeaderText] {
        do { return try environment.headerTexts } catch {
            let field = EndpointError.Field.header("headers")
            throw endpointError(
                error as? FieldError ?? FieldError(field, unrepresentableBecauseOf: error))
        }
    }

    /// The error for a hook that threw.
    @usableFromInline
    func refusal(by hook: EndpointError.Field, _ error: any Error) -> EndpointError {
        endpointError(
            FieldError(hook, "refused the request: \(error.safeReason)", cause: error))
    }
}
