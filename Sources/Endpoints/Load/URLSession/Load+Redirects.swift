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
        leaveQueue(of: session) { [self] in
            redirect(task, after: response, proposed, completionHandler)
        }
    }

    private func redirect(
        _ task: URLSessionTask, after response: HTTPURLResponse, _ proposed: URLRequest,
        _ completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        keep(task)
        let step = redirection.step(after: response, proposed: proposed.url)
        guard case .follow(let request) = step else {
            return take(step, after: response, completionHandler)
        }
        // The session's own delegate may change this request, or refuse the redirect with `nil`.
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
            do throws(FileError) { follow(try withStream(request), completionHandler) } catch {
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
    fileprivate var atRedirect: EndpointError {
        EndpointError(
            requestType: "URLSessionTaskDelegate", field: field,
            reason: "(set by the session's delegate at a redirect) \(reason)", cause: cause)
    }
}
