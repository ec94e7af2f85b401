import Endpoints
import EndpointsCache
import EndpointsMiddleware
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private struct GetStored: FlatRequest {
    let i: Int

    static let endpoint = Endpoint<GetStored>(
        method: .get, path: "ok", parameters: [.query("i", path: \.i)])
    typealias Response = Number

    struct Number: Decodable {
        let i: Int
    }
}

/// A session whose responses may be stored for an hour.
private struct Storable: Transport {
    let session: URLSession

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        var response = try await session.send(request)
        let head = response.httpResponse
        var fields = head.allHeaderFields as? [String: String] ?? [:]
        fields["Cache-Control"] = "max-age=3600"
        guard let url = head.url,
            let storable = HTTPURLResponse(
                url: url, statusCode: head.statusCode, httpVersion: nil, headerFields: fields)
        else { throw URLError(.badServerResponse) }
        response.httpResponse = storable
        return response
    }
}

/// The time of a stored response, and of one that must be loaded, compared with a load without a
/// cache.
func caching() async throws {
    print("\nA load through a cache, against one without, from a server on the loopback\n")
    guard let address = ProcessInfo.processInfo.environment["ENDPOINTS_LOAD"],
        let url = URL(string: address)
    else { throw Difference(description: "ENDPOINTS_LOAD is not set; run `make bench`") }
    let server = ServerEnvironment(baseUrl: url)
    let session = Storable(session: URLSession(configuration: .ephemeral))
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("endpoints-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }

    func load(_ transport: some Transport, _ number: Int) async throws {
        keep(try await transport.response(in: server, with: GetStored(i: number)))
    }
    let (memory, disk) = (
        session.cached(in: .memory(megabytes: 100)),
        session.cached(in: .disk(folder, megabytes: 100))
    )
    let coalesced = session.coalesced()
    let bare = Runner(name: "bare") { for number in $0 { try await load(session, number) } }
    let runners: [(goal: Double, runner: Runner)] = [
        (
            1.03,
            Runner(name: "in memory, not stored yet") { for i in $0 { try await load(memory, i) } }
        ),
        (
            1.2,
            Runner(name: "in a folder, not stored yet") { for i in $0 { try await load(disk, i) } }
        ),
        (1.03, Runner(name: "coalesced") { for i in $0 { try await load(coalesced, i) } }),
        (0.05, Runner(name: "in memory, stored") { for _ in $0 { try await load(memory, -1) } }),
        (0.05, Runner(name: "in a folder, stored") { for _ in $0 { try await load(disk, -1) } }),
    ]
    // What the system takes of a response that is stored in a folder, and no cache can save.
    let files = Runner(name: "a file made, written and renamed") { numbers in
        for number in numbers {
            let file = folder.appendingPathComponent("\(number)")
            try Data(repeating: 0, count: 500).write(to: file, options: .atomic)
        }
    }
    for (goal, runner) in runners + [(.infinity, files)] {
        let rows = try await race([runner, bare], batch: 40)
        print(
            line(
                "\(runner.name), against bare", rows[0].nanoseconds, rows[1].nanoseconds,
                rows[1].firstRelative.text(most: goal)))
    }
}
