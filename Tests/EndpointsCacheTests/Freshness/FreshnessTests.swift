import EndpointsCache
import Foundation
import Testing

/// RFC 9111, section 4.2: for how long a stored response is used.
@Suite("RFC 9111, section 4.2: freshness")
struct FreshnessTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var status = 200
        /// Fields; `+60` stands for a date in 60 seconds.
        let fields: [String: String]
        /// For how many seconds the response is fresh after it has arrived.
        let seconds: TimeInterval
        var testDescription: String { "\(status) \(fields)" }
    }

    static let rows: [Row] = [
        // 4.2.1
        Row(fields: ["Cache-Control": "max-age=60"], seconds: 60),
        Row(fields: ["Cache-Control": "foo, MAX-AGE=60"], seconds: 60),
        Row(fields: ["Cache-Control": "max-age=\"60\""], seconds: 60),
        Row(fields: ["Cache-Control": "max-age=0060"], seconds: 60),
        Row(fields: ["Cache-Control": "s-maxage=600, max-age=60"], seconds: 60),
        Row(fields: ["Cache-Control": "max-age=60", "Expires": "+900"], seconds: 60),
        Row(fields: ["Cache-Control": "max-age=60", "Expires": "0"], seconds: 60),
        Row(fields: ["Cache-Control": "max-age=0", "Expires": "+900"], seconds: 0),
        Row(fields: ["Expires": "+60"], seconds: 60),
        Row(fields: ["Expires": "+60", "Date": "+10"], seconds: 50),
        Row(fields: ["Expires": "+60", "Date": "foo"], seconds: 60),
        Row(fields: ["Expires": "+-60"], seconds: 0),
        Row(fields: ["Expires": "Thu, 18 Aug 2050 02:01:18 GMT"], seconds: 1e6),
        Row(fields: ["Expires": "THU, 18 aug 2050 02:01:18 gmt"], seconds: 1e6),
        Row(fields: ["Expires": "Thursday, 18-Aug-50 02:01:18 GMT"], seconds: 1e6),
        Row(fields: ["Expires": "Thu Aug 18 02:01:18 2050"], seconds: 1e6),
        Row(fields: ["Cache-Control": "max-age=99999999999"], seconds: 1e6),
        // The first of two counts, and what isn't a number of seconds is stale.
        Row(fields: ["Cache-Control": "max-age=60, max-age=1"], seconds: 60),
        Row(fields: ["Cache-Control": "max-age=1, max-age=60"], seconds: 1),
        Row(fields: ["Cache-Control": "max-age=-60"], seconds: 0),
        Row(fields: ["Cache-Control": "max-age=60.5"], seconds: 0),
        Row(fields: ["Cache-Control": "max-age='60'"], seconds: 0),
        Row(fields: ["Cache-Control": "max-age= 60"], seconds: 0),
        Row(fields: ["Cache-Control": "max-age=60 , public"], seconds: 60),
        Row(fields: ["Cache-Control": "max-age =60"], seconds: 0),
        Row(fields: ["Cache-Control": "a=\"max-age=60\", max-age=1"], seconds: 1),
        Row(fields: ["Expires": "0"], seconds: 0),
        Row(fields: ["Expires": "Thu, 18 Aug 2050 02:01:18 UTC"], seconds: 0),
        Row(fields: ["Expires": "Thu, 18 Aug 50 02:01:18 GMT"], seconds: 0),
        Row(fields: ["Expires": "Thu, 18 Aug 2050 2:01:18 GMT"], seconds: 0),
        // 4.2.2
        Row(fields: ["Last-Modified": "+-1000"], seconds: 100),
        Row(fields: ["Last-Modified": "+-1000", "Date": "+-50"], seconds: 45),
        Row(fields: ["Last-Modified": "+-99000000"], seconds: 86_400),
        Row(fields: ["Last-Modified": "+1000"], seconds: 0),
        Row(fields: [:], seconds: 0),
        Row(status: 404, fields: ["Last-Modified": "+-1000"], seconds: 100),
        Row(status: 403, fields: ["Last-Modified": "+-1000"], seconds: 0),
        Row(
            status: 403, fields: ["Last-Modified": "+-1000", "Cache-Control": "public"],
            seconds: 100),
        // 4.2.3
        Row(fields: ["Cache-Control": "max-age=60", "Age": "20"], seconds: 40),
        Row(fields: ["Cache-Control": "max-age=60", "Age": "20, 50"], seconds: 40),
        Row(fields: ["Cache-Control": "max-age=60", "Age": "80"], seconds: 0),
        Row(fields: ["Cache-Control": "max-age=60", "Age": "-80"], seconds: 60),
        Row(fields: ["Cache-Control": "max-age=60", "Age": "20.0"], seconds: 60),
        Row(fields: ["Cache-Control": "max-age=60", "Date": "+-20"], seconds: 40),
        Row(fields: ["Cache-Control": "max-age=60", "Date": "+20"], seconds: 60),
        // 5.2.2.4, 5.4
        Row(fields: ["Cache-Control": "max-age=60, no-cache"], seconds: 0),
        Row(fields: ["Pragma": "no-cache", "Expires": "+60"], seconds: 0),
        Row(fields: ["Pragma": "no-cache", "Cache-Control": "max-age=60"], seconds: 60),
    ]

    @Test("A response is used until it is stale", arguments: rows)
    func lifetime(_ row: Row) async throws {
        let cache = TestCache()
        let fields = row.fields.mapValues { value in
            value.hasPrefix("+") ? cache.date(TimeInterval(value.dropFirst()) ?? 0) : value
        }
        cache.server.set(row.status, fields)
        try await cache.load()
        if row.seconds > 0 {
            cache.wait(row.seconds - 0.5)
            #expect(try await cache.load().source == .cache)
            cache.wait(1)
            if row.seconds == 1e6 { return }
        }
        #expect(try await cache.load().source == .server)
    }

    @Test("A stored response has its age, and the date of the server")
    func age() async throws {
        let cache = TestCache()
        let date = cache.date(0)
        cache.server.set(200, ["Cache-Control": "max-age=60", "Age": "5", "Date": date])
        #expect(try await cache.load()["Age"] == "5")
        cache.wait(7.9)
        let again = try await cache.load()
        #expect(again["Age"] == "12" && again["Date"] == date)
    }

    @Test("The time that a response was under way counts as its age")
    func delay() async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=60"])
        cache.server.during.withLock { $0 = { _ in cache.wait(20) } }
        try await cache.load()
        cache.server.during.withLock { $0 = { _ in } }
        cache.wait(39)
        #expect(try await cache.load().source == .cache)
        cache.wait(2)
        #expect(try await cache.load().source == .server)
    }

    @Test("If the clock is set back, a stored response is no longer fresh")
    func clockSetBack() async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=60"])
        try await cache.load()
        cache.wait(-3600)
        #expect(try await cache.load().source == .server)
    }
}
