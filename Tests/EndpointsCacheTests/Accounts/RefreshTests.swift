import Endpoints
import EndpointsCache
import EndpointsMiddleware
import Foundation
import Testing

/// What a refresh of the token means for what is stored.
@Suite("Stored responses and a refresh")
struct RefreshTests {
    let server = OriginServer()
    let folder = TemporaryFolder()

    private func client(_ order: AccountTests.Order) -> EndpointClient<ServerEnvironment> {
        let tokens = MemoryCredentials(
            for: ServerEnvironment.example, AccessToken(.bearer("first-token"), account: "a")
        ) { AccessToken(.bearer("second-token"), account: $0.account) }
        let storage = CacheStorage.disk(folder.url, megabytes: 1)
        return switch order {
        case .signInInside:
            EndpointClient(server.authorized(by: tokens).cached(in: storage), in: .example)
        case .signInOutside:
            EndpointClient(server.cached(in: storage).authorized(by: tokens), in: .example)
        }
    }

    /// Lets the server refuse the first token, but only for some items.
    private func refuseFirstToken(_ fields: [String: String], for path: String) {
        server.during.withLock {
            $0 = { [server] request in
                let token = request.urlRequest.value(forHTTPHeaderField: "Authorization")
                let isRefused =
                    token != "Bearer second-token" && request.urlRequest.url?.path == path
                server.set(isRefused ? 401 : 200, fields, isRefused ? "refused" : "fine")
            }
        }
    }

    @Test(
        "A 401 isn't stored, so the request that is sent after the refresh gets its response",
        arguments: AccountTests.Order.allCases)
    func refusal(_ order: AccountTests.Order) async throws {
        refuseFirstToken(["Cache-Control": "max-age=60"], for: "/items/1")
        #expect(try await client(order)(GetItem()).value == "fine")
        #expect(server.count == 2)
    }

    @Test(
        "With `Vary: Authorization`, a refresh keeps what is stored, and no token is written",
        arguments: AccountTests.Order.allCases)
    func vary(_ order: AccountTests.Order) async throws {
        let fields = ["Cache-Control": "max-age=60", "Vary": "Authorization"]
        refuseFirstToken(fields, for: "/items/2")
        let api = client(order)
        _ = try await api(GetItem(id: 1))
        for name in folder.files.keys {
            let file = try Data(contentsOf: folder.url.appendingPathComponent(name))
            #expect(file.range(of: Data("first-token".utf8)) == nil)
        }
        _ = try await api(GetItem(id: 2))
        #expect(
            server.last?.value(forHTTPHeaderField: "Authorization") == "Bearer second-token")
        #expect(try await api(GetItem(id: 1)).source == .cache)
    }

    @Test("A request's own secrets in `Vary` tell requests apart, and aren't written")
    func ownSecrets() async throws {
        let cache = TestCache(.disk(folder.url, megabytes: 1))
        cache.server.set(
            200, ["Cache-Control": "max-age=60", "Vary": "X-Api-Key, Cookie, Accept"])
        let fields = ["X-Api-Key": "first-key", "Cookie": "s=first-key", "Accept": "a/b"]
        try await cache.load("GET", "items", fields)
        let name = try #require(folder.files.keys.first)
        let file = try Data(contentsOf: folder.url.appendingPathComponent(name))
        #expect(file.range(of: Data("first-key".utf8)) == nil)
        #expect(try await cache.load("GET", "items", fields).source == .cache)
        for name in fields.keys {
            let other = fields.merging([name: "other"]) { $1 }
            #expect(try await cache.load("GET", "items", other).source == .server, "\(name)")
        }
    }
}
