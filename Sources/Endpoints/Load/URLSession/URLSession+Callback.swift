import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSession {
    /// Makes a task that loads a request and calls back with its typed response.
    ///
    ///     let task = try session.endpointTask(in: .production, with: GetUser(id: 42)) { result in
    ///         if case .success(let user) = result { print(user.name) }
    ///     }
    ///     task.resume()
    ///
    /// The completion is called once, on the session's delegate queue. If you cancel the task, the
    /// completion gets the error `.cancelled`.
    /// - Returns: The task, not yet resumed.
    /// - Throws: An ``EndpointError`` if no valid `URLRequest` can be made, or `Response` is a
    ///   stream.
    public func endpointTask<Request: RequestType>(
        in environment: Request.Environment, with request: Request,
        completion:
            @escaping @Sendable (sending Result<Request.Response, Request.TaskError>) -> Void
    ) throws(EndpointError) -> URLSessionDataTask {
        let urlRequest = try request.urlRequest(in: environment)
        try Request.check(urlRequest)
        let policy = request.policy(in: environment)
        let sent = SentRequest(urlRequest, under: policy)
        return Load(of: urlRequest, by: self, under: policy).task {
            completion(Request.result(of: $0, of: sent))
        }
    }
}
