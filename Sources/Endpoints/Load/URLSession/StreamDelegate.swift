import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The delegate of a task whose response is read as it arrives.
///
/// On Linux it is the delegate of a session that has only this task. There, its methods must not
/// wait for `URLSession`: that would be a deadlock (see ``InlineQueue``).
final class StreamDelegate: NSObject, URLSessionDataDelegate {
    let load: Load
    private let buffer: ResponseBuffer

    init(_ load: Load, into buffer: ResponseBuffer) {
        self.load = load
        self.buffer = buffer
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let httpResponse = response as? HTTPURLResponse {
            let status = httpResponse.statusCode
            // After a 1xx, a 3xx or a 401, another response of the same task may follow.
            let isFinal = status >= 200 && !(300..<400).contains(status) && status != 401
            buffer.begin(httpResponse, isFinal: isFinal)
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        do {
            guard buffer.progress.count + data.count <= load.bodyLimit
            else { throw URLError(.dataLengthExceedsMaximum, at: dataTask.response?.url) }
            try buffer.append(data)
        } catch {
            load.finish(.failure(error))
        }
        buffer.holdBack(dataTask)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        load.complete(task, into: buffer, error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        load.urlSession(session, task: task, needNewBodyStream: completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest proposed: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        leaveQueue { [load] in
            load.urlSession(
                session, task: task, willPerformHTTPRedirection: response, newRequest: proposed,
                completionHandler: completionHandler)
        }
    }
}
