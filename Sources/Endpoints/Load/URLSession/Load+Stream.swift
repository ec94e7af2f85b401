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
        let task = sessionForTask.dataTask(with: taskRequest(request))
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
        guard let buffer, !hasEnded else { return }
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

extension HTTPURLResponse {
    /// Whether the `Content-Length` contradicts `count`, the body's length (RFC 9112 6.3).
    ///
    ///     Content-Length: 5, 12      a body of 12 bytes  ->  true
    ///     Content-Length: 12, 12     a body of 12 bytes  ->  false
    ///     Content-Length: 0x0c       any body            ->  true
    ///
    /// The result is `false` without a `Content-Length`, for a chunked or compressed body, and for
    /// 1xx, 204, 205 and 3xx, which may have a length and no body. Don't call this for the response
    /// to a HEAD.
    func contradictsLength(_ count: Int) -> Bool {
        guard let text = value(forHTTPHeaderField: "Content-Length"),
            (200..<300).contains(statusCode) || statusCode >= 400,
            ![204, 205].contains(statusCode),
            value(forHTTPHeaderField: "Transfer-Encoding") == nil,
            value(forHTTPHeaderField: "Content-Encoding") == nil
        else { return false }
        return text.split(at: .comma, outsideQuotes: false).contains { Self.length($0) != count }
    }

    /// The number in one element of the `Content-Length` list; `nil` if the element isn't all
    /// digits, or is too large for `Int`. `Int` alone would accept a sign too.
    private static func length(_ text: String) -> Int? {
        let digits = text.trimmingBlanks
        return digits.utf8.allSatisfy(\.isDigit) ? Int(digits) : nil
    }
}
