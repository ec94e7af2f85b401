#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Follows each redirect (a hop) with a new task. The redirected task, which is the old one,
    /// waits, and is cancelled when the load ends, or at once if the load is that of a stream.
    ///
    /// The completion handler that `URLSession` passes for a redirect is never called. If it were,
    /// a later `cancel()` or timeout would end the process, the body of the next request would not
    /// be sent, and the response to that request would have no body (Swift 6.3.1). When
    /// `URLSession` has none of these faults, this file can go, except `configuration()`, which
    /// every stream uses.
    extension Load {
        func follow(
            _ request: URLRequest, _: @escaping @Sendable (URLRequest?) -> Void
        ) {
            let task = buffer.map { streamTask(for: request, into: $0) } ?? hop(request)
            prepare(task)
            // A stream may last for hours, and the redirected task would wait for its end.
            if buffer != nil { stopRedirectedTasks() }
            if keep(task) { task.resume() }
        }

        private func hop(_ request: URLRequest) -> URLSessionDataTask {
            // The caller may have invalidated the session, which would then end the process when
            // asked for a task. So a copy of the session makes the task.
            let copy = URLSession(
                configuration: configuration(), delegate: nil, delegateQueue: session.delegateQueue)
            let task = copy.dataTask(
                with: request.withFiniteTimeout.withoutFormType(session),
                completionHandler: complete)
            copy.finishTasksAndInvalidate()
            return task
        }

        func use(
            _ response: HTTPURLResponse, _: @escaping @Sendable (URLRequest?) -> Void
        ) {
            report(.success((Data(), response)))
        }

        /// The configuration for a copy of the session. A session sends its `httpAdditionalHeaders`
        /// to every origin, so the copy has no sensitive ones after a redirect to another origin.
        func configuration() -> URLSessionConfiguration {
            let configuration = session.configuration
            // No cache, because a `cancel()` while a task reads the cache can end the process, and
            // `stop(startedAt:)` waits for the read only in the load's first half second.
            configuration.urlCache = nil
            let redirection = self.redirection
            guard redirection.hasLeftOrigin else { return configuration }
            configuration.httpAdditionalHeaders = configuration.httpAdditionalHeaders?.filter {
                !redirection.isSensitive("\($0.key)")
            }
            return configuration
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
#endif
