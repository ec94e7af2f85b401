import Endpoints
import EndpointsCache
import EndpointsMiddleware
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct User: Decodable, Sendable {
    let id: Int
    let name: String

    /// Decodes a user, as people do by hand.
    static func check(_ loaded: (data: Data, status: Int)) throws {
        guard (200..<300).contains(loaded.status) else { throw URLError(.badServerResponse) }
        _ = try JSONDecoder().decode(User.self, from: loaded.data)
    }
}

struct GetUser: FlatRequest {
    let id: Int

    static let endpoint = Endpoint<Self>(method: .get, path: "users/\(path: \.id)")
    typealias Response = User
}

/// One way to load a user. Each has a session of its own, and so its own connections.
struct Way {
    let name: String
    let load: @Sendable (Int) async throws -> Void
}

extension Way {
    /// Users in small JSON.
    /// - Parameter usual: Whether only the library alone and with four middleware are compared.
    static func gets(_ server: URL, usual: Bool = false) -> [Way] {
        let environment = ServerEnvironment(baseUrl: server)
        let hand = Hand()
        var ways = [
            Way(name: Hand.name) { id in
                try User.check(try await hand.load(server.appendingPathComponent("users/\(id)")))
            }
        ]
        if !usual { ways += Hand.others(server) }
        for (name, transport) in transports(environment)
        where !usual || ["the library", "all four"].contains(name) {
            ways.append(
                Way(name: name) { id in
                    _ = try await transport.response(in: environment, with: GetUser(id: id))
                })
        }
        if !usual { ways += others(server) }
        return ways
    }

    /// The library alone, with each middleware, and with four of them.
    private static func transports(
        _ environment: ServerEnvironment
    ) -> [(name: String, transport: any Transport)] {
        func tokens() -> MemoryCredentials {
            MemoryCredentials(for: environment, AccessToken(.bearer("t0k3n"))) { $0 }
        }
        return [
            ("the library", Hand.transport()),
            ("authorized", Hand.transport().authorized(by: tokens())),
            ("paced", Hand.transport().paced()),
            ("limited", Hand.transport().limited(perOrigin: 2000)),
            ("retrying", Hand.transport().retrying()),
            (
                "all four",
                Hand.transport().authorized(by: tokens()).paced().limited(perOrigin: 2000)
                    .retrying()
            ),
        ]
    }
}

// MARK: - Large bodies

struct GetMegabyte: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "megabyte")
    typealias Response = Data
}

struct PutMegabyte: FlatRequest {
    let body: Data
    static let endpoint = Endpoint<Self>(method: .put, path: "upload")
    typealias Response = Void
}

extension Way {
    private static let megabyte = Data(repeating: UInt8(ascii: "a"), count: 1 << 20)

    static func bodies(_ server: URL) -> [Way] {
        let (hand, library) = (Hand(), Hand.transport())
        let url = server.appendingPathComponent("megabyte")
        let environment = ServerEnvironment(baseUrl: server)
        return [
            Way(name: Hand.name) { _ in
                let (data, _) = try await hand.load(url)
                guard data.count == megabyte.count else { throw URLError(.badServerResponse) }
            },
            Way(name: "the library") { _ in
                let data = try await library.response(in: environment, with: GetMegabyte())
                guard data.count == megabyte.count else { throw URLError(.badServerResponse) }
            },
        ]
    }

    static func uploads(_ server: URL) -> [Way] {
        let (hand, library) = (Hand(), Hand.transport())
        let url = server.appendingPathComponent("upload")
        let environment = ServerEnvironment(baseUrl: server)
        return [
            Way(name: "by hand") { _ in
                guard try await hand.load(url, body: megabyte).status == 200
                else { throw URLError(.badServerResponse) }
            },
            Way(name: "the library") { _ in
                try await library.response(in: environment, with: PutMegabyte(body: megabyte))
            },
        ]
    }
}

// MARK: - Many callers at once

struct GetPrivateUser: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "private")
    typealias Response = User
}

/// A token that many callers share, written by hand: one refresh, for which all wait.
private actor Token {
    private var value = "stale"
    private var refresh: Task<String, Never>?
    private(set) var refreshes = 0

    func present() -> String { value }

    func next(after old: String) async -> String {
        if value != old { return value }
        let task = refresh ?? Task { "fresh" }
        if refresh == nil { refreshes += 1 }
        refresh = task
        value = await task.value
        return value
    }
}

extension Way {
    private static let callers = 1000

    /// Waits for 1,000 calls.
    private static func crowd(_ call: @escaping @Sendable (Int) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<callers { group.addTask { try await call(number) } }
            try await group.waitForAll()
        }
    }

    /// Each caller sends a token that the server refuses.
    static func storms(_ server: URL) -> [Way] {
        let (hand, library) = (Hand(), Hand.transport())
        let url = server.appendingPathComponent("private")
        let environment = ServerEnvironment(baseUrl: server)
        return [
            Way(name: "by hand, an actor") { _ in
                let token = Token()
                try await crowd { _ in
                    let first = await token.present()
                    var loaded = try await hand.load(url, bearer: first)
                    if loaded.status == 401 {
                        loaded = try await hand.load(url, bearer: await token.next(after: first))
                    }
                    try User.check(loaded)
                }
                guard await token.refreshes == 1 else { throw URLError(.unknown) }
            },
            Way(name: "authorized") { _ in
                let refreshes = Count()
                let tokens = MemoryCredentials(for: environment, AccessToken(.bearer("stale"))) {
                    _ in
                    await refreshes.add()
                    return AccessToken(.bearer("fresh"))
                }
                let transport = library.authorized(by: tokens)
                try await crowd { _ in
                    _ = try await transport.response(in: environment, with: GetPrivateUser())
                }
                guard await refreshes.value == 1 else { throw URLError(.unknown) }
            },
        ]
    }

    /// All callers send the same request.
    static func crowds(_ server: URL) -> [Way] {
        let hand = Hand()
        let url = server.appendingPathComponent("users/1")
        let environment = ServerEnvironment(baseUrl: server)
        let transport = Hand.transport().coalesced()
        return [
            Way(name: "by hand, each alone") { _ in
                try await crowd { _ in try User.check(try await hand.load(url)) }
            },
            Way(name: "coalesced") { _ in
                try await crowd { _ in
                    _ = try await transport.response(in: environment, with: GetUser(id: 1))
                }
            },
        ]
    }

    /// Responses that need no server, beside the least that reading the same bytes takes.
    static func stored(_ server: URL) throws -> [Way] {
        let environment = ServerEnvironment(baseUrl: server)
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("loads-\(UUID().uuidString)")
        let file = folder.appendingPathExtension("json")
        let stores: [(String, CacheStorage)] = [
            ("stored in memory", .memory(megabytes: 20)),
            ("stored in a folder", .disk(folder, megabytes: 20)),
        ]
        var ways = [
            Way(name: "by hand, a file") { _ in
                _ = try JSONDecoder().decode(User.self, from: Data(contentsOf: file))
            }
        ]
        try Data(#"{"id": 42, "name": "Ann"}"#.utf8).write(to: file)
        for (name, storage) in stores {
            let transport = Hand.transport().cached(in: storage)
            ways.append(
                Way(name: name) { _ in
                    _ = try await transport.response(in: environment, with: GetStoredUser())
                })
        }
        return ways
    }
}

struct GetStoredUser: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "stored")
    typealias Response = User
}

private actor Count {
    private(set) var value = 0
    func add() { value += 1 }
}
