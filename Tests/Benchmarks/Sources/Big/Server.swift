import Endpoints
import EndpointsStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A file of the fault server.
struct GetFile: FlatRequest {
    let n: Int
    static let endpoint = Endpoint<GetFile>(
        method: .get, path: "-/stream/file", parameters: [.query("n", path: \.n)])
    typealias Response = ByteStream
    static let loadPolicy = LoadPolicy(unreadLimit: .max)
}

/// JSON lines of the fault server.
struct GetLines: FlatRequest {
    let n: Int
    static let endpoint = Endpoint<GetLines>(
        method: .get, path: "-/stream/lines", parameters: [.query("n", path: \.n)])
    typealias Response = JSONLines<Line>
    struct Line: Decodable { let id: Int }
}

/// What is wrong with a body.
struct Difference: Error {
    let text: String
}

/// The fault server, and what is loaded from it.
struct Server: Sendable {
    let environment: ServerEnvironment
    /// How many megabytes the slow reader reads in a second.
    let rate: Int

    init(rate: Int) throws {
        guard let text = ProcessInfo.processInfo.environment["ENDPOINTS_FAULTS"],
            let url = URL(string: text)
        else { throw Difference(text: "ENDPOINTS_FAULTS is not set; run `make big`") }
        environment = ServerEnvironment(baseUrl: url)
        self.rate = rate
    }

    var measures: [(name: String, run: @Sendable (_ bytes: Int) async throws -> Void)] {
        [
            ("read as it arrives", { try check(try await drain($0), $0) }),
            ("read slowly, at \(rate) MB/s", { try check(try await drain($0, at: rate), $0) }),
            ("saved as a file", save),
            ("JSON lines, one for each 64 bytes", { try await lines($0 / 64) }),
            ("sent from a file", send),
            ("sent as a part of a form", sendForm),
        ]
    }

    /// Reads bytes, at a rate in megabytes a second if there is one.
    func drain(_ count: Int, at rate: Int? = nil) async throws -> Int {
        let stream = try await Self.transport.response(in: environment, with: GetFile(n: count))
        let start = ContinuousClock.now
        var read = 0
        for try await chunk in stream {
            read += chunk.count
            guard let rate else { continue }
            try await Task.sleep(until: start + .seconds(Double(read) / Double(rate << 20)))
        }
        return read
    }

    @Sendable private func save(_ count: Int) async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("big-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let stream = try await Self.transport.response(in: environment, with: GetFile(n: count))
        try await stream.save(to: file)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        try check((attributes[.size] as? NSNumber)?.intValue ?? 0, count)
    }

    private func lines(_ count: Int) async throws {
        let stream = try await Self.transport.response(in: environment, with: GetLines(n: count))
        var next = 0
        for try await line in stream {
            try check(line.id, next)
            next += 1
        }
        try check(next, count)
    }
}

private func check(_ found: Int, _ expected: Int) throws {
    if found != expected { throw Difference(text: "\(found) is not \(expected)") }
}
