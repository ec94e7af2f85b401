// On Apple platforms a challenge goes to the session's delegate by itself, and a 401 that nobody
// has a credential for is the answer.
#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension Load {
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            keep(task)
            askDelegate(about: challenge) { [self] disposition, credential in
                switch disposition {
                case .rejectProtectionSpace:
                    finishUnauthorized(challenge)
                case .performDefaultHandling where challenge.proposedCredential == nil:
                    completionHandler(disposition, nil)
                    finishUnauthorized(challenge)
                default:
                    completionHandler(disposition, credential)
                }
            }
        }

        private func askDelegate(
            about challenge: URLAuthenticationChallenge,
            _ completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard let delegate = session.delegate as? any URLSessionTaskDelegate,
                let first = state.withLock({ $0.tasks.first })
            else { return completionHandler(.performDefaultHandling, nil) }
            delegate.urlSession(
                session, task: first, didReceive: challenge, completionHandler: completionHandler)
        }

        /// Makes the 401 the answer, without its body, where `URLSession` never would: up to Swift
        /// 6.3.1 a Basic challenge that has no credential leaves the task hanging.
        ///
        /// Behind what is queued, so that a `URLSession` which does answer comes first.
        private func finishUnauthorized(_ challenge: URLAuthenticationChallenge) {
            guard let response = challenge.failureResponse as? HTTPURLResponse else { return }
            session.delegateQueue.addOperation { [self] in
                finish(.success((Data(), response)))
            }
        }
    }
#endif
