import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Prints each request of this process instead of sending it, and answers it.
final class Recorder: URLProtocol {
    /// What the next requests are answered with, one after the other; the last one stays.
    nonisolated(unsafe) static var answers = [(status: 200, json: "{}")]
    private static let lock = NSLock()

    /// For the sessions that a library makes.
    static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Recorder.self]
        return configuration
    }

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        let answer = Self.lock.withLock {
            Self.write(request)
            return Self.answers.count > 1 ? Self.answers.removeFirst() : Self.answers[0]
        }
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: answer.status, httpVersion: "HTTP/1.1",
                headerFields: ["Content-Type": "application/json"])
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(answer.json.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    /// Prints a request on one line, as JSON.
    private static func write(_ request: URLRequest) {
        var body = request.httpBody ?? Data()
        if let stream = request.httpBodyStream {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            stream.open()
            while case let count = stream.read(&bytes, maxLength: bytes.count), count > 0 {
                body.append(contentsOf: bytes[..<count])
            }
        }
        let line: [String: Any] = [
            "method": request.httpMethod ?? "", "url": request.url?.absoluteString ?? "",
            "headers": request.allHTTPHeaderFields ?? [:],
            "body": String(decoding: body, as: UTF8.self),
            "seconds": request.timeoutInterval,
        ]
        guard let data = try? JSONSerialization.data(withJSONObject: line, options: .sortedKeys)
        else { return }
        print("request", String(decoding: data, as: UTF8.self))
    }
}

@main
enum Main {
    static func main() async throws {
        _ = URLProtocol.registerClass(Recorder.self)
        try await send()
    }

    /// Prints what a call gave.
    static func got(_ value: some Any) { print("got", value) }
}
