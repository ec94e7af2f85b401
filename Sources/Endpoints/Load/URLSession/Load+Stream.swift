import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads a response that is read as it arrives. For a response that is loaded whole, the delegate's
/// methods do nothing.
///
/// On Linux, they must not wait for `URLSession`: that would be a deadlock (see `InlineQueue`).
extension Load: URLSessionDataDelegate {
    func streamTask(for request: URLRequest) -> URLSessionDataTask {
        let task = sessionForTask.dataTask(
            with: request.withFiniteTimeout.withoutFormType(session))
        task.delegate = self
        return task
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let httpResponse = response as? HTTPURLResponse {
            let status = httpResponse.statusCode
            // After a 1xx, a 3xx or a 401, another response of the same task may follow.
            let isFinal = status >= 200 && !(300..<400).contains(status) && status != 401
            buffer?.begin(httpResponse, isFinal: isFinal)
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let buffer else { return }
        do {
            guard buffer.progress.count + data.count <= bodyLimit
            else { throw URLError(.dataLengthExceedsMaximum, at: dataTask.response?.url) }
            try buffer.append(data)
        } catch {
            finish(.failure(error))
        }
        buffer.holdBack(dataTask)
    }

    /// Ends the load when a stream's task has completed, unless that task was redirected.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        guard let buffer, isCurrent(task) else { return }
        let (httpResponse, count) = buffer.progress
        finish(
            Result { (Data(), try checked(httpResponse ?? task.response, count: count, error)) })
    }
}
