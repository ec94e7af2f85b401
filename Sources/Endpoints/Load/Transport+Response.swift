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
        do { message = try TransportRequest(of: request, in: environment, at: url) } catch {
            throw .endpointError(error)
        }
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

extension RequestType {
    /// Throws if the response is a stream, which a callback and a publisher can't return.
    static func checkIsWhole() throws(EndpointError) {
        guard DeclaredStream(Response.self) != nil else { return }
        throw endpoint.plan.endpointError(
            FieldError(
                .response,
                "is a stream, which only async functions return; use `response(in:with:)`"))
    }

    /// Throws if a session can't send the `URLRequest` as it is, or if the response is a stream.
    static func check(_ urlRequest: URLRequest) throws(EndpointError) {
        try checkIsWhole()
        if let refusal = urlRequest.refusal {
            let sent = SentRequest(urlRequest, under: .default)
            throw EndpointError(requestType: "\(Self.self)", refusal).traced(sent.trace())
        }
    }

    static func result(
        of load: Result<(Data, HTTPURLResponse), any Error>, of sent: SentRequest
    ) -> Result<Response, TaskError> {
        Result { () throws(TaskError) in
            switch load {
            case .success(let (data, httpResponse)):
                try decode(data, httpResponse, of: sent)
            case .failure(let error):
                throw TaskError(loading: error, Self.self).traced(sent.trace())
            }
        }
    }

    /// Decodes a response. An error gets a trace of the load.
    package static func decode(
        _ data: Data, _ httpResponse: HTTPURLResponse, of sent: SentRequest
    ) throws(TaskError) -> Response {
        do throws(TaskError) { return try decode(data, httpResponse, under: sent.policy) } catch {
            throw error.traced(sent.trace(data, of: httpResponse))
        }
    }
}
