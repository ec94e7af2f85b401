import Foundation

extension Transport {
    /// Loads a request at a URL that a server has named, such as an upload URL or a `Location`.
    ///
    ///     let user = try await session.response(
    ///         in: .production, with: GetUser(id: 42), at: location)
    ///
    /// If the URL has another origin than the environment, the request is sent without its secret
    /// headers, or isn't sent, as ``RequestType/urlRequest(in:at:)`` explains.
    /// - Throws: A ``RequestType/TaskError``.
    public nonisolated(nonsending) func response<Request: RequestType>(
        in environment: Request.Environment, with request: Request, at url: URL
    ) async throws(Request.TaskError) -> Request.Response {
        let message: TransportRequest
        do {
            let urlRequest = try request.urlRequest(in: environment, at: url)
            message = TransportRequest(urlRequest, of: request, in: environment)
        } catch { throw .endpointError(error) }
        return try await response(to: message, as: Request.self)
    }
}

extension EndpointClient {
    /// Loads a request at a URL that a server has named, such as an upload URL or a `Location`.
    ///
    ///     let user = try await api.response(to: GetUser(id: 42), at: location)
    ///
    /// If the URL has another origin than the environment, the request is sent without its secret
    /// headers, or isn't sent, as ``RequestType/urlRequest(in:at:)`` explains.
    /// - Throws: A ``RequestType/TaskError``.
    public nonisolated(nonsending) func response<Request: RequestType>(
        to request: Request, at url: URL
    ) async throws(Request.TaskError) -> Request.Response
    where Request.Environment == Environment {
        try await transport.response(in: environment, with: request, at: url)
    }
}
