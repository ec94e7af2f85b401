import Endpoints
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server within the process: it answers each request with 200 and the request's URL, or never.
///
/// A session made by `Stub.session()` reaches it; hosts tell the tests apart, as they run side by side.
final class Stub: URLProtocol {
    /// What happened to the requests for one host, in order.
    static let log = Mutex<[String: [String]]>([:])

    /// A session whose requests all end here.
    static func session() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Stub.self]
        return URLSession(configuration: configuration)
    }

    /// What happened to the requests for one host, in order.
    static func events(_ environment: ServerEnvironment) -> [String] {
        log.withLock { $0[environment.baseUrl.host ?? ""] ?? [] }
    }

    private func record(_ event: String) {
        Self.log.withLock { $0[request.url?.host ?? "", default: []].append(event) }
    }

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url else { return }
        record("load \(url.path)")
        guard url.path != "/never" else { return }
        let status = url.path == "/refused" ? 503 : 200
        guard
            let response = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: nil)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(url.absoluteString.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() { record("stop") }
}
