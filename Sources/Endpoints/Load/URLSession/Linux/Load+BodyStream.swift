#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension URLRequest {
        /// Makes `URLSession` send a body stream with its `Content-Length`, and not in chunks.
        ///
        /// `URLSession` adds `Transfer-Encoding: chunked` to a body stream even if there is a
        /// `Content-Length`. With both headers a server may take one request for two (RFC 9112,
        /// section 6.1). If the value of `Transfer-Encoding` is one space, the header isn't sent
        /// (Swift 6.3.1). When `URLSession` doesn't add this header, the function can go.
        mutating func dropChunkedFraming() {
            setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
        }
    }

    extension Load {
        /// Asks the session's delegate for a new stream of a body that isn't an ``Upload``.
        func askDelegate(
            forBodyOf task: URLSessionTask,
            _ completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) {
            guard let delegate = session.delegate as? any URLSessionTaskDelegate
            else { return completionHandler(nil) }
            delegate.urlSession(
                session, task: firstTask ?? task, needNewBodyStream: completionHandler)
        }
    }
#endif
