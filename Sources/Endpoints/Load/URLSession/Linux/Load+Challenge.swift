#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Passes challenges, which ask for a credential, to the session's delegate. Ends the load if a
    /// challenge gets no credential.
    ///
    /// On Apple platforms `URLSession` asks the session's delegate itself, and returns the 401 if
    /// there is no credential. When it does both on Linux, this file can go.
    extension Load {
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            leaveQueue(of: session) { [self] in answer(challenge, of: task, completionHandler) }
        }

        private func answer(
            _ challenge: URLAuthenticationChallenge, of task: URLSessionTask,
            _ completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            keep(task)
            askDelegate(about: challenge) { [self] disposition, credential in
                switch disposition {
                case .rejectProtectionSpace:
                    finishUnauthorized(challenge)
                case .useCredential where credential == nil:
                    // `URLSession` would end the process for a missing credential (Swift 6.3.1).
                    finishUnauthorized(challenge)
                case .performDefaultHandling where challenge.proposedCredential == nil:
                    completionHandler(disposition, nil)
                    finishUnauthorized(challenge)
                default:
                    URLSessionTask.challenges.withLock {
                        completionHandler(disposition, credential)
                    }
                }
            }
        }

        private func askDelegate(
            about challenge: URLAuthenticationChallenge,
            _ completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard let delegate = session.delegate as? any URLSessionTaskDelegate,
                let first = firstTask
            else { return completionHandler(.performDefaultHandling, nil) }
            delegate.urlSession(
                session, task: first, didReceive: challenge, completionHandler: completionHandler)
        }

        /// Ends the load with the 401 response, but without a body. `URLSession` never completes
        /// the task after a Basic challenge that gets no credential (Swift 6.3.1).
        ///
        /// The load ends on the delegate queue. If the task's completion is in that queue already,
        /// it runs first.
        private func finishUnauthorized(_ challenge: URLAuthenticationChallenge) {
            guard let response = challenge.failureResponse as? HTTPURLResponse else { return }
            session.delegateQueue.addOperation { [self] in
                finish(.success((Data(), response)))
            }
        }
    }
#endif
