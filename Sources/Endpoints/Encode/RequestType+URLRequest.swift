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
    public func urlRequest(in environment: Environment) throws(EndpointError) -> URLRequest {
        let plan = Self.endpoint.plan
        do throws(FieldError) {
            var urlRequest = try plan.urlRequest(of: self, baseUrl: environment.baseUrl)
            do { try prepare(&urlRequest) } catch {
                throw FieldError(refusedBy: .prepare, error)
            }
            guard let process = environment.requestProcessor else { return urlRequest }
            do { try process(&urlRequest) } catch {
                throw FieldError(refusedBy: .requestProcessor, error)
            }
            return urlRequest
        } catch { throw plan.endpointError(error) }
    }
}

extension FieldError {
    /// A hook that has thrown.
    fileprivate init(refusedBy hook: EndpointError.Field, _ error: any Error) {
        self.init(hook, "refused the request: \(error.safeReason)", cause: error)
    }
}
