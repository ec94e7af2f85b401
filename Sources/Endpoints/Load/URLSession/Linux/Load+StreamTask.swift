#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Loads each stream with a session of its own, a copy of the caller's.
    ///
    /// Only a session's delegate gets the data as it arrives; a task's delegate doesn't (Swift
    /// 6.3.1). When both do, as on Apple platforms, this file can go.
    extension Load {
        func streamTask(
            for request: URLRequest, into buffer: ResponseBuffer
        ) -> URLSessionDataTask {
            let copy = URLSession(
                configuration: configuration(), delegate: StreamDelegate(self, into: buffer),
                delegateQueue: InlineQueue())
            let task = copy.dataTask(with: request.withFiniteTimeout.withoutFormType(session))
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

        /// Does work on the delegate queue of the caller's session. On that queue, unlike on the
        /// ``InlineQueue``, work can wait for `URLSession` without a deadlock. The delegate of the
        /// caller's session expects to be called there.
        func leaveQueue(_ work: @escaping @Sendable () -> Void) {
            load.session.delegateQueue.addOperation(work)
        }
    }
#endif
