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
            try Self.run(prepare, on: &urlRequest, as: .prepare)
            if let process = environment.requestProcessor {
                try Self.run(process, on: &urlRequest, as: .requestProcessor)
            }
            return urlRequest
        } catch { throw plan.endpointError(error) }
    }

    private static func run(
        _ hook: (inout URLRequest) throws -> Void, on urlRequest: inout URLRequest,
        as field: EndpointError.Field
    ) throws(FieldError) {
        do { try hook(&urlRequest) } catch {
            throw FieldError(field, "refused the request: \(error.safeReason)", cause: error)
        }
    }
}
