import EndpointsCache
import Testing

/// RFC 9111, section 4.4.
@Suite("RFC 9111, section 4.4: invalidation")
struct InvalidationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let method: String
        var status = 200
        var fields: [String: String] = [:]
        var path = "items"
        let isDropped: Bool
        var testDescription: String { "\(method) \(path) -> \(status) \(fields)" }
    }

    static let rows: [Row] = [
        Row(method: "POST", isDropped: true),
        Row(method: "PUT", status: 204, isDropped: true),
        Row(method: "DELETE", isDropped: true),
        Row(method: "PATCH", isDropped: true),
        Row(method: "M-SEARCH", isDropped: true),
        Row(method: "POST", status: 303, isDropped: true),
        Row(method: "POST", status: 404, isDropped: false),
        Row(method: "PUT", status: 500, isDropped: false),
        Row(method: "OPTIONS", isDropped: false),
        Row(method: "TRACE", isDropped: false),
        Row(method: "POST", path: "other", isDropped: false),
        Row(method: "POST", fields: ["Location": "/items"], path: "other", isDropped: true),
        Row(method: "POST", fields: ["Content-Location": "items"], path: "other", isDropped: true),
        Row(
            method: "POST", fields: ["Location": "https://API.example.com:443/items"],
            path: "other", isDropped: true),
        Row(
            method: "POST", fields: ["Location": "https://api.example.com/items"], path: "other",
            isDropped: true),
        Row(
            method: "POST", fields: ["Location": "https://other.example/items"], path: "other",
            isDropped: false),
    ]

    @Test("A request that may change something drops what is stored", arguments: rows)
    func drops(_ row: Row) async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=60"])
        try await cache.load()
        cache.server.set(row.status, row.fields)
        try await cache.load(row.method, row.path)
        #expect((try await cache.load().source == .server) == row.isDropped)
    }

    @Test("It drops the responses to QUERY, and those of other accounts, too")
    func all() async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=60"])
        try await cache.load("QUERY", "items", [:], body: "1")
        try await cache.load("GET", "items", ["Authorization": "a"])
        try await cache.load("PUT", "items", ["Authorization": "b"])
        #expect(try await cache.load("QUERY", "items", [:], body: "1").source == .server)
        #expect(try await cache.load("GET", "items", ["Authorization": "a"]).source == .server)
    }

    @Test("A response that was under way meanwhile isn't stored, as it may be older")
    func underWay() async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=60"], "old")
        cache.server.during.withLock {
            $0 = { request in
                guard request.urlRequest.httpMethod == "GET" else { return }
                cache.server.during.withLock { $0 = { _ in } }
                try await cache.load("PUT")
            }
        }
        #expect(try await cache.load().body == "old")
        #expect(try await cache.load().source == .server)
    }

    @Test("A streamed response to an unsafe request drops what is stored")
    func streamed() async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=60"])
        try await cache.load()
        try await cache.load("POST", streams: true)
        #expect(try await cache.load().source == .server)
    }
}
