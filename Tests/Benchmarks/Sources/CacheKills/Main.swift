import Endpoints
import EndpointsCache
import EndpointsMiddleware
import Foundation
import Kills

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Checks what a cache has stored in a folder, and then stores until it is killed: see kills.py.
///
///     CacheKills FOLDER SEED          checks, and then stores
///     CacheKills FOLDER SEED BYTES    the same, and is killed when so many bytes are written
///     CacheKills FOLDER SEED check    only checks, and prints how many responses it has found
///
/// The exit code is 1 if the cache gives a wrong body or one of another account, if it doesn't
/// store any more, or if the folder is larger than its limit.
@main
enum Main {
    static let limit = 1_000_000
    static let accounts = ["a", "b", "c"]
    static let ids = 0..<300

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 2, let seed = UInt64(arguments[2]) else { exit(2) }
        let folder = URL(fileURLWithPath: arguments[1])
        var random = SplitMix64(seed: seed)
        let server = Bodies(seed: seed)
        let storage = CacheStorage.disk(folder, megabytes: 1)
        let caches = accounts.map { account in
            let token = AccessToken(.bearer(account), account: account)
            let tokens = MemoryCredentials(for: environment, token) { $0 }
            return (
                account,
                EndpointClient(
                    server.authorized(by: tokens).cached(in: storage), in: environment)
            )
        }
        var found = 0
        for (account, api) in caches {
            for id in ids {
                guard let body = try await api.stored(GetBody(id: id)) else { continue }
                found += 1
                if !Bodies.isRight(body, account, id) {
                    fail("\(id) of \(account) is \(body.prefix(40)), \(body.utf8.count) bytes")
                }
            }
        }
        let size = size(of: folder)
        if size > limit { fail("the folder has \(size) bytes") }
        guard arguments.last != "check" else { return print(found) }
        print("checked")
        fflush(nil)
        if arguments.count > 3, let bytes = Int(arguments[3]) { kill_after(bytes) }
        while true {
            let id = Int.random(in: ids, using: &random)
            let (account, api) = caches[Int.random(in: 0..<caches.count, using: &random)]
            let body = try await api.response(to: GetBody(id: id), cachePolicy: .reload)
            let stored = try await api.stored(GetBody(id: id))
            // Another process may have replaced or evicted it.
            if let stored, !Bodies.isRight(stored, account, id) { fail("\(id) after a store") }
            if !Bodies.isRight(body, account, id) { fail("\(id) from the server") }
            if Int.random(in: 0..<50, using: &random) == 0 { try await api.forget(GetBody(id: id)) }
        }
    }

    private static let environment = ServerEnvironment(
        baseUrl: URL(string: "https://api.example.com") ?? URL(fileURLWithPath: "/"))

    private static func fail(_ text: String) -> Never {
        print("CacheKills: \(text)")
        fflush(nil)
        exit(1)
    }

    /// The bytes of a folder's files. No process changes the folder meanwhile: a file that is
    /// counted and then makes room for another would count twice.
    private static func size(of folder: URL) -> Int {
        let lock = open(folder.appendingPathComponent(".lock").path, O_RDWR)
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0, errno == EINTR {}
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.reduce(0) { sum, name in
            let path = folder.appendingPathComponent(name).path
            let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
            return sum + (name == ".lock" ? 0 : size ?? 0)
        }
    }
}

struct GetBody: FlatRequest {
    let id: Int
    static let endpoint = Endpoint<Self>(method: .get, path: "bodies/\(path: \.id)")
    typealias Response = String
}

/// A server whose bodies say whose they are, and which end and content they must have.
final class Bodies: Transport, @unchecked Sendable {
    private let lock = NSLock()
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed ^ 0xBAD_5EED) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let header = request.urlRequest.value(forHTTPHeaderField: "Authorization") ?? ""
        guard let url = request.urlRequest.url, let id = Int(url.lastPathComponent),
            let head = HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: "HTTP/1.1",
                headerFields: ["Cache-Control": "max-age=1000000"])
        else { throw URLError(.badURL) }
        let version = lock.withLock { Int.random(in: 0..<1_000_000, using: &random) }
        let account = String(header.dropFirst("Bearer ".count))
        return TransportResponse(Data(Self.body(account, id, version).utf8), head)
    }

    static func body(_ account: String, _ id: Int, _ version: Int) -> String {
        let head = "\(account)/\(id)/\(version)/"
        return head + String(repeating: "\(version % 10)", count: version % 8000) + "/\(account)"
    }

    /// Whether the body is one of those that `body(_:_:_:)` makes; compared as bytes, as each
    /// process checks hundreds of them.
    static func isRight(_ body: String, _ account: String, _ id: Int) -> Bool {
        let parts = body.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 3)
        guard parts.count == 4, let version = Int(String(parts[2]) ?? "") else { return false }
        return body.utf8.elementsEqual(Self.body(account, id, version).utf8)
    }
}
