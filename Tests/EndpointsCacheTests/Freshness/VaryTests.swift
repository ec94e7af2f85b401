import EndpointsCache
import Testing

/// RFC 9111, section 4.1, and what else tells requests apart.
@Suite("RFC 9111, sections 2 and 4.1: which request a stored response is for")
struct VaryTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let vary: String?
        let first: [String: String]
        let second: [String: String]
        let isUsed: Bool
        var testDescription: String { "Vary: \(vary ?? "-"), \(first), then \(second)" }
    }

    static let rows: [Row] = [
        Row(vary: nil, first: ["A": "1"], second: ["A": "2"], isUsed: true),
        Row(vary: "A", first: ["A": "1"], second: ["A": "1"], isUsed: true),
        Row(vary: "A", first: ["A": "1"], second: ["a": "1"], isUsed: true),
        Row(vary: "a", first: ["A": "1"], second: ["A": "2"], isUsed: false),
        Row(vary: "A", first: ["A": "1"], second: [:], isUsed: false),
        Row(vary: "A", first: [:], second: [:], isUsed: true),
        Row(vary: "A", first: ["A": "x, y"], second: ["A": "x,y"], isUsed: true),
        Row(
            vary: "A, B", first: ["A": "1", "B": "2"], second: ["A": "1", "B": "3"], isUsed: false),
        Row(vary: "*", first: [:], second: [:], isUsed: false),
        Row(vary: "A, *", first: [:], second: [:], isUsed: false),
        Row(vary: "Cookie", first: [:], second: [:], isUsed: false),
        Row(vary: "Cookie", first: ["Cookie": "a"], second: ["Cookie": "a"], isUsed: true),
        // Without Vary, another account's credentials are another place.
        Row(
            vary: nil, first: ["Authorization": "a"], second: ["Authorization": "a"], isUsed: true),
        Row(
            vary: nil, first: ["Authorization": "a"], second: ["Authorization": "b"], isUsed: false),
        Row(vary: nil, first: ["Authorization": "a"], second: [:], isUsed: false),
        Row(vary: nil, first: ["Cookie": "a"], second: ["Cookie": "b"], isUsed: false),
        Row(vary: nil, first: ["X-API-Key": "a"], second: ["X-API-Key": "b"], isUsed: false),
    ]

    @Test("A stored response is used for the requests that select it", arguments: rows)
    func selects(_ row: Row) async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=60", "Vary": row.vary ?? "X-Other"])
        try await cache.load("GET", "items", row.first)
        let again = try await cache.load("GET", "items", row.second)
        #expect((again.source == .cache) == row.isUsed)
    }

    @Test("The responses to several variants are stored beside each other")
    func variants() async throws {
        let cache = TestCache()
        for body in ["de", "en"] {
            cache.server.set(200, ["Cache-Control": "max-age=60", "Vary": "Accept-Language"], body)
            try await cache.load("GET", "items", ["Accept-Language": body])
        }
        for body in ["de", "en"] {
            let again = try await cache.load("GET", "items", ["Accept-Language": body])
            #expect(again.source == .cache && again.body == body)
        }
    }

    @Test("The entity tags of other variants let the server say which one is meant")
    func otherVariants() async throws {
        let cache = TestCache()
        for tag in ["1", "2"] {
            cache.server.set(
                200, ["Cache-Control": "max-age=60", "Vary": "A", "ETag": "\"\(tag)\""], tag)
            try await cache.load("GET", "items", ["A": tag])
        }
        cache.server.set(304, ["ETag": "\"2\""], "")
        let third = try await cache.load("GET", "items", ["A": "3"])
        #expect(
            cache.server.last?.value(forHTTPHeaderField: "If-None-Match") == "\"1\", \"2\"")
        #expect(third.body == "2" && third.source == .validatedCache)
        #expect(try await cache.load("GET", "items", ["A": "3"]).source == .cache)
    }

    @Test("RFC 10008: a QUERY is another one with another body or content type")
    func query() async throws {
        let cache = TestCache()
        let json = ["Content-Type": "application/json"]
        cache.server.set(200, ["Cache-Control": "max-age=60"], "one")
        try await cache.load("QUERY", "items", json, body: "1")
        cache.server.set(200, ["Cache-Control": "max-age=60"], "other")
        #expect(try await cache.load("QUERY", "items", json, body: "1").body == "one")
        #expect(try await cache.load("QUERY", "items", json, body: "2").body == "other")
        let text = ["Content-Type": "text/plain"]
        #expect(try await cache.load("QUERY", "items", text, body: "1").body == "other")
        #expect(try await cache.load().body == "other")
        #expect(cache.server.count == 4)
    }

    @Test("Another query of the URL is another place")
    func url() async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=60"])
        try await cache.load("GET", "items?a=1")
        #expect(try await cache.load("GET", "items?a=2").source == .server)
        #expect(try await cache.load("GET", "items?a=1#part").source == .cache)
    }

    @Test("Values that Unicode says are equal, but whose bytes differ, aren't the same")
    func normalization() async throws {
        for name in ["A", "X-Api-Key"] {
            let cache = TestCache(.memory(megabytes: 1))
            cache.server.set(200, ["Cache-Control": "max-age=60", "Vary": "A"])
            try await cache.load("GET", "items", [name: "caf\u{e9}"])
            #expect(try await cache.load("GET", "items", [name: "caf\u{e9}"]).source == .cache)
            #expect(try await cache.load("GET", "items", [name: "cafe\u{301}"]).source == .server)
        }
    }
}
