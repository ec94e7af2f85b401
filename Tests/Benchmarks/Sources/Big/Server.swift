import Endpoints
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

    init() throws {
        guard let text = ProcessInfo.processInfo.environment["ENDPOINTS_FAULTS"],
            let url = URL(string: text)
        else { throw Difference(text: "ENDPOINTS_FAULTS is not set; run `make big`") }
        environment = ServerEnvironment(baseUrl: url)
    }

    var measures: [(name: String, run: @Sendable (_ bytes: Int) async throws -> Void)] {
        [
            ("read as it arrives", { try check(try await drain($0), $0) }),
            ("read at 32 MB/s", { try check(try await drain($0, pausing: true), $0) }),
            ("saved as a file", save),
            ("JSON lines", { try await lines($0 / 64) }),
            ("sent from a file", send),
            ("sent as a part of a form", sendForm),
        ]
    }

    /// Reads bytes, at times with a pause after each megabyte.
    func drain(_ count: Int, pausing: Bool = false) async throws -> Int {
        let stream = try await URLSession.shared.response(in: environment, with: GetFile(n: count))
        var (read, paused) = (0, 0)
        for try await piece in stream {
            read += piece.count
            guard pausing, read - paused > 1 << 20 else { continue }
            paused = read
            try await Task.sleep(nanoseconds: 31_000_000)
        }
        return read
    }

    @Sendable private func save(_ count: Int) async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("big-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let stream = try await URLSession.shared.response(in: environment, with: GetFile(n: count))
        try await stream.save(to: file)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        try check((attributes[.size] as? NSNumber)?.intValue ?? 0, count)
    }

    private func lines(_ count: Int) async throws {
        let stream = try await URLSession.shared.response(in: environment, with: GetLines(n: count))
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
