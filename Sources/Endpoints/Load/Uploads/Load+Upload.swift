import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Load {
    /// A request as a task sends it: an upload becomes a new body stream with a `Content-Length`.
    ///
    /// - Throws: A ``FileError`` for a file that can't be read.
    func framed(_ request: URLRequest) throws(FileError) -> URLRequest {
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

    /// Opens the body of the last request again, such as after its connection was lost.
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

    /// The stream of an upload. If a file can't be read, the load fails before the body's end.
    private func stream(of upload: MeasuredUpload) -> UploadStream {
        UploadStream(upload) { [weak self] in self?.report(.failure($0)) }
    }
}

extension URLRequest {
    /// Whether the body can be read a second time.
    var canBeSentAgain: Bool { httpBodyStream == nil || upload != nil }
}
