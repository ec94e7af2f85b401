import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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

    /// Makes a new stream of an upload, such as for a second attempt after a lost connection. For a
    /// body stream that isn't an upload, asks the session's delegate.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        let request = redirection.request
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
