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
        let load = SessionLoad(request, by: self)
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
        let policy = try request.checkedPolicy(in: environment)
        let sent = TransportRequest(urlRequest, policy: policy, requestType: Request.self)
        return SessionLoad(of: urlRequest, by: self, under: policy).task {
            completion(Request.result(of: $0, of: sent))
        }
    }
}

/// One load by a `URLSession`: its first request, the redirects, and the one result.
///
/// The load is the delegate of its tasks, which keep it alive; once it is started, so does its
/// alarm. The load keeps the tasks that it has to cancel when it ends; see ``hasStarted``.
final class SessionLoad: NSObject, URLSessionTaskDelegate {
    typealias Completion = @Sendable (Result<(Data, HTTPURLResponse), any Error>) -> Void

    private struct State {
        var completion: Completion?
        var hasEnded = false
        /// Whether the caller has the first task, and so can cancel it at any time.
        var isShared = false
        /// The caller's task, or the one that follows it at a redirect. It is weak, as the caller
        /// may drop it. The other tasks aren't: a weak reference makes each retain slower.
        weak var shared: URLSessionTask?
        var redirection: Redirection
        /// The tasks to cancel when the load ends, in the order in which they were made.
        var tasks: [URLSessionTask] = []
        /// The task whose completion ends the load. Its identifier isn't used again: while it is
        /// the current one, the task is kept, or the load makes no other.
        var current: ObjectIdentifier?
        /// What has arrived of a response that is loaded whole.
        var httpResponse: HTTPURLResponse?
        var body = Data()
        var isTooLong = false
        var alarm: Alarm?
        /// When the newest task was made. For a stream, which uses no cache, it is long ago.
        var start: DispatchTime

        mutating func end() {
            hasEnded = true
            completion = nil
            alarm = nil
            tasks = []
            current = nil
            shared = nil
            body = Data()
        }
    }

    /// The caller's session. Its delegate is asked at each challenge, at each allowed redirect, and
    /// for a new body stream.
    let session: URLSession
    let policy: LoadPolicy
    let request: URLRequest
    /// Passes a stream's response to its reader; `nil` if the response is loaded whole.
    let buffer: ResponseBuffer?
    let onStep: (@Sendable (TransportStep) -> Void)?
    private let state: Locked<State>

    init(
        of request: URLRequest, by session: URLSession, under policy: LoadPolicy,
        hasLeftOrigin: Bool = false, notingIn memory: RequestMemory? = nil,
        into buffer: ResponseBuffer? = nil, onStep: (@Sendable (TransportStep) -> Void)? = nil
    ) {
        self.session = session
        self.policy = policy
        self.request = request
        self.buffer = buffer
        self.onStep = onStep
        // On Linux, in the first half second after `start`, `stop(_:startedAt:then:)` waits for the
        // task's read of the cache. A stream uses no cache there, so its `start` is long ago.
        let start = buffer == nil ? .now() : DispatchTime(uptimeNanoseconds: 1)
        state = Locked(
            State(
                redirection: Redirection(
                    of: request, under: policy, hasLeftOrigin: hasLeftOrigin, notingIn: memory),
                start: start))
    }

    convenience init(
        _ request: TransportRequest, by session: URLSession, into buffer: ResponseBuffer? = nil
    ) {
        self.init(
            of: request.urlRequest, by: session, under: request.policy,
            hasLeftOrigin: request.leavesOrigin, notingIn: request.memory, into: buffer,
            onStep: request.onStep)
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
        limitTime(of: task)
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
        let request: URLRequest
        do throws(FileError) { request = try withStream(self.request) } catch {
            return report(.failure(error))
        }
        // Before the task is made, as that may have to wait.
        limitTime(of: nil)
        onStep?(.sent(self.request))
        Self.callSession { [self] in
            guard !hasEnded else { return }
            let task = makeTask(of: request)
            if keep(task) { task.resume() }
        }
    }

    /// Makes a task, whose completion ends the load.
    func makeTask(of request: URLRequest) -> URLSessionDataTask {
        let session = session(for: request)
        let task = session.dataTask(with: taskRequest(request))
        task.delegate = self
        state.withLock { state in
            state.current = ObjectIdentifier(task)
            if state.isShared { state.shared = task }
            if buffer == nil { state.start = .now() }
        }
        session.add(task, of: self)
        return task
    }

    func cancel() {
        finish(.failure(URLError(.cancelled)))
    }

    /// Ends the load; only the first call has an effect.
    ///
    /// A `Task` that awaits a failed load gets the error when the load's tasks have ended too, but
    /// at most half a second later. A redirected task, which a load that succeeds leaves behind,
    /// transfers nothing.
    func finish(_ result: Result<(Data, HTTPURLResponse), any Error>) {
        let (completion, tasks, alarm, isShared, start) = state.withLock { state in
            defer { state.end() }
            // The load doesn't keep the task of an `endpointTask`, but it may fail before that.
            var tasks = state.tasks
            if let task = state.shared, !tasks.contains(where: { $0 === task }) {
                tasks.append(task)
            }
            return (state.completion, tasks, state.alarm, state.isShared, state.start)
        }
        alarm?.cancel()
        let hasFailed = if case .failure = result { true } else { false }
        guard hasFailed, !isShared, !tasks.isEmpty else {
            completion?(result)
            if !tasks.isEmpty { URLSessionTask.stop(tasks, startedAt: start) }
            return
        }
        URLSessionTask.stop(tasks, startedAt: start) { completion?(result) }
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
        if !isKept { URLSessionTask.stop([task], startedAt: state.withLock(\.start)) }
        return isKept
    }

    /// Keeps an alarm, to cancel it when the load ends. If the load has ended already, cancels it.
    func keep(_ alarm: Alarm) {
        let isKept = state.withLock { state in
            if !state.hasEnded { state.alarm = alarm }
            return !state.hasEnded
        }
        if !isKept { alarm.cancel() }
    }

    /// Cancels the tasks that were redirected. Call this before the next request's task is kept.
    func stopRedirectedTasks() {
        let (tasks, start) = state.withLock { state in
            defer { state.tasks = [] }
            return (state.tasks, state.start)
        }
        URLSessionTask.stop(tasks, startedAt: start)
    }

    /// The oldest task that the load keeps. On Linux, the session's delegate is called with this
    /// task. After a redirect it is still the first one, except for a stream, which keeps only the
    /// newest.
    var firstTask: URLSessionTask? { state.withLock { $0.tasks.first } }

    var redirection: Redirection { state.withLock { $0.redirection } }

    /// Without a copy of the whole `redirection`.
    var hasLeftOrigin: Bool { state.withLock(\.redirection.hasLeftOrigin) }

    func recordRedirect(to request: URLRequest) {
        state.withLock { $0.redirection.follow(request) }
        onStep?(.redirected(to: request))
        onStep?(.sent(request))
    }

    /// What has arrived of the body of a response that is loaded whole.
    var body: Data { state.withLock(\.body) }

    /// Takes a head that has arrived. It replaces an earlier head and the body after that head.
    func begin(_ httpResponse: HTTPURLResponse) {
        state.withLock { state in
            state.httpResponse = httpResponse
            state.body = Data()
        }
    }

    /// Takes a chunk of the body of a response that is loaded whole. Returns `false` if the body is
    /// longer than its limit.
    func append(_ chunk: Data) -> Bool {
        state.withLock { state in
            guard !state.hasEnded, !state.isTooLong else { return true }
            state.isTooLong = state.body.count + chunk.count > bodyLimit
            guard !state.isTooLong else { return false }
            // Most bodies are one chunk, which isn't copied.
            if state.body.isEmpty { state.body = chunk } else { state.body.append(chunk) }
            return true
        }
    }

    /// Ends the load when its task has completed. A task that was redirected doesn't count, unless
    /// the library's caller has it, and has cancelled it.
    func complete(_ task: URLSessionTask, _ error: (any Error)?) {
        let (isCounted, arrived) = state.withLock { state in
            let isFirst = state.isShared && error != nil && state.tasks.first === task
            let isCurrent = state.current == ObjectIdentifier(task)
            let isCounted = isCurrent || isFirst
            // A completed task needs no `cancel()`.
            if isCounted { state.tasks.removeAll { $0 === task } }
            if isCurrent { (state.current, state.shared) = (nil, nil) }
            return (isCounted, (state.httpResponse, state.body))
        }
        guard isCounted else { return }
        var (httpResponse, count) = buffer?.progress ?? (arrived.0, arrived.1.count)
        var body = arrived.1
        // A 3xx that the platform can't follow comes without a call of the delegate.
        if let last = task.response as? HTTPURLResponse, (300..<400).contains(last.statusCode),
            last.statusCode != httpResponse?.statusCode
        {
            (httpResponse, count, body) = (last, 0, Data())
        }
        report(
            Result { (body, try checked(httpResponse ?? task.response, count: count, error)) })
    }

    func checked(
        _ response: URLResponse?, count: Int, _ error: (any Error)?
    ) throws -> HTTPURLResponse {
        if error != nil && policy.leavesNoTime { throw timeoutError }
        if let error {
            let coding = (response as? HTTPURLResponse)?.value(
                forHTTPHeaderField: "Content-Encoding")
            let known = (error as? URLError)?.corrected(
                at: redirection.request.url, isCoded: coding != nil)
            throw known?.naming(codingOf: response) ?? error
        }
        guard let response = response as? HTTPURLResponse
        else { throw URLError(.badServerResponse, at: response?.url) }
        guard count <= bodyLimit
        else { throw URLError.isLonger(than: bodyLimit, at: response.url) }
        guard !response.contradictsLength(count) || redirection.request.httpMethod == "HEAD"
        else { throw URLError(.cannotParseResponse, at: response.url) }
        // If a platform can't read a `Location`, it returns the 3xx. Then throw the error.
        if (300..<400).contains(response.statusCode),
            case .fail(let error) = redirection.step(after: response)
        {
            throw error
        }
        return response
    }

    /// The most bytes of the body. Until a stream's head is final, as that of a 401 is at the
    /// body's end, nobody reads the body; so the limit is that of an error response.
    var bodyLimit: Int {
        guard let buffer else { return policy.wholeBodyLimit }
        return buffer.hasFinalHead ? policy.bodyLimit ?? .max : policy.partLimit
    }
}

/// Takes what arrives of a response: for its reader, or until it is whole.
///
/// On Linux, these methods must not wait for `URLSession`: that would be a deadlock (see
/// `InlineQueue`).
extension SessionLoad: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let httpResponse = response as? HTTPURLResponse {
            let status = httpResponse.statusCode
            // After a 1xx, a 3xx or a 401, another response of the same task may follow.
            let isFinal = status >= 200 && !(300..<400).contains(status) && status != 401
            if status >= 200 { onStep?(.responded(httpResponse)) }
            if let buffer {
                buffer.begin(httpResponse, isFinal: isFinal)
            } else {
                begin(httpResponse)
            }
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        do {
            guard try buffer == nil ? append(data) : pass(data)
            else { throw URLError.isLonger(than: bodyLimit, at: dataTask.response?.url) }
        } catch {
            report(.failure(error))
        }
        buffer?.holdBack(dataTask)
    }

    /// Passes a chunk of the body to the stream's reader. Returns `false` if the body is longer
    /// than its limit.
    private func pass(_ chunk: Data) throws -> Bool {
        guard let buffer, !hasEnded else { return true }
        guard buffer.progress.count + chunk.count <= bodyLimit else { return false }
        try buffer.append(chunk)
        return true
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        complete(task, error)
    }
}

extension SessionLoad {
    /// Ends the load after the shorter of two times: the policy's time limit and the session's
    /// `timeoutIntervalForResource`, which `URLSession` on Linux ignores.
    ///
    /// The task of an `endpointTask` is suspended until the caller resumes it, and the caller may
    /// suspend it again. While it is suspended, the load doesn't time out, unless the task has been
    /// redirected or, on Linux, challenged. (On Linux, `URLSession` itself suspends a task while it
    /// asks for a credential.)
    ///
    /// - Parameter task: The task of an `endpointTask`; `nil` for a load that resumes its own task.
    func limitTime(of task: URLSessionTask?) {
        guard let seconds = timeLimit else { return }
        guard let task else {
            // Strong, as each load that was started ends, and then cancels the alarm.
            return keep(Alarm(after: seconds) { [self] in report(.failure(timeoutError)) })
        }
        limitTime(of: task, TimeLimit(seconds), after: seconds)
    }

    private func limitTime(of task: URLSessionTask, _ limit: TimeLimit, after seconds: TimeInterval)
    {
        keep(
            Alarm(after: seconds) { [weak self, weak task] in
                guard let self else { return }
                var limit = limit
                if limit.isOver(isWaiting: !hasStarted && task?.state == .suspended) {
                    if let task { keep(task) }
                    report(.failure(timeoutError))
                } else if let task {
                    limitTime(of: task, limit, after: limit.interval)
                }
            })
    }

    /// The shorter of the policy's and the session's limit, in seconds; `nil` if neither has one. A
    /// limit longer than ``longestTime`` counts as none.
    private var timeLimit: TimeInterval? {
        // A session's 0 means no limit. With a policy's 0 nothing is sent, so no alarm is needed.
        let own = policy.timeLimit ?? .infinity
        let resource = session.configuration.timeoutIntervalForResource
        let limit = min(own > 0 ? own : .infinity, resource > 0 ? resource : .infinity)
        return limit <= Self.longestTime ? limit : nil
    }

    var timeoutError: URLError { URLError(.timedOut, at: request.url) }

    /// About 30 years, in seconds. A longer time isn't used, because the number of its nanoseconds
    /// may be too large for the functions that wait.
    static let longestTime: TimeInterval = 1e9
}

extension LoadPolicy {
    var leavesNoTime: Bool { timeLimit.map { !($0 > 0) } ?? false }
}

/// Decides, each time that the alarm of a load rings, whether the load's time is over.
struct TimeLimit {
    /// The seconds until the alarm rings again: at least 0.1, so that one with a tiny limit doesn't
    /// keep a processor busy.
    let interval: TimeInterval
    private var wasWaiting = false

    init(_ seconds: TimeInterval) {
        interval = max(seconds, 0.1)
    }

    /// Whether the time is over. It is not over if the task is waiting for its caller to resume it,
    /// or was waiting at the previous call.
    mutating func isOver(isWaiting: Bool) -> Bool {
        defer { wasWaiting = isWaiting }
        return !isWaiting && !wasWaiting
    }
}

extension SessionLoad {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest proposed: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        leaveQueue { [self] in
            redirect(task, after: response, proposed, completionHandler)
        }
    }

    private func redirect(
        _ task: URLSessionTask, after response: HTTPURLResponse, _ proposed: URLRequest,
        _ completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        keep(task)
        onStep?(.responded(response))
        let step = redirection.step(after: response, proposed: proposed.url)
        guard case .follow(let request) = step else {
            return take(step, after: response, completionHandler)
        }
        // The session's own delegate may change this request, or refuse the redirect with `nil`.
        askDelegate(about: response, task, request) { [self] request in
            let request = request.map(redirection.withoutOldSecrets)
            if let refusal = request?.refusalBesidesURL {
                return report(.failure(refusal.atRedirect))
            }
            let step = request.map(redirection.step(to:)) ?? .useResponse
            take(step, after: response, completionHandler)
        }
    }

    private func take(
        _ step: Redirection.Step, after response: HTTPURLResponse,
        _ completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        switch step {
        case .follow(let request):
            recordRedirect(to: request)
            do throws(FileError) { follow(try withStream(request), completionHandler) } catch {
                report(.failure(error))
            }
        case .useResponse:
            use(response, completionHandler)
        case .fail(let error):
            report(.failure(error))
        }
    }
}

extension FieldError {
    fileprivate var atRedirect: EndpointError {
        EndpointError(
            requestType: "URLSessionTaskDelegate", field: field,
            reason: "(set by the session's delegate at a redirect) \(reason)", cause: cause)
    }
}

extension SessionLoad {
    /// A request as a task sends it: an upload becomes a new body stream with a `Content-Length`,
    /// and an empty upload becomes no body.
    func withStream(_ request: URLRequest) throws(FileError) -> URLRequest {
        guard request.httpBodyStream != nil, let upload = request.upload else { return request }
        let measured = try upload.measured()
        var request = request
        guard measured.contentLength > 0 else {
            request.httpBodyStream = nil
            return request
        }
        request.httpBodyStream = stream(of: measured)
        request.setValue("\(measured.contentLength)", forHTTPHeaderField: "Content-Length")
        request.dropChunkedFraming()
        return request
    }

    /// Makes a new stream of an upload. For a body stream that isn't an upload, asks the session's
    /// delegate. If the request must not be sent again, ends the load.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        let request = redirection.request
        guard mayResend(request) else {
            report(.failure(URLError(.networkConnectionLost, at: request.url)))
            return completionHandler(nil)
        }
        guard let upload = request.upload else {
            guard request.httpBodyStream != nil else { return completionHandler(nil) }
            return askDelegate(forBodyOf: task, completionHandler)
        }
        do throws(FileError) {
            completionHandler(stream(of: try upload.measured()))
        } catch {
            report(.failure(error))
            completionHandler(nil)
        }
    }

    /// The load fails if a file can't be read, if a file's length changes, or if `Upload.observe`
    /// throws.
    private func stream(of upload: MeasuredUpload) -> UploadStream {
        UploadStream(upload) { [weak self] in self?.report(.failure($0)) }
    }
}

extension URLRequest {
    /// Whether the request has a `Cookie` header, which is sent instead of the session's cookies.
    var hasCookies: Bool { value(forHTTPHeaderField: "Cookie") != nil }

    package var canBeSentAgain: Bool { httpBodyStream == nil || upload != nil }
}

extension HTTPURLResponse {
    /// Whether the `Content-Length` contradicts `count`, the body's length (RFC 9112 6.3).
    ///
    ///     Content-Length: 5, 12      a body of 12 bytes  ->  true
    ///     Content-Length: 12, 12     a body of 12 bytes  ->  false
    ///     Content-Length: 0x0c       any body            ->  true
    ///
    /// The result is `false` without a `Content-Length`, for a chunked or compressed body, and for
    /// 1xx, 204, 205 and 3xx, which may have a length and no body. Don't call this for the response
    /// to a HEAD.
    func contradictsLength(_ count: Int) -> Bool {
        // Most servers send the one number, which needs no reading.
        guard let text = value(forHTTPHeaderField: "Content-Length"), text != String(count),
            (200..<300).contains(statusCode) || statusCode >= 400,
            ![204, 205].contains(statusCode),
            value(forHTTPHeaderField: "Transfer-Encoding") == nil,
            value(forHTTPHeaderField: "Content-Encoding") == nil
        else { return false }
        return text.split(at: .comma, outsideQuotes: false).contains {
            $0.wholeNumber != Int64(count)
        }
    }
}
