import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSession {
    /// A task that loads a request and calls back with its typed response.
    ///
    ///     let task = try session.endpointTask(in: .production, with: GetUser(id: 42)) { result in
    ///         print(result)   // Result<User, GetUser.TaskError>
    ///     }
    ///     task.resume()
    ///
    /// The completion is called once, on the session's delegate queue. Cancelling the task ends it as
    /// `.cancelled`.
    /// - Returns: The task, not yet resumed.
    /// - Throws: An ``EndpointError`` if no request could be made, or if a session can't send it.
    public func endpointTask<Request: RequestType>(
        in environment: Request.Environment, with request: Request,
        completion:
            @escaping @Sendable (sending Result<Request.Response, Request.TaskError>) -> Void
    ) throws(EndpointError) -> URLSessionDataTask {
        let urlRequest = try request.urlRequest(in: environment)
        return try task(with: urlRequest, of: Request.self, completion: completion)
    }

    /// A task for a request that has been made.
    func task<Request: RequestType>(
        with urlRequest: URLRequest, of type: Request.Type,
        completion:
            @escaping @Sendable (sending Result<Request.Response, Request.TaskError>) -> Void
    ) throws(EndpointError) -> URLSessionDataTask {
        if let refusal = urlRequest.refusal {
            throw EndpointError(requestType: "\(Request.self)", refusal)
        }
        return load(urlRequest, Request.loadPolicy) { result in
            completion(
                Result { () throws(Request.TaskError) in
                    switch result {
                    case .success(let answer): try Request.response(from: answer.0, answer.1)
                    case .failure(let error): throw Request.TaskError(loading: error, Request.self)
                    }
                })
        }
    }
}
