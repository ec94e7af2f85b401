import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Load {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest proposed: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        keep(task)
        let step = state.withLock { $0.redirection.step(after: response, proposed: proposed.url) }
        guard case .follow(let request) = step else {
            return take(step, after: response, completionHandler)
        }
        // The session's own delegate sees the corrected request and may change it or answer `nil`.
        askDelegate(about: response, task, request) { [self] request in
            let step = state.withLock { state in
                request.map(state.redirection.step(to:)) ?? .answer
            }
            take(step, after: response, completionHandler)
        }
    }

    private func take(
        _ step: Redirection.Step, after response: HTTPURLResponse,
        _ completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        switch step {
        case .follow(let request):
            state.withLock { $0.redirection.follow(request) }
            follow(request, completionHandler)
        case .answer:
            answer(with: response, completionHandler)
        case .fail(let error):
            finish(.failure(error))
        }
    }
}

#if canImport(FoundationNetworking)
    /// Each hop is a task of its own, and the redirected one stays parked until the load ends.
    ///
    /// The handler that `URLSession` passes here is never called: a task cancelled or timed out
    /// meanwhile makes that a crash, a body given to it is not sent, and the answer it leads to
    /// has no body either. The hop's session is a copy, as making a task of an invalidated one is
    /// a crash too.
    extension Load {
        private func follow(
            _ request: URLRequest, _: @escaping @Sendable (URLRequest?) -> Void
        ) {
            let copy = URLSession(
                configuration: configuration(), delegate: nil, delegateQueue: session.delegateQueue)
            let task = copy.dataTask(
                with: request.withFiniteTimeout, completionHandler: complete)
            prepare(task)
            copy.finishTasksAndInvalidate()
            if keep(task) { task.resume() }
        }

        private func answer(
            with response: HTTPURLResponse, _: @escaping @Sendable (URLRequest?) -> Void
        ) {
            finish(.success((Data(), response)))
        }

        /// A session's additional headers are sent to every origin, sensitive ones included.
        private func configuration() -> URLSessionConfiguration {
            let configuration = session.configuration
            // Never filled by `URLSession` here, and a task without it may be cancelled at any
            // time.
            configuration.urlCache = nil
            let redirection = state.withLock { $0.redirection }
            guard redirection.hasLeftOrigin else { return configuration }
            configuration.httpAdditionalHeaders = configuration.httpAdditionalHeaders?.filter {
                !redirection.isSensitive("\($0.key)")
            }
            return configuration
        }

        private func askDelegate(
            about response: HTTPURLResponse, _ task: URLSessionTask, _ request: URLRequest,
            _ completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            guard let delegate = session.delegate as? any URLSessionTaskDelegate
            else { return completionHandler(request) }
            let first = state.withLock { $0.tasks.first } ?? task
            delegate.urlSession(
                session, task: first, willPerformHTTPRedirection: response, newRequest: request,
                completionHandler: completionHandler)
        }
    }
#else
    extension Load {
        private func follow(
            _ request: URLRequest, _ completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(request)
        }

        private func answer(
            with response: HTTPURLResponse,
            _ completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }

        private func askDelegate(
            about response: HTTPURLResponse, _ task: URLSessionTask, _ request: URLRequest,
            _ completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            let delegate = session.delegate as? any URLSessionTaskDelegate
            let asked: Void? = delegate?.urlSession?(
                session, task: task, willPerformHTTPRedirection: response, newRequest: request,
                completionHandler: completionHandler)
            if asked == nil { completionHandler(request) }
        }
    }
#endif
