import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSession: Transport {
    /// Loads a request under a policy: the one way to the network, whatever the caller awaits.
    ///
    /// The task is not resumed. Cancelling it, resumed or not, ends in `URLError(.cancelled)`;
    /// the completion handler is called once.
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
        let load = Load(of: request.urlRequest, by: self, under: request.policy)
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
