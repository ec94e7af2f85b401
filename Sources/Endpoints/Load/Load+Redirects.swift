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
        let step = redirection.step(after: response, proposed: proposed.url)
        guard case .follow(let request) = step else {
            return take(step, after: response, completionHandler)
        }
        // The session's own delegate gets the corrected request; it may change it or return `nil`.
        askDelegate(about: response, task, request) { [self] request in
            let request = request.map(redirection.withoutOldSecrets)
            if let refusal = request?.refusal { return report(.failure(refusal.atRedirect)) }
            let step = request.map(redirection.step(to:)) ?? .useResponse
            take(step, after: response, completionHandler)
        }
    }

    private func take(
        _ step: Redirection.Step, after response: HTTPURLResponse,
        _ completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        switch step {
        case .follow(let request):
            recordRedirect(to: request)
            do throws(FileError) { follow(try framed(request), completionHandler) } catch {
                report(.failure(error))
            }
        case .useResponse:
            use(response, completionHandler)
        case .fail(let error):
            report(.failure(error))
        }
    }
}

extension FieldError {
    /// The error of a request that the session's delegate has returned at a redirect.
    fileprivate var atRedirect: EndpointError {
        EndpointError(
            requestType: "URLSessionTaskDelegate", field: field,
            reason: "\(reason); the session's delegate set it at a redirect", cause: cause)
    }
}

#if !canImport(FoundationNetworking)
    extension Load {
        private func follow(
            _ request: URLRequest, _ completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(request)
        }

        private func use(
            _ response: HTTPURLResponse,
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

    extension URLSessionTask {
        /// Cancels the task of a load that has ended.
        func stop(startedAt _: DispatchTime) {
            cancel()
        }

        /// Does nothing, because on Apple platforms a completed task may be cancelled at any time.
        func settle() {}
    }

    extension URLError {
        /// The error itself, because its code is right on Apple platforms.
        func corrected(at url: URL?) -> URLError { self }
    }

    extension URLRequest {
        /// The request itself, because Apple platforms accept any timeout.
        var withFiniteTimeout: URLRequest { self }

        /// The request itself, because Apple platforms add no `Content-Type`.
        func withoutFormType(_: URLSession) -> URLRequest { self }
    }
#endif
