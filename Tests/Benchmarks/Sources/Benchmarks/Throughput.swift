import Endpoints
import EndpointsCache
import EndpointsStreams
import EndpointsTesting
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private struct Row: Decodable {
    let id: Int
    let name: String
    let isOpen: Bool
}

private struct GetEvents: FlatRequest {
    static let endpoint = Endpoint<GetEvents>(method: .get, path: "events")
    typealias Response = EventStream<Row>
}

private struct GetItems: FlatRequest {
    static let endpoint = Endpoint<GetItems>(method: .get, path: "items")
    typealias Response = JSONLines<Row>
}

private struct GetBlob: FlatRequest {
    let id: Int
    static let endpoint = Endpoint<GetBlob>(method: .get, path: "blobs/\(path: \.id)")
    typealias Response = Data
}

private struct PostForm: RequestType {
    let body: Multipart
    static let endpoint = Endpoint<PostForm>(method: .post, path: "form")
    typealias Response = Void
}

/// A transport with a response of 1 MB that may be stored.
private struct Megabyte: Transport {
    let data = Data(repeating: UInt8(ascii: "a"), count: 1 << 20)

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let url = request.urlRequest.url
        return TransportResponse(data, try head(["Cache-Control": "max-age=1000000000"], at: url))
    }
}

func head(_ fields: [String: String], at url: URL? = nil) throws -> HTTPURLResponse {
    let fields = fields.merging(["Date": "Tue, 14 Nov 2023 22:13:20 GMT"]) { $1 }
    guard
        let head = HTTPURLResponse(
            url: url ?? ServerEnvironment.production.baseUrl, statusCode: 200, httpVersion: nil,
            headerFields: fields)
    else { throw URLError(.badURL) }
    return head
}

/// How many megabytes a second each reader takes, and how many if each byte is only looked at:
/// `Benchmarks throughput FOLDER`, which `throughput.py` calls with a folder of what is read.
func throughput(_ folder: URL) async throws {
    func data(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(name))
    }
    let server = ServerEnvironment.production
    let events = try Chunked(try data("events"), "text/event-stream")
    let lines = try Chunked(try data("lines"), "application/jsonl")
    let part = try data("part")
    let archive = folder.appendingPathComponent("archive.har")
    let entries = try JSONDecoder().decode(Entries.self, from: try data("archive.har"))
    let stored = folder.appendingPathComponent("stored")
    let cached = Megabyte().cached(in: .disk(stored, megabytes: 100))
    let blobs = 32
    for id in 0..<blobs { keep(try await cached.response(in: server, with: GetBlob(id: id))) }

    try await measure("events", try data("events").count) {
        let events = try await events.response(in: server, with: GetEvents())
        for try await item in events.ending(at: "[DONE]") { keep(item) }
    }
    try await measure("lines", try data("lines").count) {
        for try await item in try await lines.response(in: server, with: GetItems()) { keep(item) }
    }
    try await measure("part", part.count) {
        let form = PostForm(
            body: [.text("title", "a"), .data("file", part, fileName: "a", contentType: nil)])
        keep(try form.urlRequest(in: server).bodyCount)
    }
    try await measure("archive.har", try data("archive.har").count) {
        let replay = try Replay(archive)
        for id in 0..<entries.log.entries.count {
            keep(try await replay.response(in: server, with: GetBlob(id: id)))
        }
    }
    try await measure("stored", blobs << 20) {
        for id in 0..<blobs {
            look(at: try await cached.response(in: server, with: GetBlob(id: id)))
        }
    }
    for name in ["events", "lines", "part", "archive.har"] {
        let file = folder.appendingPathComponent(name)
        try await measure("least \(name)", try data(name).count) {
            look(at: try Data(contentsOf: file))
        }
    }
    let names = FileManager.default.subpaths(atPath: stored.path) ?? []
    let files = names.map { stored.appendingPathComponent($0) }.filter { !$0.hasDirectoryPath }
    try await measure("least stored", blobs << 20) {
        for file in files { look(at: try Data(contentsOf: file)) }
    }
}

private struct Entries: Decodable {
    struct Log: Decodable { let entries: [Entry] }
    struct Entry: Decodable {}
    let log: Log
}

/// Looks at each byte.
private func look(at data: Data) {
    keep(data.withUnsafeBytes { $0.reduce(0 as UInt8) { $0 ^ $1 } })
}

/// Prints the median of five.
private func measure(
    _ name: String, _ bytes: Int, _ work: () async throws -> Void
) async throws {
    var rates: [Double] = []
    for _ in 0..<5 {
        let start = now(CLOCK_MONOTONIC)
        try await work()
        rates.append(Double(bytes) / 1e6 / (now(CLOCK_MONOTONIC) - start) * 1e9)
    }
    print("\(name)\t\(rates.sorted()[2])")
}

extension URLRequest {
    /// The length of a body that is read to its end.
    fileprivate var bodyCount: Int {
        guard let stream = httpBodyStream else { return httpBody?.count ?? 0 }
        stream.open()
        defer { stream.close() }
        var (bytes, count) = ([UInt8](repeating: 0, count: 64 << 10), 0)
        while true {
            let read = stream.read(&bytes, maxLength: bytes.count)
            guard read > 0 else { return count }
            count += read
        }
    }
}
