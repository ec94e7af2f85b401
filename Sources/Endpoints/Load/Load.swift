import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One load by a `URLSession`, from its first request to its one result.
///
/// It is the delegate of its tasks, which keep it alive; it keeps tasks only until it ends.
final class Load: NSObject, URLSessionTaskDelegate {
    typealias Completion = @Sendable (Result<(Data, HTTPURLResponse), any Error>) -> Void

    struct State {
        /// `nil` once the load has ended.
        var completion: Completion?
        var redirection: Redirection
        /// What is to be cancelled when the load ends; the first is the one the caller has.
        var tasks: [URLSessionTask] = []
        var timer: (any DispatchSourceTimer)?
    }

    /// The caller's session, whose delegate keeps its say at every redirect.
    let session: URLSession
    let policy: LoadPolicy
    let state: Locked<State>

    init(
        of request: URLRequest, by session: URLSession, under policy: LoadPolicy,
        completion: @escaping Completion
    ) {
        self.session = session
        self.policy = policy
        let redirection = Redirection(of: request, under: policy)
        state = Locked(State(completion: completion, redirection: redirection))
    }

    /// Ends the load; only the first call has an effect.
    func finish(_ result: Result<(Data, HTTPURLResponse), any Error>) {
        let ended = state.withLock { state in
            defer {
                state.completion = nil
                state.timer = nil
                state.tasks = []
            }
            return state
        }
        ended.timer?.cancel()
        ended.completion?(result)
        // Last, as it waits for a queue that a fast body keeps busy.
        ended.tasks.forEach { $0.cancel() }
    }

    /// Keeps a task to be cancelled at the end, or cancels it at once where that has come.
    func keep(_ task: URLSessionTask) {
        let hasEnded = state.withLock { state in
            guard state.completion != nil else { return true }
            if !state.tasks.contains(where: { $0 === task }) { state.tasks.append(task) }
            return false
        }
        if hasEnded { task.cancel() }
    }

    /// A task has completed.
    @Sendable func complete(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
        finish(Result { try answer(data ?? Data(), response, error) })
    }

    private func answer(
        _ data: Data, _ response: URLResponse?, _ error: (any Error)?
    ) throws -> (Data, HTTPURLResponse) {
        let request = state.withLock { $0.redirection.request }
        if let error { throw (error as? URLError)?.corrected(at: request.url) ?? error }
        guard let response = response as? HTTPURLResponse
        else { throw URLError(.badServerResponse, at: response?.url) }
        guard data.count <= policy.largestBody
        else { throw URLError(.dataLengthExceedsMaximum, at: response.url) }
        guard request.httpMethod == "HEAD" || !response.contradictsLength(of: data)
        else { throw URLError(.cannotParseResponse, at: response.url) }
        // A redirect that the platform could not read, and so did not ask about.
        if case .fail(let error) = state.withLock({ $0.redirection.step(after: response) }) {
            throw error
        }
        return (data, response)
    }
}

extension URLError {
    /// Up to Swift 6.3.1 an answer that is no HTTP is an unsupported URL on Linux.
    fileprivate func corrected(at url: URL?) -> URLError {
        guard code == .unsupportedURL, let scheme = url?.scheme, ["http", "https"].contains(scheme)
        else { return self }
        return URLError(.cannotParseResponse, userInfo: userInfo)
    }
}
