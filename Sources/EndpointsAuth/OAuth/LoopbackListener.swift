import Endpoints
import EndpointsMiddleware
import EndpointsShared
import Foundation

/// A port of 127.0.0.1 at which one redirect of a browser arrives (RFC 8252, section 7.3).
///
/// It answers each request, but only the right one ends it. It has at most 16 connections, each for
/// 10 seconds and a head of 16 KB.
final class LoopbackListener: Sendable {
    /// The URL to redirect to.
    let redirect: URL
    private let origin: String
    private let descriptor: Int32
    private let isEnded = Locked(false)
    private let isListening = Locked(false)
    private let waiter = Waiter<URL>()

    /// Takes a port.
    /// - Parameter port: The port; 0 for any that is free.
    init(path: String, port: UInt16) throws(OAuthError) {
        guard let descriptor = Self.socket(at: port) else { throw Self.noPort(port) }
        let origin = Self.port(of: descriptor).map { "http://127.0.0.1:\($0)" }
        guard let origin, let url = URL(string: origin + path), path.hasPrefix("/") else {
            close(descriptor)
            throw path.hasPrefix("/")
                ? Self.noPort(port)
                : OAuthError(.noListener, because: "the path of a redirect must begin with `/`")
        }
        self.descriptor = descriptor
        self.origin = origin
        redirect = url
    }

    deinit { if !isListening.withLock({ $0 }) { close(descriptor) } }

    /// Waits for the right redirect, while a function shows the page to begin with.
    /// - Throws: An ``OAuthError`` if none has come in so many seconds; `CancellationError`; what
    ///   the function throws.
    func url(
        within seconds: TimeInterval, where isRight: @escaping @Sendable (URL) -> Bool,
        showing show: @Sendable () async throws -> Void
    ) async throws -> URL {
        let thread = Thread { [self] in listen(for: seconds, isRight) }
        thread.name = "Endpoints.LoopbackListener"
        isListening.withLock { $0 = true }
        thread.start()
        defer { isEnded.withLock { $0 = true } }
        try await show()
        return try await waiter.value()
    }

    private static func noPort(_ port: UInt16) -> OAuthError {
        OAuthError(
            .noListener,
            because: """
                the port \(port == 0 ? "" : "\(port) ")of 127.0.0.1 that the browser would be \
                redirected to can't be had (errno \(errno)); try again, or with another port
                """)
    }

    // MARK: Sockets

    private static func socket(at port: UInt16) -> Int32? {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let descriptor = Foundation.socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { return nil }
        var one: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, size)
        prepare(descriptor)
        var address = sockaddr_in()
        #if canImport(Darwin)
            address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        #endif
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound, Foundation.listen(descriptor, 16) == 0 else {
            let code = errno
            close(descriptor)
            errno = code
            return nil
        }
        return descriptor
    }

    /// A socket that neither waits nor ends the process, and that no other program gets.
    private static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        #if canImport(Darwin)
            var one: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &one, size)
        #endif
    }

    private static func port(of descriptor: Int32) -> UInt16? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size)
            }
        }
        return code == 0 ? UInt16(bigEndian: address.sin_port) : nil
    }

    private struct Connection {
        let descriptor: Int32
        let end: TimeInterval
        var head: [UInt8] = []
    }

    private static let headLimit = 16_384
    private static let connectionLimit = 16

    private func listen(for seconds: TimeInterval, _ isRight: (URL) -> Bool) {
        var connections: [Connection] = []
        let end = ProcessInfo.processInfo.systemUptime + seconds
        defer {
            for connection in connections { close(connection.descriptor) }
            close(descriptor)
        }
        while !isEnded.withLock({ $0 }) {
            let now = ProcessInfo.processInfo.systemUptime
            guard now < end else {
                waiter.resume(
                    with: .failure(
                        OAuthError(
                            .timedOut,
                            because: "nobody has signed in with the browser; begin again")))
                return
            }
            var polled = ([descriptor] + connections.map(\.descriptor)).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            // Looks from time to time whether the sign-in was cancelled.
            let count = poll(&polled, nfds_t(polled.count), 50)
            var left: [Connection] = []
            for (index, connection) in connections.enumerated() {
                var connection = connection
                let isReady = count > 0 && polled[index + 1].revents != 0
                let (isOpen, url) =
                    isReady ? answer(&connection, isRight) : (connection.end > now, nil)
                if isOpen { left.append(connection) } else { close(connection.descriptor) }
                if let url {
                    waiter.resume(with: .success(url))
                    connections = left + connections[(index + 1)...]
                    return
                }
            }
            connections = left
            if count > 0, polled[0].revents != 0 { accept(&connections, now) }
        }
    }

    private func accept(_ connections: inout [Connection], _ now: TimeInterval) {
        let new = Foundation.accept(descriptor, nil, nil)
        guard new >= 0 else {
            // Without a free descriptor the connection stays there, and `poll` returns at once.
            if ![EAGAIN, EINTR, ECONNABORTED].contains(errno) { usleep(50_000) }
            return
        }
        Self.prepare(new)
        // Others that don't go on must not keep the browser out.
        if connections.count == Self.connectionLimit {
            close(connections.removeFirst().descriptor)
        }
        connections.append(Connection(descriptor: new, end: now + 10))
    }

    /// Reads what has arrived and, if the head is whole, answers.
    private func answer(
        _ connection: inout Connection, _ isRight: (URL) -> Bool
    ) -> (isOpen: Bool, URL?) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(connection.descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return (count < 0 && [EAGAIN, EINTR].contains(errno), nil) }
        connection.head += buffer[..<count]
        let head = connection.head
        guard head.count <= Self.headLimit else {
            return respond(connection, "431 Request Header Fields Too Large")
        }
        guard head.hasEnd else { return (true, nil) }
        let line = head.prefix { $0 != .carriageReturn && $0 != .lineFeed }
        let words = line.split(separator: .space)
        guard words.count == 3, words[2].starts(with: Array("HTTP/1.".utf8)),
            words[1].first == UInt8(ascii: "/"),
            let url = URL(string: origin + String(decoding: words[1], as: UTF8.self))
        else { return respond(connection, "400 Bad Request") }
        guard words[0].elementsEqual("GET".utf8)
        else { return respond(connection, "405 Method Not Allowed", "Allow: GET\r\n") }
        guard url.path == redirect.path else { return respond(connection, "404 Not Found") }
        guard isRight(url) else {
            return respond(connection, "400 Bad Request", text: "This isn't the sign-in.")
        }
        _ = respond(connection, "200 OK", text: "You can close this page now.")
        return (false, url)
    }

    private func respond(
        _ connection: Connection, _ status: String, _ field: String = "", text: String? = nil
    ) -> (isOpen: Bool, URL?) {
        let page = "<!doctype html><title>Sign-in</title><p>\(text ?? status)</p>\n"
        let bytes = Array(
            """
            HTTP/1.1 \(status)\r
            \(field)Content-Type: text/html; charset=utf-8\r
            Content-Length: \(page.utf8.count)\r
            Cache-Control: no-store\r
            Content-Security-Policy: default-src 'none'\r
            Referrer-Policy: no-referrer\r
            Connection: close\r
            \r
            \(page)
            """.utf8)
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        _ = send(connection.descriptor, bytes, bytes.count, flags)
        shutdown(connection.descriptor, Int32(SHUT_WR))
        // Closing a socket with unread bytes would take the response from the client.
        var rest = [UInt8](repeating: 0, count: Self.headLimit)
        for _ in 0..<4 {
            guard recv(connection.descriptor, &rest, rest.count, 0) > 0 else { break }
        }
        return (false, nil)
    }
}

extension [UInt8] {
    /// Whether there is a whole head of HTTP.
    fileprivate var hasEnd: Bool {
        // A body may have arrived with the head.
        var isEmptyLine = false
        for byte in self {
            if byte == .lineFeed {
                if isEmptyLine { return true }
                isEmptyLine = true
            } else if byte != .carriageReturn {
                isEmptyLine = false
            }
        }
        return false
    }
}

extension OAuthFlow {
    /// A sign-in in the browser of this machine, which is redirected to a port of 127.0.0.1 (RFC
    /// 8252, section 7.3), for programs on desktops and for commands.
    ///
    ///     try await gitHub.signIn(.loopback { url in print("Open", url) })
    ///
    /// The port is open until the redirect with the right `state` has arrived. It answers other
    /// requests, and waits on. Cancelling the task closes it.
    /// - Parameters:
    ///   - path: The path of the redirect URL, as the client is registered with it. With `nil`, it
    ///     is `/callback` or, for a client that is ``OAuthClient/registered(as:orBy:)``, another
    ///     one for each server (RFC 9700, section 4.4).
    ///   - port: The port; 0 for any that is free, which servers must allow (RFC 8252, section
    ///     7.3).
    ///   - items: Further query items, such as `prompt`.
    ///   - seconds: How long to wait for the redirect.
    ///   - open: Opens a URL in a browser, and returns without waiting.
    /// - Throws: An ``OAuthError``, as ``browser(redirect:adding:_:)`` does;
    ///   ``OAuthError/Code/timedOut``, and ``OAuthError/Code/noListener`` if the port can't be had.
    public static func loopback(
        path: String? = nil, port: UInt16 = 0, adding items: [URLQueryItem] = [],
        within seconds: TimeInterval = 600, _ open: @escaping @Sendable (URL) async throws -> Void
    ) -> OAuthFlow {
        OAuthFlow { context in
            let path = path ?? context.caller.callbackPath
            let listener = try context.caller.listener(path: path, port: port)
            let attempt = BrowserAttempt(redirect: listener.redirect)
            try attempt.check(context.caller.server)
            let context = try await context.registered(for: listener.redirect)
            let page = try attempt.url(context, adding: items)
            let url = try await listener.url(
                within: seconds, where: { attempt.isRedirect($0) },
                showing: { try await open(page) })
            let code = try attempt.code(in: url, of: context.caller.server)
            return try await attempt.token(for: code, context)
        }
    }
}

extension OAuthCaller {
    /// The path of the redirect URL, if the program doesn't choose it. A server to which the same
    /// URL is registered could take the code of another one.
    fileprivate var callbackPath: String {
        guard client.metadata != nil else { return "/callback" }
        let name = server.issuer ?? server.tokenURL?.absoluteString ?? ""
        return "/callback/\(Digest(name).hex.prefix(16))"
    }

    /// A listener at a port: if that may be any, at the one that the client is registered with,
    /// unless another program has it.
    fileprivate func listener(
        path: String, port: UInt16
    ) throws(OAuthError) -> LoopbackListener {
        let known = client.metadata == nil ? nil : registrations.known?.redirect
        if port == 0, let url = known.flatMap(URL.init(string:)), url.host == "127.0.0.1",
            url.path == path, let port = url.port.flatMap(UInt16.init(exactly:)),
            let listener = try? LoopbackListener(path: path, port: port)
        {
            return listener
        }
        return try LoopbackListener(path: path, port: port)
    }
}
