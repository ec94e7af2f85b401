import AsyncHTTPClient
import Endpoints
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with AsyncHTTPClient.
///
///     let api = EndpointClient(AsyncHTTPTransport(), in: GitHub.production)
///
/// A slow reader of a stream makes the server wait. Cookies are not stored.
public final class AsyncHTTPTransport: Transport {
    private let client: HTTPClient

    /// A transport with a client of its own, which ends with it.
    ///
    /// - Parameter configuration: Of the client. Redirects are the library's in any case.
    public init(_ configuration: HTTPClient.Configuration = .forEndpoints) {
        var configuration = configuration
        configuration.redirectConfiguration = .disallow
        client = HTTPClient(configuration: configuration.watchingConnections)
    }

    deinit {
        client.shutdown { _ in }
    }

    /// Sends a request under its policy and returns the response when its head has arrived.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let limit = TimeLimit(of: request)
        var redirection = Redirection(of: request)
        var request = request
        while true {
            let response = try await exchange(request, limit)
            guard let next = try redirection.next(after: response.httpResponse, to: request)
            else { return response }
            request = next
        }
    }

    private func exchange(
        _ request: TransportRequest, _ limit: TimeLimit
    ) async throws -> TransportResponse {
        try request.check()
        try Task.checkCancellation()
        try limit.check()
        guard let url = request.urlRequest.url else { throw URLError(.badURL) }
        do {
            let response = try await execute(request, to: url, limit)
            guard let httpResponse = HTTPURLResponse(response, from: url)
            else { throw URLError(.badServerResponse) }
            request.onStep?(.connection(TransportConnection(of: response), to: url))
            request.onStep?(.responded(httpResponse))
            let chunks = Chunks(response, to: request, limit)
            return TransportResponse(
                body: ResponseBody(chunks: { try await chunks.next() }), httpResponse)
        } catch {
            throw error.mapped(at: url)
        }
    }

    /// Sends a request, and sends it again if the server had closed the kept connection.
    private func execute(
        _ request: TransportRequest, to url: URL, _ limit: TimeLimit
    ) async throws -> HTTPClientResponse {
        var resends = Resends(of: request)
        while true {
            let outgoing = try HTTPClientRequest(request, to: url, by: client.eventLoopGroup)
            request.onStep?(.sent(request.urlRequest))
            do {
                return try await client.execute(outgoing, deadline: limit.deadline())
            } catch  where resends.allow(after: error) {
                try Task.checkCancellation()
                try limit.check()
            }
        }
    }
}

extension HTTPClient.Configuration {
    /// Compressed responses are asked for and unpacked, as `URLSession` does it, and 100 streams of
    /// a host can be open at once.
    public static var forEndpoints: Self {
        var configuration = Self(decompression: .enabled(limit: .none))
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 100
        return configuration
    }
}

extension HTTPClientRequest {
    fileprivate init(
        _ request: TransportRequest, to url: URL, by eventLoops: any EventLoopGroup
    ) throws {
        let urlRequest = request.urlRequest
        self.init(url: url.absoluteString)
        method = HTTPMethod(rawValue: urlRequest.httpMethod ?? "GET")
        for (name, value) in urlRequest.allHTTPHeaderFields ?? [:] {
            headers.add(name: name, value: value)
        }
        // In one piece, a long body would be sent without reading a response that refuses it.
        let long = urlRequest.httpBody.flatMap { body in
            body.count > 64 << 10 ? Upload([.data(body)]) : nil
        }
        if let upload = request.upload ?? long {
            let chunks = try upload.chunks()
            body = .stream(
                WaitingChunks(chunks: chunks, eventLoops: eventLoops),
                length: .known(chunks.contentLength))
        } else if let body = urlRequest.httpBody {
            self.body = .bytes(ByteBuffer(data: body))
        } else if urlRequest.httpBodyStream != nil {
            throw EndpointError(
                requestType: "\(request.requestType)", field: .body,
                reason: "is an InputStream, which can't be sent again; send a File or an Upload")
        }
    }
}

extension HTTPURLResponse {
    /// Several fields of a name, in any case, become one with commas between (RFC 9110 5.3).
    fileprivate convenience init?(_ response: HTTPClientResponse, from url: URL) {
        var fields: [String: String] = [:]
        var names: [String: String] = [:]
        for (name, value) in response.headers where name != KnownConnection.header {
            let known = names[name.lowercased(), default: name]
            names[name.lowercased()] = known
            fields[known] = fields[known].map { "\($0), \(value)" } ?? value
        }
        self.init(
            url: url, statusCode: Int(response.status.code),
            httpVersion: "\(response.version)", headerFields: fields)
    }
}
