#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Each response that is read while it arrives has a session of its own, a copy of the
    /// caller's.
    ///
    /// The delegate of a task is not given its data (Swift 6.3.1): only the delegate of a session
    /// is. When a task's delegate gets all that Apple platforms give it, this file can go.
    extension Load {
        /// A task whose response goes where it is read while it arrives.
        func streamTask(
            for request: URLRequest, into incoming: IncomingResponse
        ) -> URLSessionDataTask {
            let copy = URLSession(
                configuration: configuration(), delegate: StreamDelegate(self, into: incoming),
                delegateQueue: InlineQueue())
            let task = copy.dataTask(with: request.withFiniteTimeout.withoutFormType(session))
            // It lives as long as its task does.
            copy.finishTasksAndInvalidate()
            return task
        }
    }

    extension StreamDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            leaveQueue { [load] in
                load.urlSession(
                    session, task: task, didReceive: challenge,
                    completionHandler: completionHandler)
            }
        }

        /// Does work that may wait for `URLSession`, and may call the delegate of the caller's
        /// session, on that session's queue.
        func leaveQueue(_ work: @escaping @Sendable () -> Void) {
            load.session.delegateQueue.addOperation(work)
        }
    }
#endif
