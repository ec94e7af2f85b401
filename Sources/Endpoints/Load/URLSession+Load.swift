import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSession: Transport {
    /// Makes a task that loads a request under a policy. It isn't resumed yet.
    ///
    /// The completion handler is called once. Cancelling the task, resumed or not, calls it with
    /// `URLError(.cancelled)`.
    func load(
        _ request: URLRequest, _ policy: LoadPolicy,
        completion: @escaping @Sendable (Result<(Data, HTTPURLResponse), any Error>) -> Void
    ) -> URLSessionDataTask {
        Load(of: request, by: self, under: policy).task(completion)
    }

    /// Sends a request under its policy; cancelling the `Task` ends it with `URLError(.cancelled)`.
    /// - Throws: A `URLError`, or an ``EndpointError`` for a request that a session can't send.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        if let refusal = request.urlRequest.refusal {
            throw EndpointError(requestType: "\(request.requestType)", refusal)
        }
        if request.streamsResponse { return try await stream(request) }
        let load = Load(of: request.urlRequest, by: self, under: request.policy)
        let (data, httpResponse) = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                load.start(isAwaited: true) { continuation.resume(with: $0) }
            }
        } onCancel: {
            load.cancel()
        }
        return TransportResponse(data, httpResponse)
    }
}
