#if !canImport(FoundationNetworking)
    import Foundation

    /// What a load does on Apple platforms. There, `URLSession` itself follows redirects, asks the
    /// session's delegate about challenges, and gives the data to a task's delegate. On Linux, the
    /// files in `Linux` do these things.
    extension SessionLoad {
        func follow(
            _ request: URLRequest, _ completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(taskRequest(request))
        }

        /// `URLSession` asks for a new stream also after a challenge, and sees to what it may send
        /// again.
        func mayResend(_: URLRequest) -> Bool { true }

        /// A request as a task gets it. For another origin, it has an empty text for each sensitive
        /// header of the session's, because a header of a request replaces one of the session.
        ///
        /// Whether `URLSession` adds a `Content-Type` to a POST without one is not tested on Apple
        /// platforms.
        func taskRequest(_ request: URLRequest) -> URLRequest {
            let redirection = self.redirection
            var request = request
            // The session's cookies would replace the request's own `Cookie`.
            if request.hasCookies { request.httpShouldHandleCookies = false }
            guard redirection.hasLeftOrigin else { return request }
            for key in (session.configuration.httpAdditionalHeaders ?? [:]).keys {
                let name = "\(key)"
                guard redirection.policy.isSensitive(Headers(name: name)),
                    request.value(forHTTPHeaderField: name) == nil
                else { continue }
                request.setValue("", forHTTPHeaderField: name)
            }
            return request
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

        /// The caller's session. On Linux, a copy of it makes the tasks.
        func session(for _: URLRequest) -> URLSession { session }

        /// Makes the calls at once. On Linux, they may have to wait for other sessions.
        static func callSession(_ calls: () -> Void) {
            calls()
        }

        /// Does the work at once. On Linux, it is done on another queue if it could wait for
        /// `URLSession` while `URLSession` waits for the current queue, which would be a deadlock.
        func leaveQueue(_ work: () -> Void) {
            work()
        }
    }

    extension SessionLoad {
        /// Tells of the connection of each request, when the load's task has ended and before it
        /// completes. `URLSession` on Linux doesn't call this (Swift 6.3.1).
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            guard let onStep else { return }
            for transaction in metrics.transactionMetrics {
                onStep(.connection(TransportConnection(transaction), to: transaction.request.url))
            }
        }
    }

    extension TransportConnection {
        fileprivate init(_ metrics: URLSessionTaskTransactionMetrics) {
            self.init()
            isFromCache = metrics.resourceFetchType == .localCache
            guard isFromCache == false else { return }
            isReused = metrics.isReusedConnection
            networkProtocol = metrics.networkProtocolName
            tlsVersion = metrics.negotiatedTLSProtocolVersion.flatMap { Self.name(of: $0.rawValue) }
            domainLookup = metrics.domainLookupEndDate?.seconds(
                since: metrics.domainLookupStartDate)
            connect = metrics.connectEndDate?.seconds(since: metrics.connectStartDate)
            secureConnect = metrics.secureConnectionEndDate?
                .seconds(since: metrics.secureConnectionStartDate)
            sending = metrics.requestEndDate?.seconds(since: metrics.requestStartDate)
            waiting = metrics.responseStartDate?.seconds(since: metrics.requestEndDate)
            receiving = metrics.responseEndDate?.seconds(since: metrics.responseStartDate)
            bytesSent = metrics.countOfRequestHeaderBytesSent + metrics.countOfRequestBodyBytesSent
            bytesReceived =
                metrics.countOfResponseHeaderBytesReceived
                + metrics.countOfResponseBodyBytesReceived
        }

        /// The name of a version as TLS numbers it (RFC 8446, section 4.2.1).
        private static func name(of version: UInt16) -> String? {
            switch version {
            case 0x0301: "TLS 1.0"
            case 0x0302: "TLS 1.1"
            case 0x0303: "TLS 1.2"
            case 0x0304: "TLS 1.3"
            default: nil
            }
        }
    }

    extension Date {
        fileprivate func seconds(since start: Date?) -> TimeInterval? {
            start.map { timeIntervalSince($0) }
        }
    }

    // The files in `Linux` have workarounds for faults of `URLSession` on Linux. Code for all
    // platforms calls the members below. On Apple platforms, which don't have these faults, the
    // members do as little as possible.

    extension URLSession {
        /// Does nothing: the session itself knows its tasks.
        func add(_: URLSessionTask, of _: SessionLoad) {}
    }

    extension URLSessionTask {
        /// Cancels tasks that their load doesn't need any more, and calls a function.
        static func stop(
            _ tasks: [URLSessionTask], startedAt _: DispatchTime, then ended: () -> Void = {}
        ) {
            for task in tasks { task.cancel() }
            ended()
        }
    }

    extension URLError {
        /// This error, unchanged: `URLSession` has given it the right code.
        func corrected(at url: URL?, isCoded: Bool) -> URLError { self }
    }

    extension URLRequest {
        /// Does nothing: with a `Content-Length`, `URLSession` doesn't send the body in chunks.
        mutating func dropChunkedFraming() {}
    }

    /// The bytes of a body that have arrived and are not read yet. All stay in memory, because the
    /// task is suspended while there is more than 1 MB of them.
    struct UnreadData {
        private var chunks = UnreadChunks()
        private let limit: Int

        init(limit: Int) {
            self.limit = limit
        }

        /// Whether the task should be suspended, which makes the server wait.
        var isLarge: Bool { chunks.count > 1 << 20 }

        mutating func append(_ chunk: Data) throws {
            guard chunks.count + chunk.count <= limit
            else { throw URLError.isUnread(beyond: limit) }
            chunks.append(chunk)
        }

        mutating func next() throws -> Data? {
            chunks.next()
        }

        mutating func removeAll() {
            chunks = UnreadChunks()
        }
    }
#endif
