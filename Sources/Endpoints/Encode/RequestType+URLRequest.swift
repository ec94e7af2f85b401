import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestType {
    /// The request for a server, as `URLSession` sends it.
    ///
    ///     try GetUser(id: 42).urlRequest(in: .production)
    ///     // GET https://api.example.com/users/42
    ///
    /// It needs no network and can be inspected. The request's own ``prepare(_:)`` and then the
    /// environment's `requestProcessor` have the last say.
    /// - Throws: An ``EndpointError`` that names the field and says what to change.
    @inlinable
    public func urlRequest(in environment: Environment) throws(EndpointError) -> URLRequest {
        let plan = Self.endpoint.plan
        var urlRequest = try lendParts(isFlat: plan.isFlat) { parts throws(EndpointError) in
            try plan.urlRequest(
                of: parts, at: environment.baseUrl, additionalQueryItems, additionalHeaders)
        }
        do { try prepare(&urlRequest) } catch { throw plan.refusal(by: .prepare, error) }
        guard let process = environment.requestProcessor else { return urlRequest }
        do { try process(&urlRequest) } catch {
            throw plan.refusal(by: .requestProcessor, error)
        }
        return urlRequest
    }
}

extension Plan {
    /// The error of a hook that has thrown.
    @usableFromInline
    func refusal(by hook: EndpointError.Field, _ error: any Error) -> EndpointError {
        endpointError(
            FieldError(hook, "refused the request: \(error.safeReason)", cause: error))
    }
}
