#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Loads each stream with a session of its own, a copy of the caller's.
    ///
    /// Only the delegate of a session gets the data, and not that of a task (Swift 6.3.1). When a
    /// task's delegate gets them, as on Apple platforms, this file can go.
    extension Load {
        /// A task whose response goes to its reader as it arrives.
        func streamTask(
            for request: URLRequest, into incoming: IncomingResponse
        ) -> URLSessionDataTask {
            let copy = URLSession(
                configuration: configuration(), delegate: StreamDelegate(self, into: incoming),
                delegateQueue: InlineQueue())
            let task = copy.dataTask(with: request.withFiniteTimeout.withoutFormType(session))
            // The session lives as long as its task does.
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
