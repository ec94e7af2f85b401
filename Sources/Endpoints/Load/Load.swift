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
        var completion: Completion?
        var hasEnded = false
        /// Whether the caller has the task, to cancel it at any time.
        var isShared = false
        var redirection: Redirection
        /// What is to be cancelled when the load ends; the first is the one that was made first.
        var tasks: [URLSessionTask] = []
        /// The task that will complete.
        weak var current: URLSessionTask?
        var timer: (any DispatchSourceTimer)?

        mutating func end() {
            hasEnded = true
            completion = nil
            timer = nil
            tasks = []
        }
    }

    /// The caller's session, whose delegate keeps its say at every redirect.
    let session: URLSession
    let policy: LoadPolicy
    let request: URLRequest
    let state: Locked<State>
    private let begun = DispatchTime.now()

    init(of request: URLRequest, by session: URLSession, under policy: LoadPolicy) {
        self.session = session
        self.policy = policy
        self.request = request
        state = Locked(State(redirection: Redirection(of: request, under: policy)))
    }

    /// The task of a load that its caller resumes, and may cancel.
    func task(_ completion: @escaping Completion) -> URLSessionDataTask {
        state.withLock { state in
            state.completion = completion
            state.isShared = true
        }
        return task()
    }

    private func task() -> URLSessionDataTask {
        let task = session.dataTask(
            with: request.withFiniteTimeout, completionHandler: complete)
        prepare(task)
        limitTime(of: task)
        return task
    }

    /// Becomes the delegate of a task, and waits for its completion.
    func prepare(_ task: URLSessionTask) {
        task.delegate = self
        state.withLock { $0.current = task }
    }

    /// Begins a load that `cancel()` ends, which may have been called already.
    func start(_ completion: @escaping Completion) {
        let isCancelled = state.withLock { state in
            if !state.hasEnded { state.completion = completion }
            return state.hasEnded
        }
        guard !isCancelled else { return completion(.failure(URLError(.cancelled))) }
        let task = task()
        if keep(task) { task.resume() }
    }

    /// Ends the load with `URLError(.cancelled)`, at any time and any number of times.
    func cancel() {
        finish(.failure(URLError(.cancelled)))
    }

    /// Ends the load; only the first call has an effect.
    func finish(_ result: Result<(Data, HTTPURLResponse), any Error>) {
        let ending = state.withLock { state in
            defer { state.end() }
            return state
        }
        ending.timer?.cancel()
        for task in ending.tasks { task.stop(begunAt: begun) }
        ending.completion?(result)
    }

    /// Keeps a task to be cancelled at the end, or stops it where that has come.
    @discardableResult func keep(_ task: URLSessionTask) -> Bool {
        let isKept = state.withLock { state in
            guard !state.hasEnded else { return false }
            if !state.tasks.contains(where: { $0 === task }) { state.tasks.append(task) }
            return true
        }
        if !isKept { task.stop(begunAt: begun) }
        return isKept
    }

    /// A task has completed.
    @Sendable func complete(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
        let unsettled = state.withLock { state in
            // The only task needs no cancelling; of several, others are waiting.
            if state.tasks.count == 1 { state.tasks = [] }
            let mayBeCancelled = state.isShared || state.hasEnded || !state.tasks.isEmpty
            return mayBeCancelled ? state.current : nil
        }
        finish(Result { try answer(data ?? Data(), response, error) })
        unsettled?.settle()
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
