import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Load {
    /// A request as a task sends it: an upload is opened for it, and has its length.
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

    /// The body of the last request again, for a connection that was lost before it was read.
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

    /// A stream that ends the load if a file can't be read, before the server has all of it.
    private func stream(of upload: MeasuredUpload) -> UploadStream {
        UploadStream(upload) { [weak self] in self?.report(.failure($0)) }
    }
}

extension URLRequest {
    /// Whether the body can be read a second time.
    var canBeSentAgain: Bool { httpBodyStream == nil || upload != nil }
}
