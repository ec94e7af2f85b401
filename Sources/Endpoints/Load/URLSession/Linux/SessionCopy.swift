#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// A copy of a caller's session, whose tasks do the loads.
    ///
    /// It is needed because only a session's delegate gets the data as it arrives; a task's
    /// delegate doesn't. So a body is counted while it arrives, and the end of a load doesn't wait
    /// for the session's delegate queue. And if the caller has invalidated its session, that would
    /// end the process when asked for a task (Swift 6.3.1). When none of these is so, this file can
    /// go.
    ///
    /// All loads of the caller's session share one copy, so that they use its connections again;
    /// streams have another, and so have requests with cookies of their own. A copy ends when it
    /// has had no task for two minutes, which is as long as libcurl keeps an unused connection. If
    /// the caller's session is gone, it ends within ten seconds.
    ///
    /// The class is `@unchecked` because its variables are used only within the lock of `copies`.
    final class SessionCopy: URLSession, @unchecked Sendable {
        private struct Key: Hashable {
            let original: ObjectIdentifier
            let use: Use
        }

        /// The requests that a copy is for.
        struct Use: Hashable {
            let isForStreams: Bool
            /// `URLSession` ignores the request's `httpShouldHandleCookies` (Swift 6.3.1).
            let handlesCookies: Bool
            /// Whether the requests have a `Cookie` header, which `URLSession` would replace by
            /// the cookies in the session's storage (Swift 6.3.1).
            let hasCookies: Bool
        }

        private static let copies = Locked<[Key: SessionCopy]>([:])
        private static let forwarding = Forwarding()

        /// A load, which its task keeps.
        private struct Weak {
            weak var load: SessionLoad?
        }

        private let isOriginalGone: @Sendable () -> Bool
        private var taskCount = 1
        private var loads: [ObjectIdentifier: Weak] = [:]
        private var idleSeconds = 0
        private var isWatched = false
        private var sentinel: Sentinel?

        /// The copy that the loads of a session share. Call `add(_:of:)` when its task is made.
        static func shared(by original: URLSession, for use: Use) -> SessionCopy {
            copies.withLock { copies in
                let key = Key(original: ObjectIdentifier(original), use: use)
                if let copy = copies[key], !copy.isOriginalGone() {
                    copy.taskCount += 1
                    return copy
                }
                let configuration = original.configuration
                let copy = SessionCopy(
                    configuration, headers: configuration.httpAdditionalHeaders, of: original,
                    for: use)
                copies[key] = copy
                return copy
            }
        }

        /// Takes a task that is made, which counts until it has ended, and has the caller's session
        /// watched.
        func add(_ task: URLSessionTask, of load: SessionLoad) {
            let new = Self.copies.withLock { _ in
                loads[ObjectIdentifier(task)] = Weak(load: load)
                guard sentinel == nil else { return nil as Sentinel? }
                sentinel = Sentinel()
                return sentinel
            }
            // Not within the lock, as that may have to wait.
            new?.watch(load.session) { [weak self] in self?.cancelLoads() }
        }

        /// - Parameter original: The session that shares the copy; `nil` if the copy is for one
        ///   task.
        init(
            _ configuration: URLSessionConfiguration, headers: [AnyHashable: Any]?,
            of original: URLSession?, for use: Use
        ) {
            isOriginalGone = { [weak original] in original == nil }
            let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
            configuration.httpAdditionalHeaders = headers
            if use.hasCookies { configuration.httpShouldSetCookies = false }
            if !use.handlesCookies { configuration.httpCookieStorage = nil }
            if use.isForStreams {
                // No cache, because a `cancel()` while a task reads the cache can end the process.
                configuration.urlCache = nil
                // An open stream has its connection for itself, and others must not wait for it.
                configuration.httpMaximumConnectionsPerHost = 1 << 16
            }
            super.init(
                configuration: configuration, delegate: Self.forwarding,
                delegateQueue: InlineQueue())
        }

        /// Ends all loads, as the caller has cancelled all tasks of its session. A later load looks
        /// anew whether the session has been invalidated.
        private func cancelLoads() {
            let ended = Self.copies.withLock { _ in
                sentinel = nil
                return loads.values.compactMap(\.load)
            }
            for load in ended { load.report(.failure(URLError(.cancelled))) }
        }

        /// Counts a task as ended. Without tasks, the copy waits for its end.
        fileprivate func end(_ task: URLSessionTask) {
            Self.copies.withLock { _ in
                loads[ObjectIdentifier(task)] = nil
                taskCount -= 1
                idleSeconds = 0
                guard taskCount == 0, !isWatched else { return }
                isWatched = true
                watchUse()
            }
        }

        private func watchUse() {
            let seconds = idleSeconds < 10 ? 1 : 10
            DispatchQueue.global().asyncAfter(deadline: .now() + Double(seconds)) { [self] in
                let isUnused = isOriginalGone()
                let unneeded = Self.copies.withLock { copies in
                    isWatched = taskCount == 0
                    guard isWatched else { return nil as Sentinel? }
                    idleSeconds += seconds
                    if isUnused || idleSeconds >= 120 {
                        copies = copies.filter { $0.value !== self }
                        finishTasksAndInvalidate()
                    } else {
                        watchUse()
                    }
                    // It keeps the caller's session.
                    defer { sentinel = nil }
                    return sentinel
                }
                unneeded?.end()
            }
        }

        /// Says when the caller cancels all tasks of its session, as `invalidateAndCancel()` does:
        /// a task of the session that is never resumed then ends. A session that may have protocols
        /// of the caller's has none, because they would be asked to stop it.
        private final class Sentinel: Sendable {
            private let state = Locked<(task: URLSessionTask?, hasEnded: Bool)>((nil, false))

            func watch(
                _ session: URLSession, _ cancelled: @escaping @Sendable () -> Void
            ) {
                guard session !== URLSession.shared, let url = URL(string: "http://localhost"),
                    session.configuration.hasOnlyUsualProtocols
                else { return }
                guard !session.isInvalidated else { return cancelled() }
                let task = session.dataTask(with: url) { [self] _, _, _ in
                    if !state.withLock({ $0.hasEnded }) { cancelled() }
                }
                let hasEnded = state.withLock { state in
                    state.task = task
                    return state.hasEnded
                }
                if hasEnded { end() }
            }

            func end() {
                let task = state.withLock { state in
                    state.hasEnded = true
                    return state.task.take()
                }
                if let task { SessionLoad.callSession { task.cancel() } }
            }
        }

        /// Passes to a task's delegate what `URLSession` passes only to its own delegate.
        private final class Forwarding: NSObject, URLSessionDataDelegate {
            func urlSession(
                _ session: URLSession, dataTask: URLSessionDataTask,
                didReceive response: URLResponse,
                completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
            ) {
                (dataTask.delegate as? SessionLoad)?.urlSession(
                    session, dataTask: dataTask, didReceive: response,
                    completionHandler: completionHandler)
            }

            func urlSession(
                _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
            ) {
                (dataTask.delegate as? SessionLoad)?.urlSession(
                    session, dataTask: dataTask, didReceive: data)
            }

            func urlSession(
                _ session: URLSession, task: URLSessionTask,
                didCompleteWithError error: (any Error)?
            ) {
                (task.delegate as? SessionLoad)?.urlSession(
                    session, task: task, didCompleteWithError: error)
                (session as? SessionCopy)?.end(task)
            }
        }
    }

    extension URLSessionConfiguration {
        fileprivate var hasOnlyUsualProtocols: Bool {
            guard let classes = protocolClasses, !classes.isEmpty else { return false }
            return classes.allSatisfy {
                String(reflecting: $0).hasPrefix("FoundationNetworking.")
            }
        }
    }

    extension URLSession {
        /// Whether the session would end the process when asked for a task (Swift 6.3.1).
        fileprivate var isInvalidated: Bool {
            Mirror(reflecting: self).children.contains {
                $0.label == "invalidated" && $0.value as? Bool == true
            }
        }
    }

    extension SessionLoad {
        /// The session that makes the task of a request.
        ///
        /// A session sends its `httpAdditionalHeaders` to every origin. So after a redirect to
        /// another origin, a copy without the sensitive ones makes the task, and isn't shared.
        func session(for request: URLRequest) -> SessionCopy {
            let use = SessionCopy.Use(
                isForStreams: buffer != nil, handlesCookies: request.httpShouldHandleCookies,
                hasCookies: request.hasCookies)
            guard hasLeftOrigin else { return .shared(by: session, for: use) }
            let redirection = self.redirection
            let configuration = session.configuration
            let headers = configuration.httpAdditionalHeaders ?? [:]
            let kept = headers.filter { !redirection.isSensitive("\($0.key)") }
            guard kept.count < headers.count else { return .shared(by: session, for: use) }
            return SessionCopy(configuration, headers: kept, of: nil, for: use)
        }

        /// Does work on the delegate queue of the caller's session. There, unlike on the
        /// ``InlineQueue``, work can wait for `URLSession` without a deadlock. The delegate of the
        /// caller's session expects to be called there.
        func leaveQueue(_ work: @escaping @Sendable () -> Void) {
            session.delegateQueue.addOperation(work)
        }
    }

    extension SessionLoad {
        /// A request as a task gets it.
        func taskRequest(_ request: URLRequest) -> URLRequest {
            request.withFiniteTimeout.withoutFormType(session)
        }
    }

    extension URLRequest {
        /// This request, changed so that `URLSession` doesn't label its body as a form.
        ///
        /// `URLSession` adds the `Content-Type` of a form to a POST that has a body but no
        /// `Content-Type`, even if the session's configuration has one (Swift 6.3.1). So the
        /// result has the configuration's `Content-Type`. If there is none, the value is a space,
        /// and `URLSession` sends no `Content-Type`. When `URLSession` adds none to such a POST,
        /// this can go.
        func withoutFormType(_ session: URLSession) -> URLRequest {
            guard httpMethod == "POST", httpBody != nil || httpBodyStream != nil,
                value(forHTTPHeaderField: "Content-Type") == nil
            else { return self }
            var request = self
            request.setValue(session.contentType ?? " ", forHTTPHeaderField: "Content-Type")
            return request
        }
    }

    extension URLSession {
        fileprivate var contentType: String? {
            configuration.httpAdditionalHeaders?.first {
                Headers(name: "\($0.key)") == .contentType
            }
            .map { "\($0.value)" }
        }
    }

    extension URLRequest {
        /// This request with a timeout in whole seconds, up to about 30 years. With an infinite or
        /// huge timeout, `URLSession` ends the process, and it drops a fraction: 0.3 would be 0,
        /// which ends the load at once (Swift 6.3.1). When `URLSession` accepts such timeouts, this
        /// can go.
        var withFiniteTimeout: URLRequest {
            let seconds = timeoutInterval.rounded(.up)
            guard seconds != timeoutInterval || !(0...SessionLoad.longestTime ~= seconds) else {
                return self
            }
            var request = self
            request.timeoutInterval = seconds > 0 ? min(seconds, SessionLoad.longestTime) : 0
            return request
        }
    }

    extension SessionLoad {
        /// Makes calls of a `URLSession` or its tasks that wait for the internal queue of
        /// `URLSession`, such as `dataTask(with:)`, `resume()` and `cancel()`.
        ///
        /// All sessions of the process share that queue, and a server can keep it busy for many
        /// seconds: with 12,000 `Set-Cookie` headers, or with 2 KB of gzip in gzip (Swift 6.3.1).
        /// So only this queue may wait for it, and no thread that a `Task`, a time limit or a
        /// delegate needs. When such calls return at once, this can go.
        ///
        /// The queue is serial, so no task is cancelled while it gets a credential: `URLSession`
        /// suspends a task that gets a credential, and then resumes it, and a `cancel()` between
        /// the two can end the process ("NativeProtocol.swift: Fatal error", Swift 6.3.1). A
        /// caller's own `cancel()` isn't made here.
        static func callSession(_ calls: @escaping @Sendable () -> Void) {
            sessionCalls.async(execute: calls)
        }

        private static let sessionCalls = DispatchQueue(label: "Endpoints.SessionLoad.sessionCalls")
    }

    /// A delegate queue that runs its operations at once, so that none waits in it.
    ///
    /// `URLSession` adds an operation for each chunk of a body, without waiting for the previous
    /// operation. So an ordinary queue may hold a whole large body in memory (Swift 6.3.1). When a
    /// session limits how many operations wait for its delegate, this class can go.
    ///
    /// The operations run on the internal queue of `URLSession`, which all sessions of the process
    /// share. So they must be short. They must not call `cancel()` of a task: it waits for the
    /// internal queue, which would be a deadlock (Swift 6.3.1). Other threads may call `cancel()`,
    /// also while the task completes: the call waits until the delegate has returned. By then the
    /// task is marked as completed, so the call does nothing.
    ///
    /// The class is `@unchecked` because its superclass is. It adds no state.
    final class InlineQueue: OperationQueue, @unchecked Sendable {
        override func addOperation(_ work: @escaping @Sendable () -> Void) {
            work()
        }
    }
#endif
