import AsyncHTTPClient
import Endpoints
import EndpointsAsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a user of AsyncHTTPClient writes by hand: see Tests/Benchmarks/Sources/Loads.
struct Hand: Sendable {
    static let client = "AsyncHTTPClient"
    static let name = "by hand, execute(_:timeout:)"
    private let owner: Owner

    /// A client that is shut down when it isn't needed any more.
    private final class Owner: Sendable {
        let client: HTTPClient

        init(_ configuration: HTTPClient.Configuration) {
            client = HTTPClient(configuration: configuration)
        }

        deinit { client.shutdown { _ in } }
    }

    init(connections: Int = 256) {
        owner = Owner(Hand.configuration(connections))
    }

    private static func configuration(_ connections: Int) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration.forEndpoints
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        return configuration
    }

    /// Loads a URL, or sends a body to it.
    func load(
        _ url: URL, bearer: String? = nil, body: Data? = nil,
        reading head: (HTTPClientResponse) -> HTTPURLResponse? = { _ in nil }
    ) async throws -> (data: Data, status: Int) {
        var request = HTTPClientRequest(url: url.absoluteString)
        if let bearer { request.headers.add(name: "Authorization", value: "Bearer \(bearer)") }
        if let body {
            request.method = .PUT
            request.body = .bytes(ByteBuffer(data: body))
        }
        let response = try await owner.client.execute(request, timeout: .seconds(60))
        let data = Data(buffer: try await response.body.collect(upTo: 10 << 20))
        return (data, head(response)?.statusCode ?? Int(response.status.code))
    }

    /// A transport of the library with the same client.
    static func transport(connections: Int = 256) -> any Transport {
        AsyncHTTPTransport(configuration(connections))
    }

    /// Reads events until it is cancelled.
    func listen(to url: URL) async throws {
        let request = HTTPClientRequest(url: url.absoluteString)
        let response = try await owner.client.execute(request, timeout: .hours(1))
        for try await _ in response.body {}
    }

    /// The same, with the `HTTPURLResponse` that the library gives out, for which Foundation takes
    /// long on Linux.
    static func others(_ server: URL) -> [Way] {
        let hand = Hand()
        return [
            Way(name: "by hand, with an `HTTPURLResponse`") { id in
                let url = server.appendingPathComponent("users/\(id)")
                try User.check(try await hand.load(url) { HTTPURLResponse($0, of: url) })
            }
        ]
    }
}

extension HTTPURLResponse {
    fileprivate convenience init?(_ response: HTTPClientResponse, of url: URL) {
        let fields = Dictionary(response.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
        self.init(
            url: url, statusCode: Int(response.status.code), httpVersion: "HTTP/1.1",
            headerFields: fields)
    }
}
