#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension URLError {
        /// This error, or the one that `URLSession` reports on Apple platforms (Swift 6.3.1):
        /// - `cannotParseResponse` if the response wasn't HTTP, which is `unsupportedURL` here.
        /// - `networkConnectionLost` if the connection ended while the request was sent, or before
        ///   the response was complete, which may be `unknown` or `badServerResponse` here.
        /// - What is wrong with the server's certificate, or `secureConnectionFailed` if TLS can't
        ///   be used with it, which are `unknown` here.
        ///
        /// When `URLSession` reports these itself, this can go.
        func corrected(at url: URL?) -> URLError {
            switch code {
            case .unsupportedURL where ["http", "https"].contains(url?.scheme):
                return URLError(.cannotParseResponse, userInfo: userInfo)
            case .unknown, .badServerResponse:
                let text = userInfo[NSLocalizedDescriptionKey] as? String ?? ""
                guard let known = Self.texts.first(where: { text.contains($0.part) })
                else { return self }
                return URLError(known.code, userInfo: userInfo)
            default: return self
            }
        }

        /// What libcurl's texts contain, and what it means. The first that fits counts.
        private static let texts: [(part: String, code: URLError.Code)] = [
            ("Send failure:", .networkConnectionLost),
            ("Recv failure:", .networkConnectionLost),
            ("Empty reply from server", .networkConnectionLost),
            ("Unrecognized content encoding type", .cannotDecodeContentData),
            ("transfer closed with", .networkConnectionLost),
            // HTTP/2: a reset stream, and a GOAWAY.
            ("was not closed cleanly", .networkConnectionLost),
            ("Connection died", .networkConnectionLost),
            ("Transport endpoint is not connected", .networkConnectionLost),
            ("SSL certificate problem: certificate has expired", .serverCertificateHasBadDate),
            (
                "SSL certificate problem: certificate is not yet valid",
                .serverCertificateNotYetValid
            ),
            ("SSL certificate problem:", .serverCertificateUntrusted),
            ("SSL: no alternative certificate subject name", .serverCertificateUntrusted),
            ("alert certificate required", .clientCertificateRequired),
            ("OpenSSL/", .secureConnectionFailed),
        ]
    }

    extension URLSessionTask {
        /// Cancels tasks that their load doesn't need any more, and calls a function when they have
        /// ended, but at most half a second later, also if `URLSession` is busy.
        ///
        /// A task starts by reading the session's `URLCache` on the background queue, and a
        /// `cancel()` meanwhile can end the process ("Trying to access a behaviour for a task that
        /// in not in the registry", Swift 6.3.1). So in a load's first half second, this
        /// cancels on that queue, after 50 ms. When `cancel()` is always safe, this can go.
        static func stop(
            _ tasks: [URLSessionTask], startedAt start: DispatchTime,
            then ended: @escaping @Sendable () -> Void = {}
        ) {
            guard !tasks.isEmpty else { return ended() }
            _ = waitAtExit
            stopping.withLock { $0 += 1 }
            let end = DispatchTime.now() + 0.5
            let rest = Locked(Optional(ended))
            let finish = { @Sendable in
                guard let ended = rest.take() else { return }
                ended()
                stopping.withLock { $0 -= 1 }
            }
            let alarm = Alarm(after: 0.5, finish)
            let isYoung = .now() < start + 0.5
            let queue = DispatchQueue.global(qos: isYoung ? .background : .userInitiated)
            queue.asyncAfter(deadline: .now() + (isYoung ? 0.05 : 0)) {
                SessionLoad.callSession {
                    for task in tasks { task.cancel() }
                    wait(for: tasks, until: end) {
                        alarm.cancel()
                        finish()
                    }
                }
            }
        }

        private static func wait(
            for tasks: [URLSessionTask], until end: DispatchTime,
            _ ended: @escaping @Sendable () -> Void
        ) {
            guard tasks.contains(where: { $0.state != .completed }), .now() < end
            else { return ended() }
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.002) {
                wait(for: tasks, until: end, ended)
            }
        }

        /// How many loads wait until their tasks have ended.
        private static let stopping = Locked(0)

        /// Lets the process end only when no task is being cancelled, or after a second.
        ///
        /// `URLSession` goes on with a transfer while the process ends. Over TLS this calls a
        /// library that has been taken down, and a signal ends the process (Swift 6.3.1). The
        /// functions of `atexit` are called in the opposite order, and this one is added after that
        /// of the library. When `URLSession` ends its transfers at exit, this can go.
        private static let waitAtExit: Void = {
            atexit {
                let end = DispatchTime.now() + 1
                while stopping.withLock({ $0 > 0 }), .now() < end {
                    Thread.sleep(forTimeInterval: 0.001)
                }
            }
        }()
    }
#endif
