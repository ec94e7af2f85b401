import EndpointsCache
import Testing

/// RFC 9111, section 3: which responses are stored.
@Suite("RFC 9111, section 3: storing responses")
struct StoringTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var status = 200
        var fields: [String: String]
        var request: [String: String] = [:]
        let isStored: Bool
        var testDescription: String { "\(status) \(fields) to \(request)" }
    }

    static let rows: [Row] = [
        Row(fields: ["Cache-Control": "max-age=60"], isStored: true),
        Row(fields: ["Cache-Control": "private, max-age=60"], isStored: true),
        Row(fields: ["Cache-Control": "max-age=60, no-store"], isStored: false),
        Row(fields: ["Cache-Control": "No-Store, max-age=60"], isStored: false),
        Row(
            fields: ["Cache-Control": "max-age=60"], request: ["Cache-Control": "no-store"],
            isStored: false),
        Row(
            fields: ["Cache-Control": "max-age=60, must-revalidate"],
            request: ["Authorization": "Bearer t"], isStored: true),
        // Section 5.2.2.3: `no-store` is for caches that don't know `must-understand`.
        Row(fields: ["Cache-Control": "max-age=60, no-store, must-understand"], isStored: true),
        Row(
            status: 599, fields: ["Cache-Control": "max-age=60, no-store, must-understand"],
            isStored: false),
        Row(status: 599, fields: ["Cache-Control": "max-age=60"], isStored: true),
        Row(status: 404, fields: ["Cache-Control": "max-age=60"], isStored: true),
        Row(status: 503, fields: ["Cache-Control": "max-age=60"], isStored: true),
        // RFC 6585, sections 3 to 6: these must not be stored.
        Row(status: 428, fields: ["Cache-Control": "max-age=60"], isStored: false),
        Row(status: 429, fields: ["Cache-Control": "max-age=60"], isStored: false),
        Row(status: 431, fields: ["Expires": "Thu, 31 Dec 2099 23:59:59 GMT"], isStored: false),
        Row(status: 511, fields: ["Cache-Control": "public, max-age=60"], isStored: false),
        // Section 3.3: incomplete content.
        Row(status: 206, fields: ["Cache-Control": "max-age=60"], isStored: false),
        Row(fields: ["Cache-Control": "max-age=60", "Content-Length": "9"], isStored: false),
        Row(fields: ["Cache-Control": "max-age=60", "Content-Length": "1"], isStored: true),
        Row(
            fields: [
                "Cache-Control": "max-age=60", "Content-Length": "9", "Content-Encoding": "gzip",
            ], isStored: true),
    ]

    @Test("A response is stored, or not, as its directives and the request's say", arguments: rows)
    func stores(_ row: Row) async throws {
        let cache = TestCache()
        cache.server.set(row.status, row.fields)
        try await cache.load("GET", "items", row.request)
        let again = try await cache.load(
            "GET", "items", row.request.filter { $0.value != "no-store" })
        #expect((again.source == .cache) == row.isStored)
        #expect(again.status == row.status && again.body == "a")
        #expect(cache.server.count == (row.isStored ? 1 : 2))
    }

    @Test("Section 3.1: fields of one connection, and those that no-cache lists, aren't stored")
    func fields() async throws {
        let cache = TestCache()
        cache.server.set(
            200,
            [
                "Cache-Control": "max-age=60, no-cache=\"x-secret, b\"",
                "Connection": "x-hop, close",
                "X-Hop": "1", "X-Secret": "2", "B": "3", "C": "4", "Keep-Alive": "timeout=5",
                "Set-Cookie": "a=b",
            ])
        #expect(try await cache.load()["X-Hop"] == "1")
        let again = try await cache.load()
        #expect(again.source == .cache)
        for name in ["X-Hop", "X-Secret", "B", "Connection", "Keep-Alive"] {
            #expect(again[name] == nil)
        }
        #expect(again["C"] == "4" && again["Set-Cookie"] == "a=b")
    }

    @Test("A response whose body arrives in chunks is stored whole")
    func chunks() async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=60"], "abc")
        cache.server.reply.withLock { $0.isInChunks = true }
        #expect(try await cache.load().body == "abc")
        let again = try await cache.load()
        #expect(again.source == .cache && again.body == "abc")
    }

    @Test("A response after a redirect isn't stored, as the redirect may not be stored")
    func redirected() async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=60"])
        cache.server.reply.withLock { $0.url = .init(string: "https://api.example.com/other") }
        try await cache.load()
        try await cache.load()
        #expect(cache.server.count == 2)
    }

    @Test(
        "Ranges and a caller's own conditions are passed on",
        arguments: ["Range", "If-None-Match", "If-Modified-Since", "If-Match", "if-range"])
    func passedOn(_ name: String) async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=60"])
        try await cache.load()
        cache.server.set(206, ["Cache-Control": "max-age=60"], "b")
        let part = try await cache.load("GET", "items", [name: "x"])
        #expect(part.status == 206 && part.source == .server)
        #expect(cache.server.last?.value(forHTTPHeaderField: name) == "x")
        #expect(try await cache.load().body == "a")
    }

    @Test("A stream is passed on, and not stored")
    func streams() async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=60"], "abc")
        cache.server.reply.withLock { $0.isInChunks = true }
        for _ in 0..<2 { #expect(try await cache.load(streams: true).source == .server) }
        #expect(cache.server.count == 2)
        #expect(try await cache.load().source == .server)
    }
}
