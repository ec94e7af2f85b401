import Endpoints
import EndpointsCache
import Foundation
import Testing

/// A response isn't used after a newer one has arrived, whether that is stored or not.
struct NewerTests {
    static let fresh = ["Cache-Control": "max-age=3600"]
    static let never = ["Cache-Control": "no-store"]

    let folder = TemporaryFolder()

    @Test(
        "After a newer response that isn't stored, nothing is used that was stored before",
        arguments: [
            (200, never, "v3"), (204, never, "v3"), (404, never, "v3"), (410, never, "v3"),
            (500, never, "v2"), (403, never, "v2"), (429, never, "v2"),
        ])
    func unstorable(_ status: Int, _ fields: [String: String], _ expected: String) async throws {
        let cache = TestCache()
        // Two names of one place: the first response varies, the second doesn't.
        cache.server.set(200, ["Cache-Control": "max-age=3600", "Vary": "X"], "v1")
        try await cache.load()
        cache.wait(1)
        cache.server.set(200, Self.fresh, "v2")
        try await cache.load("GET", "items", ["Cache-Control": "no-cache"])
        #expect(try await cache.load().body == "v2")
        cache.wait(1)
        cache.server.set(status, fields, "v3")
        try await cache.load("GET", "items", ["Cache-Control": "no-cache"])
        cache.server.set(200, Self.never, "v3")
        #expect(try await cache.load().body == expected)
    }

    @Test("A newer response is dropped with all older ones of its place", arguments: [true, false])
    func ofAnotherType(isInFolder: Bool) async throws {
        let server = OriginServer()
        let storage =
            isInFolder ? CacheStorage.disk(folder.url, bytes: 3000) : .memory(megabytes: 1)
        let api = EndpointClient(server.cached(in: storage), in: .example)
        server.set(200, Self.fresh, "v1")
        _ = try await api.response(to: GetItem())
        server.set(200, Self.fresh, "v2")
        _ = try await api.response(to: GetSameItem(), cachePolicy: .reload)
        #expect(try await api.response(to: GetItem()).value == "v2")
        try await api.forget(GetSameItem.self)
        server.set(200, Self.fresh, "v3")
        #expect(try await api.response(to: GetItem()).value == "v3")
        // One that is too large for the store takes the place of the others too.
        guard isInFolder else { return }
        server.set(200, Self.fresh, String(repeating: "4", count: 5000))
        _ = try await api.response(to: GetSameItem(), cachePolicy: .reload)
        #expect(try await api.response(to: GetItem()).value.hasPrefix("4"))
    }

    @Test("A 304 or a HEAD that forbids storing drops the stored response", arguments: [304, 200])
    func forbiddenLater(status: Int) async throws {
        let cache = TestCache()
        let changed = cache.date(-8_640_000)
        let tag = ["ETag": "\"1\"", "Last-Modified": changed]
        cache.server.set(200, tag.merging(["Cache-Control": "max-age=1"]) { $1 }, "v1")
        try await cache.load()
        cache.wait(5)
        cache.server.set(status, tag.merging(Self.never) { $1 }, "")
        let came = try await cache.load(status == 304 ? "GET" : "HEAD")
        #expect(came.source == (status == 304 ? .validatedCache : .server))
        cache.server.set(200, Self.never, "v2")
        #expect(try await cache.load().body == "v2")
    }

    @Test(
        "The response to an earlier request doesn't take the place of that to a later one",
        arguments: [200, 304])
    func slow(status: Int) async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=1", "ETag": "\"1\""], "v1")
        try await cache.load()
        cache.wait(10)
        let slow = OriginServer.Reply(
            status: status, fields: ["Cache-Control": "max-age=3600", "ETag": "\"1\""],
            body: status == 200 ? "v1" : "")
        let (arrival, arrived) = AsyncStream.makeStream(of: Void.self)
        let (release, released) = AsyncStream.makeStream(of: Void.self)
        cache.server.during.withLock {
            $0 = { [server = cache.server] request in
                guard request.urlRequest.value(forHTTPHeaderField: "Cache-Control") == nil
                else { return }
                arrived.finish()
                for await _ in release {}
                server.reply.withLock { $0 = slow }
            }
        }
        async let first = cache.load()
        for await _ in arrival {}
        cache.server.set(200, ["Cache-Control": "max-age=3600", "ETag": "\"2\""], "v2")
        let second = try await cache.load("GET", "items", ["Cache-Control": "no-cache"])
        released.finish()
        #expect(try await first.body == "v1")
        #expect(second.body == "v2")
        #expect(try await cache.load().body == "v2")
    }

    @Test("A failure doesn't bring back what was dropped since the request began")
    func staleAfterChange() async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=1, stale-if-error=600"], "v1")
        try await cache.load()
        cache.wait(10)
        let (arrival, arrived) = AsyncStream.makeStream(of: Void.self)
        let (release, released) = AsyncStream.makeStream(of: Void.self)
        cache.server.during.withLock {
            $0 = { [server = cache.server] request in
                guard request.urlRequest.httpMethod == "GET" else { return }
                arrived.finish()
                for await _ in release {}
                server.set(503)
            }
        }
        async let slow = cache.load()
        for await _ in arrival {}
        try await cache.load("PUT")
        released.finish()
        #expect(try await slow.status == 503)
    }
}

/// A request of another type with the URL of ``GetItem``.
private struct GetSameItem: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "items/1")
    typealias Response = WithHTTPResponse<String>
}
