#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// A copy of a caller's session, whose tasks load streams and follow redirects.
    ///
    /// A stream needs it because only a session's delegate gets the data as it arrives; a task's
    /// delegate doesn't. A redirect needs it because the caller may have invalidated its session,
    /// which would then end the process when asked for a task (Swift 6.3.1). When neither is so,
    /// this file can go.
    ///
    /// All loads of the caller's session share one copy, so that they use its connections again.
    /// The copy ends when it has had no task for ten seconds, or for a second if the caller's
    /// session is gone.
    ///
    /// The class is `@unchecked` because its variables are used only within the lock of `copies`.
    final class SessionCopy: URLSession, @unchecked Sendable {
        private static let copies = Locked<[ObjectIdentifier: SessionCopy]>([:])
        private static let forwarding = Forwarding()

        private let isOriginalGone: @Sendable () -> Bool
        private var taskCount = 1
        private var idleSeconds = 0
        private var isWatched = false

        /// The copy that the loads of a session share. Call `endTask()` when its task has ended.
        static func shared(by original: URLSession) -> SessionCopy {
            copies.withLock { copies in
                let key = ObjectIdentifier(original)
                if let copy = copies[key], !copy.isOriginalGone() {
                    copy.taskCount += 1
                    return copy
                }
                let configuration = original.configuration
                let copy = SessionCopy(
                    configuration, headers: configuration.httpAdditionalHeaders, of: original)
                copies[key] = copy
                return copy
            }
        }

        /// - Parameter original: The session that shares the copy; `nil` if the copy is for one
        ///   task.
        init(
            _ configuration: URLSessionConfiguration, headers: [AnyHashable: Any]?,
            of original: URLSession?
        ) {
            isOriginalGone = { [weak original] in original == nil }
            let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
            configuration.httpAdditionalHeaders = headers
            // No cache, because a `cancel()` while a task reads the cache can end the process.
            configuration.urlCache = nil
            // An open stream has its connection for itself, and others must not wait for it.
            configuration.httpMaximumConnectionsPerHost = 1 << 16
            super.init(
                configuration: configuration, delegate: Self.forwarding,
                delegateQueue: InlineQueue())
        }

        /// Counts a task as ended. Without tasks, the copy waits for its end.
        func endTask() {
            Self.copies.withLock { _ in
                taskCount -= 1
                idleSeconds = 0
                guard taskCount == 0, !isWatched else { return }
                isWatched = true
                watch()
            }
        }

        private func watch() {
            DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [self] in
                let isUnused = isOriginalGone()
                Self.copies.withLock { copies in
                    isWatched = taskCount == 0
                    guard isWatched else { return }
                    idleSeconds += 1
                    guard isUnused || idleSeconds == 10 else { return watch() }
                    copies = copies.filter { $0.value !== self }
                    finishTasksAndInvalidate()
                }
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
                (session as? SessionCopy)?.endTask()
            }
        }
    }

    extension SessionLoad {
        /// The session that makes the task of a stream or a redirect.
        ///
        /// A session sends its `httpAdditionalHeaders` to every origin. So after a redirect to
        /// another origin, a copy without the sensitive ones makes the task, and isn't shared.
        var sessionForTask: SessionCopy {
            let redirection = self.redirection
            let configuration = session.configuration
            let headers = configuration.httpAdditionalHeaders ?? [:]
            let kept = headers.filter { !redirection.isSensitive("\($0.key)") }
            guard redirection.hasLeftOrigin, kept.count < headers.count
            else { return .shared(by: session) }
            return SessionCopy(configuration, headers: kept, of: nil)
        }

        /// Does work on the delegate queue of the caller's session, if a task of a ``SessionCopy``
        /// calls its delegate. On that queue, unlike on the ``InlineQueue``, work can wait for
        /// `URLSession` without a deadlock. The delegate of the caller's session expects to be
        /// called there.
        func leaveQueue(of session: URLSession, _ work: @escaping @Sendable () -> Void) {
            guard session is SessionCopy else { return work() }
            self.session.delegateQueue.addOperation(work)
        }
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
