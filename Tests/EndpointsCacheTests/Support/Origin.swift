import Endpoints
import EndpointsCache
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server whose responses a test sets, and what it was asked.
final class OriginServer: Transport {
    struct Reply {
        var status = 200
        var fields: [String: String] = [:]
        var body = ""
        var error: (any Error)?
        var url: URL?
        var isInChunks = false
    }

    let reply = Locked(Reply())
    let requests = Locked<[URLRequest]>([])
    /// What happens between the arrival of a request and the choice of its response.
    let during = Locked<@Sendable (TransportRequest) async throws -> Void>({ _ in })

    var count: Int { requests.withLock { $0.count } }
    var last: URLRequest? { requests.withLock { $0.last } }

    func set(_ status: Int = 200, _ fields: [String: String] = [:], _ body: String = "a") {
        reply.withLock { $0 = Reply(status: status, fields: fields, body: body) }
    }

    func fail(_ code: URLError.Code) {
        reply.withLock { $0 = Reply(error: URLError(code)) }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        requests.withLock { $0.append(request.urlRequest) }
        try await during.withLock { $0 }(request)
        let reply = reply.withLock { $0 }
        if let error = reply.error { throw error }
        guard let url = reply.url ?? request.urlRequest.url,
            let head = HTTPURLResponse(
                url: url, statusCode: reply.status, httpVersion: "HTTP/1.1",
                headerFields: reply.fields)
        else { throw URLError(.badURL) }
        guard reply.isInChunks else { return TransportResponse(Data(reply.body.utf8), head) }
        let rest = Locked(reply.body.map { Data(String($0).utf8) })
        let body = ResponseBody { rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
        return TransportResponse(body: body, head)
    }
}

/// A cache in front of a server, and a clock that a test moves.
final class TestCache: Sendable {
    let server = OriginServer()
    let transport: any Transport
    private let time = Locked(Date(timeIntervalSince1970: 1_700_000_000))

    /// - Parameter around: The transport that is inside of the cache.
    init(
        _ storage: CacheStorage = .memory(megabytes: 1),
        around: (OriginServer) -> any Transport = { $0 }
    ) {
        let clock = TransportClock(
            date: { [time] in time.withLock { $0 } }, uptime: { 0 }, sleep: { _ in },
            random: { 1 })
        transport = Self.cached(around(server), storage, clock)
    }

    private static func cached(
        _ base: some Transport, _ storage: CacheStorage, _ clock: TransportClock
    ) -> any Transport {
        base.cached(in: storage, clock: clock)
    }

    /// Lets time go on.
    func wait(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }

    /// A date some seconds from now, as HTTP writes it.
    func date(_ seconds: TimeInterval) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: time.withLock { $0 } + seconds)
    }

    /// Loads an item and says what came: its status, its body and its source.
    @discardableResult
    func load(
        _ method: String = "GET", _ path: String = "items", _ fields: [String: String] = [:],
        body: String? = nil, policy: LoadPolicy = .default, streams: Bool = false
    ) async throws -> Came {
        guard let url = URL(string: "https://api.example.com/\(path)")
        else { throw URLError(.badURL) }
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = method
        urlRequest.allHTTPHeaderFields = fields
        urlRequest.httpBody = body.map { Data($0.utf8) }
        var request = TransportRequest(urlRequest, policy: policy, requestType: GetItem.self)
        request.streamsResponse = streams
        let response = try await transport.send(request)
        let data = try await response.body.data(upTo: 1 << 20)
        return Came(
            status: response.httpResponse.statusCode, body: String(decoding: data, as: UTF8.self),
            source: response.httpResponse.source, head: response.httpResponse)
    }

    struct Came {
        let status: Int
        let body: String
        let source: ResponseSource
        let head: HTTPURLResponse

        subscript(field: String) -> String? { head.value(forHTTPHeaderField: field) }
    }
}

/// A folder that is removed at the end.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("endpoints-cache-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The names and sizes of its files, apart from the lock.
    var files: [String: Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return Dictionary(
            uniqueKeysWithValues: names.filter { $0 != ".lock" }.map { name in
                let path = url.appendingPathComponent(name).path
                let attributes = try? FileManager.default.attributesOfItem(atPath: path)
                return (name, (attributes?[.size] as? Int) ?? -1)
            })
    }
}

struct GetItem: FlatRequest {
    var id = 1
    static let endpoint = Endpoint<Self>(method: .get, path: "items/\(path: \.id)")
    typealias Response = WithHTTPResponse<String>
}

extension ServerEnvironment {
    static let example = ServerEnvironment(
        baseUrl: URL(string: "https://api.example.com") ?? URL(fileURLWithPath: "/"))
}
