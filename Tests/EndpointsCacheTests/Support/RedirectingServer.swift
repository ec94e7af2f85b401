import Endpoints
import EndpointsCache
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server that is set by URL, and follows redirects as a session does.
///
///     server.set("/add", 303, ["Location": "/cart"])
final class RedirectingServer: Transport {
    struct Reply {
        var status = 200
        var fields: [String: String] = [:]
        var body = "a"
        var error: URLError.Code?
        /// The entity tag for which the response is a 304.
        var tag: String?
    }

    /// The response to any other URL.
    let other = Locked(Reply())
    private let replies = Locked<[String: Reply]>([:])
    /// The responses to the next request only.
    private let next = Locked<[String: Reply]>([:])
    let requests = Locked<[URLRequest]>([])

    /// What was asked, such as `GET /cart`.
    var asked: [String] {
        requests.withLock { requests in
            requests.map { "\($0.httpMethod ?? "") \(Self.short($0.url))" }
        }
    }

    func set(_ url: String, _ reply: Reply) { replies.withLock { $0[url] = reply } }

    func set(_ url: String, _ status: Int, _ fields: [String: String] = [:], _ body: String = "a") {
        set(url, Reply(status: status, fields: fields, body: body))
    }

    func setOnce(_ url: String, _ reply: Reply) { next.withLock { $0[url] = reply } }

    /// Lets a URL lead to another one.
    func move(_ url: String, _ status: Int, to location: String) {
        set(url, status, ["Location": location])
    }

    func send(_ first: TransportRequest) async throws -> TransportResponse {
        var (request, redirection) = (first, Redirection(of: first))
        while true {
            let response = try respond(request.urlRequest)
            guard let next = try redirection.next(after: response.httpResponse, to: request)
            else { return response }
            request = next
        }
    }

    private func respond(_ request: URLRequest) throws -> TransportResponse {
        requests.withLock { $0.append(request) }
        let url = Self.short(request.url)
        let reply =
            next.withLock { $0.removeValue(forKey: url) } ?? replies.withLock { $0[url] }
            ?? other.withLock { $0 }
        if let error = reply.error { throw URLError(error) }
        let isKnown =
            reply.tag != nil && request.value(forHTTPHeaderField: "If-None-Match") == reply.tag
        guard let url = request.url,
            let head = HTTPURLResponse(
                url: url, statusCode: isKnown ? 304 : reply.status, httpVersion: "HTTP/1.1",
                headerFields: reply.fields)
        else { throw URLError(.badURL) }
        return TransportResponse(Data(isKnown ? "".utf8 : reply.body.utf8), head)
    }

    /// The path at api.example.com, or the whole URL.
    static func short(_ url: URL?) -> String {
        let text = url?.absoluteString ?? ""
        let base = "https://api.example.com"
        return text.hasPrefix(base) ? String(text.dropFirst(base.count)) : text
    }

    static func request(
        _ method: String = "GET", _ short: String, _ fields: [String: String] = [:],
        policy: LoadPolicy = .default
    ) throws -> TransportRequest {
        let text = short.hasPrefix("/") ? "https://api.example.com\(short)" : short
        guard let url = URL(string: text) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.allHTTPHeaderFields = fields
        return TransportRequest(request, policy: policy, requestType: GetItem.self)
    }
}

extension Transport {
    /// The body and the source of the response, such as `a server`.
    func text(
        _ method: String = "GET", _ short: String, _ fields: [String: String] = [:],
        policy: LoadPolicy = .default
    ) async throws -> String {
        let response = try await send(
            RedirectingServer.request(method, short, fields, policy: policy))
        let data = try await response.body.data(upTo: 1 << 20)
        return "\(String(decoding: data, as: UTF8.self)) \(response.httpResponse.source)"
    }
}
