import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One load by a `URLSession`: its first request, the redirects, and the one result.
///
/// The load is the delegate of its tasks, which keep it alive. The load keeps the tasks that it has
/// to cancel when it ends; see ``hasStarted``.
final class Load: NSObject, URLSessionTaskDelegate {
    typealias Completion = @Sendable (Result<(Data, HTTPURLResponse), any Error>) -> Void

    private struct State {
        var completion: Completion?
        var hasEnded = false
        /// Whether the caller has the first task, and so can cancel it at any time.
        var isShared = false
        var redirection: Redirection
        /// The tasks to cancel when the load ends, in the order in which they were made.
        var tasks: [URLSessionTask] = []
        /// The task whose completion ends the load.
        weak var current: URLSessionTask?
        var timer: (any DispatchSourceTimer)?

        mutating func end() {
            hasEnded = true
            completion = nil
            timer = nil
            tasks = []
        }
    }

    /// The caller's session. Its delegate is asked at each challenge, at each allowed redirect, and
    /// for a new body stream.
    let session: URLSession
    let policy: LoadPolicy
    let request: URLRequest
    /// Passes a stream's response to its reader; `nil` if the response is loaded whole.
    let buffer: ResponseBuffer?
    private let state: Locked<State>
    private let start: DispatchTime

    init(
        of request: URLRequest, by session: URLSession, under policy: LoadPolicy,
        hasLeftOrigin: Bool = false, into buffer: ResponseBuffer? = nil
    ) {
        self.session = session
        self.policy = policy
        self.request = request
        self.buffer = buffer
        // On Linux, in the first half second after `start`, `stop(_:startedAt:then:)` waits for the
        // task's read of the cache. A stream uses no cache there, so its `start` is long ago.
        start = buffer == nil ? .now() : DispatchTime(uptimeNanoseconds: 1)
        state = Locked(
            State(
                redirection: Redirection(
                    of: request, under: policy, hasLeftOrigin: hasLeftOrigin)))
    }

    convenience init(
        _ request: TransportRequest, by session: URLSession, into buffer: ResponseBuffer? = nil
    ) {
        self.init(
            of: request.urlRequest, by: session, under: request.policy,
            hasLeftOrigin: request.leavesOrigin, into: buffer)
    }

    /// Makes the first task for a caller that resumes it, and may cancel it.
    func task(_ completion: @escaping Completion) -> URLSessionDataTask {
        state.withLock { state in
            state.completion = completion
            state.isShared = true
        }
        let task: URLSessionDataTask
        var mayStart = !policy.leavesNoTime
        do throws(FileError) { task = makeTask(of: try withStream(request)) } catch {
            task = makeTask(of: request)
            mayStart = false
            report(.failure(error))
        }
        // The request of a cancelled task isn't sent, even if the caller resumes the task.
        if !mayStart { task.cancel() }
        return task
    }

    /// Starts the load for a `Task` that awaits the result. If `cancel()` was called before,
    /// reports `URLError(.cancelled)` at once.
    func start(_ completion: @escaping Completion) {
        let isCancelled = state.withLock { state in
            if !state.hasEnded { state.completion = completion }
            return state.hasEnded
        }
        guard !isCancelled else { return completion(.failure(URLError(.cancelled))) }
        guard !policy.leavesNoTime else { return report(.failure(timeoutError)) }
        do throws(FileError) {
            let task = makeTask(of: try withStream(request))
            if keep(task) { task.resume() }
        } catch { report(.failure(error)) }
    }

    /// Makes the first task, and starts the load's time limit.
    private func makeTask(of request: URLRequest) -> URLSessionDataTask {
        let task: URLSessionDataTask
        if buffer != nil {
            task = streamTask(for: request)
        } else if redirection.hasLeftOrigin {
            task = hop(request)
        } else {
            task = session.dataTask(with: taskRequest(request), completionHandler: complete)
            task.delegate = self
        }
        setCurrent(task)
        limitTime(of: task)
        return task
    }

    /// Sets the task whose completion ends the load: the first one, or the newest one of a stream.
    /// It is `nil` after a redirect of another load, whose next task has a handler of its own.
    func setCurrent(_ task: URLSessionTask?) {
        state.withLock { $0.current = task }
    }

    func isCurrent(_ task: URLSessionTask) -> Bool {
        state.withLock { $0.current === task }
    }

    func cancel() {
        finish(.failure(URLError(.cancelled)))
    }

    /// Ends the load; only the first call has an effect.
    ///
    /// A `Task` that awaits a failed load gets the error when the load's tasks have ended too, but
    /// at most a second later. A redirected task, which a load that succeeds leaves behind,
    /// transfers nothing.
    func finish(_ result: Result<(Data, HTTPURLResponse), any Error>) {
        let last = state.withLock { state in
            defer { state.end() }
            return state
        }
        last.timer?.cancel()
        let (completion, hasFailed) = (last.completion, (try? result.get()) == nil)
        let waits = hasFailed && !last.isShared
        if !waits { completion?(result) }
        URLSessionTask.stop(last.tasks, startedAt: start) {
            if waits { completion?(result) }
        }
    }

    /// Ends the load: on the session's delegate queue for the caller of an `endpointTask`, or at
    /// once if a `Task` awaits the result.
    func report(_ result: Result<(Data, HTTPURLResponse), any Error>) {
        guard state.withLock(\.isShared) else { return finish(result) }
        session.delegateQueue.addOperation { [self] in finish(result) }
    }

    /// Whether the load keeps a task. It keeps each task that it resumes itself. A task that the
    /// library's caller resumes is kept once it has been redirected or, on Linux, challenged, or
    /// when its time is over. `false` after the load's end.
    var hasStarted: Bool { state.withLock { !$0.tasks.isEmpty } }

    var hasEnded: Bool { state.withLock(\.hasEnded) }

    /// Keeps a task, to cancel it when the load ends. If the load has ended already, stops the task
    /// and returns `false`.
    @discardableResult func keep(_ task: URLSessionTask) -> Bool {
        let isKept = state.withLock { state in
            guard !state.hasEnded else { return false }
            if !state.tasks.contains(where: { $0 === task }) { state.tasks.append(task) }
            return true
        }
        if !isKept { URLSessionTask.stop([task], startedAt: start) }
        return isKept
    }

    /// Keeps a timer, to cancel it when the load ends; `false` if the load has ended already.
    func keep(_ timer: any DispatchSourceTimer) -> Bool {
        state.withLock { state in
            if !state.hasEnded { state.timer = timer }
            return !state.hasEnded
        }
    }

    /// Cancels the tasks that were redirected. Call this before the next request's task is kept.
    func stopRedirectedTasks() {
        let tasks = state.withLock { state in
            defer { state.tasks = [] }
            return state.tasks
        }
        URLSessionTask.stop(tasks, startedAt: start)
    }

    /// The oldest task that the load keeps. On Linux, the session's delegate is called with this
    /// task. After a redirect it is still the first one, except for a stream, which keeps only the
    /// newest.
    var firstTask: URLSessionTask? { state.withLock { $0.tasks.first } }

    var redirection: Redirection { state.withLock { $0.redirection } }

    func recordRedirect(to request: URLRequest) {
        state.withLock { $0.redirection.follow(request) }
    }

    @Sendable func complete(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
        let completed = state.withLock { state in
            // If there are several tasks, the completed one was redirected, and then cancelled.
            if state.tasks.count == 1 { state.tasks = [] }
            return state.isShared || state.hasEnded ? state.current : nil
        }
        finish(result(data, response, error))
        completed?.makeCancelHarmless()
    }

    func result(
        _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
    ) -> Result<(Data, HTTPURLResponse), any Error> {
        let data = data ?? Data()
        return Result { (data, try checked(response, count: data.count, error)) }
    }

    func checked(
        _ response: URLResponse?, count: Int, _ error: (any Error)?
    ) throws -> HTTPURLResponse {
        let redirection = self.redirection
        if error != nil && policy.leavesNoTime { throw timeoutError }
        if let error { throw (error as? URLError)?.corrected(at: redirection.request.url) ?? error }
        guard let response = response as? HTTPURLResponse
        else { throw URLError(.badServerResponse, at: response?.url) }
        guard count <= bodyLimit
        else { throw URLError(.dataLengthExceedsMaximum, at: response.url) }
        guard redirection.request.httpMethod == "HEAD" || !response.contradictsLength(count)
        else { throw URLError(.cannotParseResponse, at: response.url) }
        // If a platform can't read a `Location`, it returns the 3xx. Then throw the error.
        if case .fail(let error) = redirection.step(after: response) { throw error }
        return response
    }

    /// The most bytes of the body. Until a stream's head is final, as that of a 401 is at the
    /// body's end, nobody reads the body; so the limit is that of an error response.
    var bodyLimit: Int {
        guard let buffer else { return policy.wholeBodyLimit }
        return buffer.hasFinalHead ? policy.bodyLimit ?? .max : policy.partLimit
    }
}
