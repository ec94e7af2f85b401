import Endpoints
import Foundation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server in the same process for the requests of one session, which records what arrives.
///
/// It responds with the request's path as text, with status 503 to `/refused`, and never to
/// `/silent`.
final class Server: Sendable {
    let host = "\(UUID().uuidString.lowercased()).test"
    let session: URLSession
    private let events = Events()
    private let ended = Events()
    private static let all = Mutex<[String: Server]>([:])

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Stub.self]
        session = URLSession(
            configuration: configuration, delegate: Delegate(ended: ended), delegateQueue: nil)
        Self.all.withLock { $0[host] = self }
    }

    /// The environment of this server.
    func environment(_ processor: RequestProcessor? = nil) throws -> ServerEnvironment {
        let baseUrl = try #require(URL(string: "https://\(host)"))
        return ServerEnvironment(baseUrl: baseUrl, requestProcessor: processor)
    }

    /// The next event at the server, such as `load /a`.
    func next() async -> String? { await events.next() }

    /// The remaining events, after all of the session's tasks have completed.
    func end() async -> [String] {
        session.finishTasksAndInvalidate()
        _ = await ended.next()
        return await events.rest()
    }

    static func report(_ event: String, _ request: URLRequest) {
        guard let url = request.url else { return }
        let attempt = request.value(forHTTPHeaderField: "X-Attempt").map { " \($0)" } ?? ""
        all.withLock { $0[url.host ?? ""] }?.events.append("\(event) \(url.path)\(attempt)")
    }
}

/// A stream of events for one reader.
final class Events: Sendable {
    private let stream: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func append(_ event: String) { continuation.yield(event) }

    func next() async -> String? {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
    }

    /// The events that have not been read; no more can follow.
    func rest() async -> [String] {
        continuation.finish()
        return await stream.reduce(into: []) { $0.append($1) }
    }
}

/// Reports that a session has been invalidated.
private final class Delegate: NSObject, URLSessionDelegate {
    private let ended: Events

    init(ended: Events) { self.ended = ended }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        ended.append("ended")
    }
}

/// Responds to the requests.
private final class Stub: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        Server.report("load", request)
        guard let url = request.url, url.path != "/silent" else { return }
        let status = url.path == "/refused" ? 503 : 200
        let response = HTTPURLResponse(
            url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: nil)
        guard let response else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(url.path.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() { Server.report("stop", request) }
}
