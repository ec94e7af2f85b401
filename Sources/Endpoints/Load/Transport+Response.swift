import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Transport {
    /// Loads a request and returns its typed response.
    ///
    ///     let user = try await session.response(in: .production, with: GetUser(id: 42))
    ///
    /// The `URLRequest` is made on the caller's actor. The response is loaded and decoded off that
    /// actor, and then handed to it. So neither the request nor the response needs to be
    /// `Sendable`. Cancelling the task cancels the load.
    /// - Throws: A ``RequestType/TaskError``.
    public nonisolated(nonsending) func response<Request: RequestType>(
        in environment: Request.Environment, with request: Request
    ) async throws(Request.TaskError) -> Request.Response {
        let urlRequest: URLRequest
        do { urlRequest = try request.urlRequest(in: environment) } catch {
            throw .endpointError(error)
        }
        return try await response(
            to: TransportRequest(urlRequest, of: request, in: environment), as: Request.self)
    }

    @concurrent
    package func response<Request: RequestType>(
        to request: TransportRequest, as type: Request.Type
    ) async throws(Request.TaskError) -> sending Request.Response {
        if request.streamsResponse { return try await stream(request, as: type) }
        let sent = SentRequest(request)
        let (data, httpResponse): (Data, HTTPURLResponse)
        do { (data, httpResponse) = try await load(request) } catch {
            throw Request.TaskError(loading: error, Request.self).traced(sent.trace())
        }
        return try Request.decode(data, httpResponse, of: sent)
    }

    @concurrent
    package func load(_ request: TransportRequest) async throws -> (Data, HTTPURLResponse) {
        let response = try await send(request)
        let data = try await response.body.data(upTo: request.policy.wholeBodyLimit)
        return (data, response.httpResponse)
    }
}
