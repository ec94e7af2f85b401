#if !canImport(FoundationNetworking)
    import Foundation

    /// What a load does on Apple platforms. There, `URLSession` itself follows redirects, asks the
    /// session's delegate about challenges, and gives the data to a task's delegate. On Linux, the
    /// files in `Load/Linux` do these things.
    extension Load {
        func follow(
            _ request: URLRequest, _ completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(request)
        }

        func use(
            _: HTTPURLResponse, _ completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }

        func askDelegate(
            about response: HTTPURLResponse, _ task: URLSessionTask, _ request: URLRequest,
            _ completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            let delegate = session.delegate as? any URLSessionTaskDelegate
            let asked: Void? = delegate?.urlSession?(
                session, task: task, willPerformHTTPRedirection: response, newRequest: request,
                completionHandler: completionHandler)
            if asked == nil { completionHandler(request) }
        }

        func askDelegate(
            forBodyOf task: URLSessionTask,
            _ completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) {
            let delegate = session.delegate as? any URLSessionTaskDelegate
            let asked: Void? = delegate?.urlSession?(
                session, task: task, needNewBodyStream: completionHandler)
            if asked == nil { completionHandler(nil) }
        }

        /// The caller's session. On Linux, a copy of it makes some tasks.
        var sessionForTask: URLSession { session }

        /// Does the work at once. On Linux, it is done on another queue if it could wait for
        /// `URLSession` while `URLSession` waits for the current queue, which would be a deadlock.
        func leaveQueue(of _: URLSession, _ work: () -> Void) {
            work()
        }
    }
#endif
