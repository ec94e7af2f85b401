#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Follows each redirect (a hop) with a new task. The redirected task, which is the old one,
    /// waits, and is cancelled when the load ends, or at once if the load is that of a stream.
    ///
    /// The completion handler that `URLSession` passes for a redirect is never called. If it were,
    /// a later `cancel()` or timeout would end the process, the body of the next request would not
    /// be sent, and the response to that request would have no body (Swift 6.3.1). When
    /// `URLSession` has none of these faults, this file can go.
    extension SessionLoad {
        func follow(
            _ request: URLRequest, _: @escaping @Sendable (URLRequest?) -> Void
        ) {
            Self.callSession { [self] in
                guard !hasEnded else { return }
                let task = makeTask(of: request)
                // A stream may last for hours, and the redirected task would wait for its end.
                if buffer != nil { stopRedirectedTasks() }
                if keep(task) { task.resume() }
            }
        }

        func use(
            _ response: HTTPURLResponse, _: @escaping @Sendable (URLRequest?) -> Void
        ) {
            report(.success((Data(), response)))
        }

        func askDelegate(
            about response: HTTPURLResponse, _ task: URLSessionTask, _ request: URLRequest,
            _ completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            guard let delegate = session.delegate as? any URLSessionTaskDelegate
            else { return completionHandler(request) }
            delegate.urlSession(
                session, task: firstTask ?? task, willPerformHTTPRedirection: response,
                newRequest: request, completionHandler: completionHandler)
        }
    }

    /// Passes challenges, which ask for a credential, to the session's delegate. Ends the load if a
    /// challenge gets no credential.
    ///
    /// On Apple platforms `URLSession` asks the session's delegate itself, and returns the 401 if
    /// there is no credential. When it does both on Linux, this file can go.
    extension SessionLoad {
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            leaveQueue { [self] in answer(challenge, of: task, completionHandler) }
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
                    Self.callSession { completionHandler(disposition, nil) }
                    finishUnauthorized(challenge)
                default:
                    Self.callSession { completionHandler(disposition, credential) }
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

        /// Ends the load with the 401 response, which has arrived. `URLSession` never completes the
        /// task after a Basic challenge that gets no credential (Swift 6.3.1).
        private func finishUnauthorized(_ challenge: URLAuthenticationChallenge) {
            guard let response = challenge.failureResponse as? HTTPURLResponse else { return }
            let body = self.body
            session.delegateQueue.addOperation { [self] in finish(.success((body, response))) }
        }
    }

    extension URLRequest {
        /// Makes `URLSession` send a body stream with its `Content-Length`, and not in chunks.
        ///
        /// `URLSession` adds `Transfer-Encoding: chunked` to a body stream even if there is a
        /// `Content-Length`. With both headers a server may take one request for two (RFC 9112,
        /// section 6.1). If the value of `Transfer-Encoding` is one space, the header isn't sent
        /// (Swift 6.3.1). When `URLSession` doesn't add this header, the function can go.
        mutating func dropChunkedFraming() {
            setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
        }
    }

    extension SessionLoad {
        /// Whether a request may be sent again on a new connection, when the server has closed a
        /// kept one without a response.
        ///
        /// libcurl does so with any method, even if the server has processed the request. And
        /// `URLSession` sends a body of `Data` only once: the server waits for the second one until
        /// the load times out (Swift 6.3.1). So only a body that is read while it is sent is sent
        /// again, and only as the policy's ``LoadPolicy/repetition`` allows.
        func mayResend(_ request: URLRequest) -> Bool {
            request.httpBody == nil && policy.mayRepeat(request)
        }

        /// Asks the session's delegate for a new stream of a body that isn't an ``Upload``.
        func askDelegate(
            forBodyOf task: URLSessionTask,
            _ completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) {
            guard let delegate = session.delegate as? any URLSessionTaskDelegate
            else { return completionHandler(nil) }
            delegate.urlSession(
                session, task: firstTask ?? task, needNewBodyStream: completionHandler)
        }
    }
#endif
