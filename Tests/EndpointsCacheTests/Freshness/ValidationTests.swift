import EndpointsCache
import Foundation
import Testing

/// RFC 9111, sections 4.3 and 4.3.5: asking the server whether a stored response has changed.
@Suite("RFC 9111, section 4.3: validation")
struct ValidationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let fields: [String: String]
        let conditions: [String: String]
        var testDescription: String { "\(fields)" }
    }

    static let changed = "Wed, 01 Jan 2020 00:00:00 GMT"

    @Test(
        "A stale response is validated by its entity tag and its date",
        arguments: [
            Row(fields: ["ETag": "\"1\""], conditions: ["If-None-Match": "\"1\""]),
            Row(fields: ["ETag": "W/\"1\""], conditions: ["If-None-Match": "W/\"1\""]),
            Row(fields: ["Last-Modified": changed], conditions: ["If-Modified-Since": changed]),
            Row(
                fields: ["ETag": "\"1\"", "Last-Modified": changed],
                conditions: ["If-None-Match": "\"1\"", "If-Modified-Since": changed]),
        ])
    func conditions(_ row: Row) async throws {
        let cache = TestCache()
        cache.server.set(200, row.fields.merging(["Cache-Control": "max-age=10"]) { $1 }, "old")
        try await cache.load()
        cache.wait(11)
        cache.server.set(
            304, ["Cache-Control": "max-age=20", "X-New": "1", "Content-Length": "0"], "")
        let again = try await cache.load()
        for name in ["If-None-Match", "If-Modified-Since"] {
            #expect(cache.server.last?.value(forHTTPHeaderField: name) == row.conditions[name])
        }
        #expect(again.status == 200 && again.body == "old" && again.source == .validatedCache)
        // Section 3.2: the 304 updates what is stored.
        #expect(again["X-New"] == "1" && again["Content-Length"] == nil && again["Age"] == nil)
        cache.wait(19)
        let third = try await cache.load()
        #expect(third.source == .cache && third["X-New"] == "1" && third["Age"] == "19")
        #expect(cache.server.count == 2)
    }

    @Test("RFC 9110, section 6.6.1: a 304 without a Date is as old as its arrival")
    func validatedWithoutDate() async throws {
        let cache = TestCache()
        let fields = ["Cache-Control": "max-age=60", "ETag": "\"1\"", "Date": cache.date(0)]
        cache.server.set(200, fields, "a")
        try await cache.load()
        cache.wait(100)
        cache.server.set(304, ["ETag": "\"1\""], "")
        #expect(try await cache.load().source == .validatedCache)
        cache.wait(10)
        let came = try await cache.load()
        #expect(came.source == .cache)
        #expect(came["Date"] == cache.date(-10))
    }

    @Test("A response that has changed takes the place of the stored one")
    func changes() async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=10", "ETag": "\"1\""], "old")
        try await cache.load()
        cache.wait(11)
        cache.server.set(200, ["Cache-Control": "max-age=10", "ETag": "\"2\""], "new")
        #expect(try await cache.load().body == "new")
        let again = try await cache.load()
        #expect(again.source == .cache && again.body == "new")
    }

    @Test("A response that has changed, but may not be stored, drops the stored one")
    func notStored() async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=10"], "old")
        try await cache.load()
        cache.server.set(200, ["Cache-Control": "no-store"], "new")
        try await cache.load("GET", "items", ["Cache-Control": "no-cache"])
        #expect(try await cache.load().body == "new")
    }

    @Test("Section 4.3.4: a 304 with another entity tag is of no stored response")
    func otherTag() async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=10", "ETag": "\"1\""], "old")
        try await cache.load()
        cache.wait(11)
        cache.server.during.withLock {
            $0 = { request in
                let isConditional =
                    request.urlRequest.value(forHTTPHeaderField: "If-None-Match") != nil
                cache.server.set(isConditional ? 304 : 200, ["ETag": "\"2\""], "new")
            }
        }
        let again = try await cache.load()
        #expect(again.body == "new" && again.source == .server && cache.server.count == 3)
    }

    @Test("A response without a validator is asked for again")
    func none() async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=10"], "old")
        try await cache.load()
        cache.wait(11)
        cache.server.set(200, [:], "new")
        #expect(try await cache.load().body == "new")
        #expect(cache.server.last?.allHTTPHeaderFields?.isEmpty != false)
    }

    @Test("A HEAD is answered by what a GET has stored, without a body")
    func head() async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=10", "X": "1"], "old")
        try await cache.load()
        let head = try await cache.load("HEAD")
        #expect(head.source == .cache && head.body.isEmpty && head["X"] == "1")
        #expect(cache.server.count == 1)
    }

    struct HeadRow: Sendable, CustomTestStringConvertible {
        let fields: [String: String]
        /// What a GET has after the HEAD: the stored body for these seconds, or a new one.
        let isKept: Bool
        var testDescription: String { "\(fields)" }
    }

    @Test(
        "Section 4.3.5: a HEAD updates what a GET has stored, or drops it",
        arguments: [
            HeadRow(fields: ["Cache-Control": "max-age=99"], isKept: true),
            HeadRow(fields: ["Cache-Control": "max-age=99", "ETag": "\"1\""], isKept: true),
            HeadRow(fields: ["Cache-Control": "max-age=99", "ETag": "\"2\""], isKept: false),
            HeadRow(fields: ["Cache-Control": "max-age=99", "Content-Length": "7"], isKept: false),
        ])
    func headUpdates(_ row: HeadRow) async throws {
        let cache = TestCache()
        cache.server.set(
            200, ["Cache-Control": "max-age=10", "ETag": "\"1\"", "Content-Length": "3"], "old")
        try await cache.load()
        cache.wait(11)
        cache.server.set(200, row.fields, "")
        #expect(try await cache.load("HEAD").source == .server)
        cache.server.set(200, [:], "new")
        #expect(try await cache.load().body == (row.isKept ? "old" : "new"))
    }
}
