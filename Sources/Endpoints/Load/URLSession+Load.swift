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
        let load = Load(of: request, by: self, under: policy, completion: completion)
        let task = dataTask(with: request, completionHandler: load.complete)
        task.delegate = load
        load.limitTime(of: task)
        return task
    }

    /// Loads a request under a policy; cancelling the `Task` ends it with `URLError(.cancelled)`.
    /// - Throws: A `URLError`, or an ``EndpointError`` for a request that a session can't send.
    public func load(
        _ request: URLRequest, _ policy: LoadPolicy
    ) async throws -> (Data, HTTPURLResponse) {
        if let refusal = request.refusal {
            throw EndpointError(requestType: "URLRequest", refusal)
        }
        let flight = Flight()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                flight.start(load(request, policy) { continuation.resume(with: $0) })
            }
        } onCancel: {
            flight.cancel()
        }
    }
}

/// A task that may be cancelled before it is there.
private final class Flight: Sendable {
    private let state = Locked<(task: URLSessionTask?, isCancelled: Bool)>((nil, false))

    func start(_ task: URLSessionTask) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
        task.resume()
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
