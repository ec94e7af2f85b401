import Endpoints
import EndpointsDurable
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server of tus 1.0.0 in memory. What it does wrong is told beforehand.
final class TusServer: Transport {
    struct Seen: Equatable, CustomStringConvertible {
        var method: String
        var path: String
        var offset: Int64?
        var count: Int64 = 0
        var description: String { "\(method) \(path) \(offset.map { "\($0)+\(count)" } ?? "")" }
    }

    enum Fault: Sendable {
        /// The connection is lost when so many bytes of the body have arrived.
        case cut(after: Int64)
        /// The request is carried out with so many bytes of the body, as if there were no others.
        case take(Int64)
        /// Nothing happens until the task is cancelled.
        case hang
        /// The request is carried out, but the response is lost.
        case loseResponse
        case status(Int, [String: String] = [:])
        /// The request is carried out, but the response has other headers; `nil` for none.
        case headers([String: String?])
        /// Runs before the request is carried out.
        case run(@Sendable () throws -> Void)
        /// The response has a body without an end.
        case endlessBody
    }

    struct State: Sendable {
        var uploads: [String: (length: Int64, data: Data)] = [:]
        /// The parts that can be joined, and the requests that have joined some.
        var parts: Set<String> = []
        var joined: [String] = []
        /// Whether the parts stay after they were joined.
        var keepsParts = false
        /// What goes wrong with the requests of a method, one after another. That of a piece
        /// without bytes is `EMPTY`, that of a request that joins parts `JOIN`.
        var faults: [String: [Fault]] = [:]
        /// The requests, except OPTIONS and pieces without bytes.
        var seen: [Seen] = []
        /// The offsets of the pieces without bytes.
        var confirmed: [Int64] = []
        var (running, mostRunning) = (0, 0)
        var requests: [URLRequest] = []
        var location = "/files/"
        var creationHeaders: [String: String] = [:]
        /// What the server says of itself; `nil` if it doesn't know the method.
        var options: [String: String]?
        var checksums: [String] = []
        /// The credentials of the requests to an upload.
        var tokens: [String] = []
        var count = 0
        var piece = 0
    }

    let state = Locked(State())

    var seen: [String] {
        state.withLock(\.seen).map { "\($0)".trimmingCharacters(in: .whitespaces) }
    }
    var requests: [URLRequest] { state.withLock(\.requests) }
    func fail(_ method: String, _ faults: Fault...) {
        state.withLock { $0.faults[method, default: []] += faults }
    }

    /// The bytes of the only upload.
    var stored: Data? {
        state.withLock { $0.uploads.count == 1 ? $0.uploads.first?.value.data : nil }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        let urlRequest = request.urlRequest
        guard let url = urlRequest.url, let method = urlRequest.httpMethod else {
            throw URLError(.badURL)
        }
        if method == "OPTIONS" {
            guard let headers = state.withLock(\.options) else {
                return try response(url, 405, [:])
            }
            return try response(url, 204, headers)
        }
        let offset = urlRequest.value(forHTTPHeaderField: "Upload-Offset").flatMap(Int64.init)
        let isEmpty = try method == "PATCH" && request.upload?.contentLength == 0
        let isJoining =
            urlRequest.value(forHTTPHeaderField: "Upload-Concat")?.hasPrefix("final") == true
        let kind = isEmpty ? "EMPTY" : isJoining ? "JOIN" : method
        let fault = state.withLock { state -> Fault? in
            if isEmpty { state.confirmed.append(offset ?? -1) }
            if !isEmpty { state.requests.append(urlRequest) }
            state.running += 1
            state.mostRunning = max(state.mostRunning, state.running)
            guard state.faults[kind]?.isEmpty == false else { return nil }
            return state.faults[kind]?.removeFirst()
        }
        defer { state.withLock { $0.running -= 1 } }
        if case .run(let body) = fault { try body() }
        if case .hang = fault { try await Task.sleep(nanoseconds: 1_000_000_000_000) }
        var body = Data()
        var isCut = false
        if let upload = request.upload {
            for try await chunk in try upload.chunks() {
                body += chunk
                if case .take(let count) = fault { body = body.prefix(Int(count)) }
                if case .cut(let count) = fault, body.count > count {
                    body = body.prefix(Int(count))
                    isCut = true
                    break
                }
            }
        }
        if case .cut = fault { isCut = true }
        if state.withLock({ !$0.parts.isEmpty }) { await Task.yield() }
        state.withLock {
            guard !isEmpty else { return }
            $0.seen.append(
                Seen(method: method, path: url.path, offset: offset, count: Int64(body.count)))
        }
        if case .status(let status, let headers) = fault {
            return try response(url, status, headers)
        }
        let (status, headers) = state.withLock {
            respond(method, url, urlRequest, offset, body, &$0)
        }
        if isCut { throw URLError(.networkConnectionLost) }
        switch fault {
        case .loseResponse: throw URLError(.networkConnectionLost)
        case .endlessBody:
            let head = try response(url, status, headers).httpResponse
            return TransportResponse(
                body: ResponseBody(chunks: { Data(count: 1 << 20) }), head)
        case .headers(let changes):
            var headers = headers
            for (name, value) in changes { headers[name] = value }
            return try response(url, status, headers)
        default: return try response(url, status, headers)
        }
    }

    private func respond(
        _ method: String, _ url: URL, _ request: URLRequest, _ offset: Int64?, _ body: Data,
        _ state: inout State
    ) -> (Int, [String: String]) {
        guard request.value(forHTTPHeaderField: "Tus-Resumable") == "1.0.0" else {
            return (412, [:])
        }
        let concat = request.value(forHTTPHeaderField: "Upload-Concat")
        if method == "POST", let concat, concat.hasPrefix("final;") {
            guard request.value(forHTTPHeaderField: "Upload-Length") == nil
            else { return (400, [:]) }
            let paths = concat.dropFirst(6).split(separator: " ").map {
                URL(string: String($0))?.path ?? ""
            }
            let parts = paths.map { state.uploads[$0] }
            guard parts.allSatisfy({ $0 != nil }), state.parts.isSuperset(of: paths)
            else { return (404, [:]) }
            guard parts.allSatisfy({ $0.map { $0.length == $0.data.count } ?? false })
            else { return (400, [:]) }
            let data = Data(parts.compactMap { $0?.data }.joined())
            state.count += 1
            state.uploads["/files/\(state.count)"] = (Int64(data.count), data)
            state.joined.append("/files/\(state.count)")
            if !state.keepsParts { for path in paths { state.uploads[path] = nil } }
            return (201, ["Location": "\(state.location)\(state.count)"])
        }
        if method == "POST" {
            guard
                let length = request.value(forHTTPHeaderField: "Upload-Length").flatMap(Int64.init)
            else { return (400, [:]) }
            state.count += 1
            state.uploads["/files/\(state.count)"] = (length, Data())
            if concat == "partial" { state.parts.insert("/files/\(state.count)") }
            return (
                201,
                state.creationHeaders.merging(["Location": "\(state.location)\(state.count)"]) {
                    $1
                }
            )
        }
        state.tokens.append(request.value(forHTTPHeaderField: "Authorization") ?? "")
        guard let upload = state.uploads[url.path] else { return (404, [:]) }
        switch method {
        case "HEAD":
            return (
                200,
                ["Upload-Offset": "\(upload.data.count)", "Upload-Length": "\(upload.length)"]
            )
        case "DELETE":
            state.uploads[url.path] = nil
            return (204, [:])
        case "PATCH":
            request.value(forHTTPHeaderField: "Upload-Checksum").map { state.checksums.append($0) }
            guard offset == Int64(upload.data.count) else { return (409, [:]) }
            guard upload.data.count + body.count <= upload.length else { return (400, [:]) }
            state.uploads[url.path]?.data += body
            return (204, ["Upload-Offset": "\(upload.data.count + body.count)"])
        default: return (405, [:])
        }
    }

    private func response(
        _ url: URL, _ status: Int, _ headers: [String: String]
    ) throws -> TransportResponse {
        guard
            let head = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
        else { throw URLError(.badServerResponse) }
        return TransportResponse(Data(), head)
    }
}

extension ServerEnvironment {
    static let uploads = ServerEnvironment(
        baseUrl: URL(string: "https://api.example.com") ?? URL(fileURLWithPath: "/"),
        headers: [.authorization: "Bearer token"])
}

/// Pieces of 1,000 bytes.
struct AddVideo: FlatRequest, ResumableRequest {
    let body: File
    static let endpoint = Endpoint<Self>(method: .post, path: "files")
    static let uploading = Resumable.tus(chunkSize: 1000)
    typealias Response = Void
}

/// A folder that is removed at the end, with a file of 3,500 bytes in it.
final class Place: Sendable {
    let url: URL
    let file: URL
    var states: URL { url.appendingPathComponent("states") }
    static let bytes = Data((0..<3500).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 256) })

    init(_ bytes: Data = Place.bytes) throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("uploads-\(UUID().uuidString)")
        file = url.appendingPathComponent("video.mp4")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try bytes.write(to: file)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var stateFiles: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: states.path)) ?? [])
            .filter { $0.hasSuffix(".upload") }.sorted()
    }
}

/// A clock that doesn't wait, and notes how long it was asked to.
final class Waits: Sendable {
    let seconds = Locked<[TimeInterval]>([])
    let start = Date()
    var clock: TransportClock {
        TransportClock(
            date: { self.start }, uptime: { 0 },
            sleep: { seconds in
                try Task.checkCancellation()
                self.seconds.withLock { $0.append(seconds) }
            },
            random: { 1 })
    }
}
