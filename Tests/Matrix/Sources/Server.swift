import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that is the server too: it ends each load as a cell says. It follows redirects as a
/// session does.
final class Server: Transport, @unchecked Sendable {
    /// A request, as it has arrived.
    struct Arrival: Sendable {
        let load: String
        let method: String
        let host: String
        /// The names are in lower case.
        let headers: [String: String]
        let bytes: Int
        /// Whether the response is a redirect of the detour.
        let isRedirected: Bool
        /// Whether the request has come back from another origin.
        let hasLeftOrigin: Bool
    }

    static let base = "https://api.example.com/v1"
    static let otherHost = "other.example.com"
    /// The number of a load that isn't of the case.
    static let probe = "99"

    private let cell: Cell
    private let clock: VirtualClock
    private let lock = NSLock()
    private var all: [Arrival] = []
    private var open = 0
    /// Signs in to another account.
    var changeAccount: @Sendable () -> Void = {}

    init(_ cell: Cell, _ clock: VirtualClock) {
        self.cell = cell
        self.clock = clock
    }

    var arrivals: [Arrival] { lock.withLock { all } }
    /// How many bodies somebody still holds.
    var openBodies: Int { lock.withLock { open } }

    func send(_ first: TransportRequest) async throws -> TransportResponse {
        var (request, redirection) = (first, Redirection(of: first))
        let deadline = first.policy.timeLimit.map { clock.now + $0 }
        while true {
            let (httpResponse, chunks, end) = try await answer(to: request, deadline)
            if let next = try redirection.next(after: httpResponse, to: request) {
                request = next
                continue
            }
            let body = ArrivingBody(chunks, end, deadline, self)
            let response = TransportResponse(
                body: ResponseBody { try await body.next() }, httpResponse)
            guard !cell.isInChunks, !request.streamsResponse else { return response }
            return TransportResponse(try await response.body.data(upTo: .max), httpResponse)
        }
    }

    fileprivate func addOpen(_ count: Int) {
        lock.withLock { open += count }
    }

    /// Waits for the time limit, or until the task is cancelled.
    fileprivate func hang(_ deadline: TimeInterval?) async throws -> Never {
        do { try await clock.sleep(deadline.map { $0 - clock.now } ?? 1e9) } catch {
            throw URLError(.cancelled)
        }
        throw URLError(.timedOut)
    }
}

/// How a body ends.
private enum End {
    case whole, lost, never
}

/// A body that arrives chunk by chunk.
private final class ArrivingBody: @unchecked Sendable {
    private var chunks: ArraySlice<Data>
    private let end: End
    private let deadline: TimeInterval?
    private let server: Server

    init(_ chunks: [Data], _ end: End, _ deadline: TimeInterval?, _ server: Server) {
        self.chunks = chunks[...]
        self.end = end
        self.deadline = deadline
        self.server = server
        server.addOpen(1)
    }

    deinit { server.addOpen(-1) }

    func next() async throws -> Data? {
        await Task.yield()
        if Task.isCancelled { throw URLError(.cancelled) }
        if let chunk = chunks.popFirst() { return chunk }
        switch end {
        case .whole: return nil
        case .lost: throw URLError(.networkConnectionLost)
        case .never: try await server.hang(deadline)
        }
    }
}

extension Server {
    private func answer(
        to request: TransportRequest, _ deadline: TimeInterval?
    ) async throws -> (HTTPURLResponse, [Data], End) {
        await Task.yield()
        if Task.isCancelled { throw URLError(.cancelled) }
        let urlRequest = request.urlRequest
        var bytes = urlRequest.httpBody?.count ?? 0
        if let upload = request.upload {
            bytes = 0
            for try await chunk in try upload.chunks() { bytes += chunk.count }
        }
        guard let url = urlRequest.url, let host = url.host else { throw URLError(.badURL) }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
        let load = query["n"] ?? ""
        let hop = load == Self.probe ? nil : hop(from: url, host)
        let arrival = Arrival(
            load: load, method: urlRequest.httpMethod ?? "GET", host: host,
            headers: Dictionary(
                (urlRequest.allHTTPHeaderFields ?? [:]).map { ($0.lowercased(), $1) }
            ) { $1 },
            bytes: bytes, isRedirected: hop != nil,
            hasLeftOrigin: cell.detour.leavesOrigin && url.path.hasSuffix("moved"))
        let number = lock.withLock {
            all.append(arrival)
            return all.count { $0.load == load && !$0.isRedirected }
        }
        func respond(
            _ status: Int, _ headers: [String: String] = [:], _ chunks: [Data], _ end: End = .whole
        ) throws -> (HTTPURLResponse, [Data], End) {
            var headers = headers
            // A request that isn't counted as ended would make the last load of a probe wait.
            headers["RateLimit"] = load == Self.probe ? "\"day\";r=3;t=30" : "\"day\";r=1000;t=10"
            guard
                let httpResponse = HTTPURLResponse(
                    url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
            else { throw URLError(.badServerResponse) }
            return (httpResponse, chunks, end)
        }
        func refuse(_ status: Int, _ code: String, _ headers: [String: String] = [:]) throws
            -> (HTTPURLResponse, [Data], End)
        {
            try respond(
                status, headers.merging(["Content-Type": "application/json"]) { $1 },
                [Data(#"{"code": ""#.utf8), Data("\(code)\"}".utf8)])
        }
        if let hop { return try respond(cell.detour.status, ["Location": hop], []) }
        let (headers, chunks) = content(after: arrival, query["cursor"])
        if cell.ending.changesAccount, load != Self.probe, number == 1 { changeAccount() }
        let ending = load == Self.probe ? .success : cell.ending
        switch ending {
        case .typedError: return try refuse(422, "bad")
        case .undecodable: return try respond(200, headers, undecodable)
        case .refusedAlways: return try refuse(401, "who")
        case .refusedOnce
        where cell.stack.contains(.authorized)
            ? arrival.headers["authorization"] == "Bearer old" : number == 1:
            return try refuse(401, "who")
        case .unavailableAlways: return try refuse(503, "busy", ["Retry-After": "2"])
        case .unavailableOnce where number == 1, .busyThenSilent where number == 1,
            .accountThenBusy where number == 1:
            return try refuse(503, "busy", ["Retry-After": "2"])
        case .lostBefore where number == 1: throw URLError(.networkConnectionLost)
        case .lostWithin where number == 1, .accountThenLost where number == 1:
            return try respond(200, headers, Array(chunks.prefix(1)), .lost)
        case .continued where number == 1:
            return try respond(
                200, headers.merging(["ETag": "\"1\""]) { $1 }, Array(chunks.prefix(1)), .lost)
        case .continued where arrival.headers["range"] == "bytes=100-":
            return try respond(
                206, ["ETag": "\"1\"", "Content-Range": "bytes 100-299/300"],
                Array(chunks.dropFirst()))
        case .movedWithin where !url.path.hasSuffix("moved"):
            return try respond(307, ["Location": "/moved?\(url.query ?? "")"], [])
        case .movedAway where host != Self.otherHost:
            let location = "https://\(Self.otherHost)/moved?\(url.query ?? "")"
            return try respond(307, ["Location": location], [])
        case .silent, .busyThenSilent, .cancelledWaiting: try await hang(deadline)
        case .stalled, .cancelledWithin:
            return try respond(200, headers, Array(chunks.prefix(1)), .never)
        default: return try respond(200, headers, chunks)
        }
    }

    /// Where the cell's detour leads a request to; `nil` at its end.
    private func hop(from url: URL, _ host: String) -> String? {
        guard cell.detour != .none, !url.path.hasSuffix("moved") else { return nil }
        let query = url.query ?? ""
        return cell.detour.leavesOrigin && host != Self.otherHost
            ? "https://\(Self.otherHost)/away?\(query)"
            : "https://api.example.com/v1/moved?\(query)"
    }

    private static let smallChunks = chunks(of: 100)
    private static let largeChunks = chunks(of: 70_000)

    private static func chunks(of count: Int) -> [Data] {
        "abc".utf8.map { Data(repeating: $0, count: count) }
    }

    private var undecodable: [Data] {
        switch cell.kind {
        case .events: [Data("data: <html>\n\n".utf8)]
        default: [Data("<html>\n".utf8)]
        }
    }

    private func content(after arrival: Arrival, _ cursor: String?) -> ([String: String], [Data]) {
        func json(_ text: String) -> String { #"{"text": "\#(text)"}"# }
        // The probe's request is one for a whole response.
        let kind = arrival.load == Self.probe ? .whole : cell.kind
        switch kind {
        case .whole:
            return (
                ["Content-Type": "application/json"],
                [Data(#"{"text": "#.utf8), Data(#""a"}"#.utf8)]
            )
        case .pages:
            let page =
                cursor == nil
                ? #"{"items": [\#(json("a")), \#(json("b"))], "next": "2"}"#
                : #"{"items": [\#(json("c"))]}"#
            return (
                ["Content-Type": "application/json"],
                [Data(page.utf8.prefix(9)), Data(page.utf8.dropFirst(9))]
            )
        case .lines:
            return (["Content-Type": "text/plain"], ["a\n", "b\n", "c\n"].map { Data($0.utf8) })
        case .values:
            return (
                ["Content-Type": "application/jsonl"],
                ["a", "b", "c"].map { Data("\(json($0))\n".utf8) }
            )
        case .events:
            let last = arrival.headers["last-event-id"].flatMap { Int($0) }
            let events = ["a", "b", "c"].enumerated().map { id, text in
                Data("id: \(id)\ndata: \(json(text))\n\n".utf8)
            }
            return (
                ["Content-Type": "text/event-stream"],
                events.dropFirst((last ?? -1) + 1) + [Data("data: [DONE]\n\n".utf8)]
            )
        case .bytes, .file, .download:
            let chunks = cell.ending == .left ? Self.largeChunks : Self.smallChunks
            return (
                [
                    "Content-Type": "application/octet-stream",
                    "Content-Length": "\(3 * chunks[0].count)",
                ], chunks
            )
        }
    }
}
