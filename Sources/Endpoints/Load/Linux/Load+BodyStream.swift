#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension URLRequest {
        /// Makes `URLSession` send the body of a stream by its `Content-Length` alone.
        ///
        /// It would send the body of every stream in chunks, beside a `Content-Length` that is set:
        /// two framings, which let one request be taken for two (RFC 9112, section 6.1). A value of
        /// one space sends no `Transfer-Encoding` (Swift 6.3.1). When `URLSession` sends one
        /// framing, this can go.
        mutating func dropChunkedFraming() {
            setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
        }
    }

    extension Load {
        /// Asks the session's delegate for the body of a request that isn't the library's.
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
