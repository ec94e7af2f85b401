import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSession: Transport {
    /// Sends a request under its policy. If the `Task` is cancelled, throws `URLError(.cancelled)`.
    /// - Throws: A `URLError`; a ``FileError``; an ``EndpointError`` if the request can't be sent;
    ///   `CancellationError` if the `Progress` of an ``UploadProgress`` was cancelled.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try request.check()
        if request.streamsResponse { return try await stream(request) }
        let load = Load(request, by: self)
        let (data, httpResponse) = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                load.start { continuation.resume(with: $0) }
            }
        } onCancel: {
            load.cancel()
        }
        return TransportResponse(data, httpResponse)
    }
}

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

extension URLSession {
    /// Sends a request and returns its response when the status and headers have arrived.
    func stream(_ request: TransportRequest) async throws -> TransportResponse {
        let buffer = ResponseBuffer(unreadLimit: request.policy.unreadLimit)
        let load = Load(request, by: self, into: buffer)
        let reader = Reader(buffer: buffer, load: load)
        let httpResponse = try await withTaskCancellationHandler {
            load.start { buffer.end($0.map { $0.1 }) }
            return try await buffer.head()
        } onCancel: {
            load.cancel()
        }
        return TransportResponse(
            body: ResponseBody(chunks: { try await reader.next() }), httpResponse)
    }

    /// The load ends when the reader is released.
    private final class Reader: Sendable {
        let buffer: ResponseBuffer
        let load: Load

        init(buffer: ResponseBuffer, load: Load) {
            self.buffer = buffer
            self.load = load
        }

        deinit {
            load.cancel()
        }

        func next() async throws -> Data? {
            try Task.checkCancellation()
            return try await withTaskCancellationHandler {
                try await buffer.next()
            } onCancel: {
                load.cancel()
            }
        }
    }
}
