#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension URLError {
        /// This error, or the one that `URLSession` reports on Apple platforms (Swift 6.3.1):
        /// - `cannotParseResponse` if the response wasn't HTTP, which is `unsupportedURL` or
        ///   `unknown` here.
        /// - `cannotConnectToHost` if the server ended the connection while it was made, or the
        ///   network can't be reached, which is `unknown` here.
        /// - `networkConnectionLost` if the connection ended while the request was sent, or before
        ///   the response was complete, which may be `unknown` or `badServerResponse` here, or
        ///   `cannotConnectToHost` if another address of the host was tried before.
        /// - `cannotDecodeRawData` if the body isn't in its `Content-Encoding`, which is `unknown`
        ///   here.
        /// - What is wrong with the server's certificate, or `secureConnectionFailed` if TLS can't
        ///   be used with it, which are `unknown` here.
        ///
        /// `isCoded` says whether the response has a `Content-Encoding`. When `URLSession` reports
        /// these itself, this can go.
        func corrected(at url: URL?, isCoded: Bool) -> URLError {
            switch code {
            case .unsupportedURL where ["http", "https"].contains(url?.scheme):
                return URLError(.cannotParseResponse, userInfo: userInfo)
            case .unknown, .badServerResponse, .cannotConnectToHost:
                let text = userInfo[NSLocalizedDescriptionKey] as? String ?? ""
                let known = Self.texts.first {
                    $0.parts.components(separatedBy: "|").contains(where: text.contains)
                }
                guard let known else { return self }
                // The end of a body that isn't in its coding stops libcurl as a full disk does.
                guard isCoded || !text.hasPrefix("Failed writing received data") else {
                    return self
                }
                let error = URLError(known.code, userInfo: userInfo)
                return known.says.map { error.saying($0) } ?? error
            default: return self
            }
        }

        private static let longHead = """
            the response's header fields are longer than URLSession reads on Linux, 300 KB
            """
        private static let longFields = """
            the URL and header fields of the request, or a line of the response's head, are longer \
            than URLSession sends or reads on Linux: 1 MB, and some 100 KB
            """
        private static let unreadableHead = """
            the response's head is not valid HTTP, or URLSession on Linux doesn't read it: it wants \
            UTF-8, lines that end with CR LF, and a space after the status
            """

        /// What libcurl's texts contain, from 7.81 to 8.22, with `|` between them, and what it
        /// means. The first line that fits counts.
        private static let texts: [(parts: String, code: URLError.Code, says: String?)] = [
            ("Failed to connect to|connect to server", .cannotConnectToHost, nil),
            // Among them: a part of the body was sent, and can't be read again; a stream of HTTP/2
            // that is reset, and a GOAWAY.
            (
                """
                Send failure:|Recv failure:|Failed sending data to the peer|\
                Failure when receiving data from the peer|Empty reply from server|\
                Server returned nothing|transfer closed with|Transferred a partial file|\
                necessary data rewind|rewinding of the data stream failed|HTTP/2 stream|\
                in the HTTP/2 framing layer|in the HTTP2 framing layer|\
                nghttp2 shuts down connection|Connection died|Transport endpoint is not connected
                """, .networkConnectionLost, nil
            ),
            ("Unrecognized", .cannotDecodeContentData, nil),
            ("content unencoding|Failed writing received data", .cannotDecodeRawData, nil),
            (
                """
                chunked-encoding|chunk hex-length|invalid chunk size|Transfer-Encoding|\
                Content-Length|Header without colon|Nul byte in|Invalid response header|\
                Unsupported HTTP
                """, .cannotParseResponse, nil
            ),
            ("Failed writing header", .cannotParseResponse, unreadableHead),
            // A line longer than libcurl's buffer, or a request of more than 1 MB.
            ("Out of memory", .unknown, longFields),
            (
                "Too large response headers|Too many response headers", .cannotParseResponse,
                longHead
            ),
            ("SSL certificate problem: certificate has expired", .serverCertificateHasBadDate, nil),
            (
                "SSL certificate problem: certificate is not yet valid",
                .serverCertificateNotYetValid, nil
            ),
            (
                """
                SSL certificate|SSL: no alternative certificate subject name|\
                SSL: certificate subject name
                """, .serverCertificateUntrusted, nil
            ),
            ("alert certificate required", .clientCertificateRequired, nil),
            // Without TLS's own end, before or after the handshake.
            (
                "unexpected eof while reading|Connection closed abruptly", .networkConnectionLost,
                nil
            ),
            ("OpenSSL/|TLS connect error:|SSL connect error", .secureConnectionFailed, nil),
            ("OpenSSL SSL_", .networkConnectionLost, nil),
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
