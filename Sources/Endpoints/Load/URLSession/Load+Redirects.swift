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

extension Load {
    /// A request as a task sends it: an upload becomes a new body stream with a `Content-Length`,
    /// and an empty upload becomes no body.
    func withStream(_ request: URLRequest) throws(FileError) -> URLRequest {
        guard let upload = request.upload else { return request }
        let measured = try upload.measured()
        var request = request
        guard measured.contentLength > 0 else {
            request.httpBodyStream = nil
            return request
        }
        request.httpBodyStream = stream(of: measured)
        request.setValue("\(measured.contentLength)", forHTTPHeaderField: "Content-Length")
        request.dropChunkedFraming()
        return request
    }

    /// Makes a new stream of an upload. For a body stream that isn't an upload, asks the session's
    /// delegate. If the request must not be sent again, ends the load.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        let request = redirection.request
        guard mayResend(request) else {
            report(.failure(URLError(.networkConnectionLost, at: request.url)))
            return completionHandler(nil)
        }
        guard let upload = request.upload else {
            guard request.httpBodyStream != nil else { return completionHandler(nil) }
            return askDelegate(forBodyOf: task, completionHandler)
        }
        do throws(FileError) {
            completionHandler(stream(of: try upload.measured()))
        } catch {
            report(.failure(error))
            completionHandler(nil)
        }
    }

    /// The load fails if a file can't be read, if a file's length changes, or if `Upload.observe`
    /// throws.
    private func stream(of upload: MeasuredUpload) -> UploadStream {
        UploadStream(upload) { [weak self] in self?.report(.failure($0)) }
    }
}

extension URLRequest {
    package var canBeSentAgain: Bool { httpBodyStream == nil || upload != nil }
}
