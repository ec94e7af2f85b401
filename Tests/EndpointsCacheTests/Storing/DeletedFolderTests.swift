import Endpoints
import EndpointsCache
import EndpointsMiddleware
import EndpointsShared
import Foundation
import Testing

/// A folder that is deleted while caches use it, or that they can't use for a while.
@Suite("A deleted folder")
struct DeletedFolderTests {
    let folder = TemporaryFolder()

    private func cache(_ body: String = "") -> TestCache {
        let cache = TestCache(.disk(folder.url, bytes: 100_000))
        cache.server.set(200, ["Cache-Control": "max-age=60"], body)
        return cache
    }

    @Test(
        "A folder that is deleted, or whose files are, is made again by the next response",
        arguments: [true, false])
    func deleted(isWhole: Bool) async throws {
        let (first, second) = (cache(), cache())
        for cache in [first, second] {
            try await cache.load("GET", "0")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.count == 2, "a response and the lock")
        for url in isWhole ? [folder.url] : names.map(folder.url.appendingPathComponent) {
            try FileManager.default.removeItem(at: url)
        }
        // As many changes as the deleted folder had.
        for (cache, other) in [(first, second), (second, first)] {
            for path in ["1", "2"] {
                #expect(try await cache.load("GET", path + "\(cache === first)").source == .server)
                #expect(try await other.load("GET", path + "\(cache === first)").source == .cache)
            }
        }
        #expect(try await first.load("GET", "0").source == .server)
        #expect(try await second.load("GET", "0").source == .cache)
    }

    @Test("What another process has stored in a new folder is given, and not what was deleted")
    func newer() async throws {
        let (first, second) = (cache("one"), cache("two"))
        try await first.load()
        #expect(try await second.load().body == "one")
        try FileManager.default.removeItem(at: folder.url)
        try await second.load("GET", "items", ["Cache-Control": "no-cache"])
        #expect(try await first.load().body == "two")
        try await second.load("PUT", "items")
        second.server.set(200, ["Cache-Control": "max-age=60"], "three")
        try await second.load()
        #expect(try await first.load().body == "three")
    }

    @Test("A response of another process in a new folder is found beside a deleted one")
    func besides() async throws {
        let (first, second) = (cache(), cache())
        for cache in [first, second] {
            cache.server.set(200, ["Cache-Control": "max-age=60", "Vary": "A"])
        }
        try await first.load("GET", "items", ["A": "1"])
        try FileManager.default.removeItem(at: folder.url)
        try await second.load("GET", "items", ["A": "2"])
        #expect(try await first.load("GET", "items", ["A": "2"]).source == .cache)
    }

    @Test("A sign-out after the deletion counts for all processes")
    func signsOut() async throws {
        func client(
            _ server: OriginServer
        ) -> (api: EndpointClient<ServerEnvironment>, tokens: MemoryCredentials) {
            let ann = AccessToken(.bearer("t"), account: "ann")
            let tokens = MemoryCredentials(for: ServerEnvironment.example, ann) { $0 }
            let session = server.authorized(by: tokens).cached(
                in: .disk(folder.url, bytes: 100_000))
            return (EndpointClient(session, in: .example), tokens)
        }
        let servers = [OriginServer(), OriginServer()]
        for server in servers { server.set(200, ["Cache-Control": "max-age=600"], "before") }
        let (first, second) = (client(servers[0]), client(servers[1]))
        _ = try await first.api(GetItem())
        try FileManager.default.removeItem(at: folder.url)
        second.tokens.signOut()
        second.tokens.signIn(AccessToken(.bearer("t"), account: "ann"))
        servers[1].set(200, ["Cache-Control": "max-age=600"], "after")
        _ = try await second.api(GetItem())
        #expect(try await first.api(GetItem()).value == "after")
    }

    @Test("What is dropped while the folder can't be read is dropped when it can")
    func pending() async throws {
        let storage = CacheStorage.disk(folder.url, bytes: 100_000)
        try await cache().load()
        let aside = TemporaryFolder()
        try FileManager.default.moveItem(at: folder.url, to: aside.url)
        try Data().write(to: folder.url)
        storage.removeAll()
        try FileManager.default.removeItem(at: folder.url)
        try FileManager.default.moveItem(at: aside.url, to: folder.url)
        let first = TestCache(storage)
        first.server.set(500)
        #expect(try await first.load().source == .server)
        #expect(folder.files.isEmpty)
    }

    @Test("A process that stands still during a change doesn't hold up a stored response")
    func standsStill() async throws {
        let (first, second) = (cache(), cache())
        try await first.load()
        let lock = open(folder.url.appendingPathComponent(".lock").path, O_RDWR | O_CLOEXEC)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX) == 0)
        var number: UInt64 = 77
        #expect(pwrite(lock, &number, 8, 0) == 8)
        for cache in [first, second] { #expect(try await cache.load().source == .cache) }
        #expect(try await second.load("GET", "other").source == .server)
    }
}
