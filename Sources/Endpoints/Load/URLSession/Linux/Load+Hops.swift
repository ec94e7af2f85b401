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
    extension Load {
        func follow(
            _ request: URLRequest, _: @escaping @Sendable (URLRequest?) -> Void
        ) {
            let task: URLSessionDataTask
            if buffer == nil {
                task = hop(request)
                setCurrent(nil)
            } else {
                task = streamTask(for: request)
                setCurrent(task)
                // A stream may last for hours, and the redirected task would wait for its end.
                stopRedirectedTasks()
            }
            if keep(task) { task.resume() }
        }

        private func hop(_ request: URLRequest) -> URLSessionDataTask {
            let copy = sessionForTask
            let task = copy.dataTask(
                with: request.withFiniteTimeout.withoutFormType(session)
            ) { [self] data, response, error in
                report(result(data, response, error))
                copy.endTask()
            }
            task.delegate = self
            return task
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
#endif
