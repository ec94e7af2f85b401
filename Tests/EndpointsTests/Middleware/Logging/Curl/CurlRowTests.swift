import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Curl commands of the rules' tables", .needsServers)
struct CurlRowTests {
    /// Headers that a client adds to a request without them, so that the two may differ.
    static let ownHeaders: [(name: String, why: String)] = [
        ("User-Agent", "each client names itself"),
        ("Accept", "URLSession adds */*, and the command no header"),
        ("Accept-Encoding", "URLSession can decompress; curl does with --compressed"),
        ("Accept-Language", "URLSession adds the user's on Apple platforms"),
        ("Connection", "URLSession says that it keeps the connection"),
    ]

    @Test(
        "Each row's curl command, pasted into a shell, sends what URLSession sends, byte for byte",
        arguments: CurlTable.all)
    func table(table: CurlTable) async throws {
        let rows = try table.rows().map { row in
            let key = UUID().uuidString
            return (row: row, key: key, made: try row.made(key: key))
        }
        #expect(!rows.isEmpty)
        for row in rows { _ = try await URLSession.shared.send(row.made.request) }
        try Self.paste(rows.map(\.made.command))
        for row in rows {
            let requests = try await Server.recorder.response(to: Log(key: row.key)).requests
            guard requests.count == 2 else {
                Issue.record("\(row.row.name): \(requests.count) requests of\n\(row.made.command)")
                continue
            }
            let own = row.made.request.urlRequest
            let (sent, pasted) = (Arrived(requests[0], own), Arrived(requests[1], own))
            #expect(sent == pasted, "\(row.row.name)\n\(row.made.command.prefix(2000))")
        }
    }

    struct Log: FlatRequest {
        let key: String
        static let endpoint = Endpoint<Log>(method: .get, path: "-/log/\(path: \.key)")
        struct Response: Decodable { let requests: [Recorded] }
    }

    /// Runs commands one after the other, as if they were pasted into a shell.
    private static func paste(_ commands: [String]) throws {
        // It prints the responses, and curl its progress.
        let quiet = "curl() { command curl --silent --show-error --output /dev/null \"$@\"; }"
        let script = try TemporaryFile(
            Data(([quiet] + commands).joined(separator: "\n").utf8), name: "paste.sh")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [script.url.path]
        try process.run()
        process.waitUntilExit()
    }
}

/// What arrived of a request, without what each client adds.
private struct Arrived: Equatable {
    let method: String
    let target: String
    let headers: [String]
    let body: Data

    init(_ recorded: Recorded, _ urlRequest: URLRequest) {
        method = recorded.method
        target = recorded.target
        let added = CurlRowTests.ownHeaders.map { $0.name.lowercased() }.filter {
            urlRequest.value(forHTTPHeaderField: $0) == nil
        }
        let kept = recorded.headers.filter { !added.contains($0[0].lowercased()) }
        // A multipart body has another boundary each time that it is made.
        let type = recorded.values(of: "Content-Type").first ?? ""
        let boundary = type.split(separator: "boundary=").dropFirst().first.map(String.init)
        headers = kept.map { $0.joined(separator: ": ").replacing(boundary) }.sorted()
        let bytes = recorded.bytes ?? Data()
        body = boundary.map { bytes.replacing($0.utf8, with: "boundary".utf8) } ?? bytes
    }
}

extension String {
    fileprivate func replacing(_ boundary: String?) -> String {
        boundary.map { replacing($0, with: "boundary") } ?? self
    }
}
