import EndpointsCache
import Foundation
import Testing

/// RFC 9111, sections 4.2.4 and 5.2, RFC 5861 and RFC 8246: when a stale response is used, and when
/// a fresh one isn't.
@Suite("RFC 9111, sections 4.2.4 and 5.2: stale responses, and directives")
struct StaleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// The response's directives; it is asked for again after 15 seconds.
        let response: String
        var request: [String: String] = [:]
        /// Whether the stored response is used.
        let isUsed: Bool
        var testDescription: String { "\(response); \(request)" }

        init(_ response: String, to request: String? = nil, _ isUsed: Bool, pragma: String? = nil) {
            self.response = response
            if let request { self.request["Cache-Control"] = request }
            if let pragma { self.request["Pragma"] = pragma }
            self.isUsed = isUsed
        }
    }

    static let rows: [Row] = [
        Row("max-age=10", false),
        Row("max-age=10", to: "max-stale", true),
        Row("max-age=10", to: "max-stale=6", true),
        Row("max-age=10", to: "max-stale=4", false),
        Row("max-age=10, must-revalidate", to: "max-stale", false),
        Row("max-age=10, no-cache", to: "max-stale", false),
        Row("max-age=20", true),
        Row("max-age=20", to: "no-cache", false),
        Row("max-age=20", to: "no-store", false),
        Row("max-age=20", to: "max-age=0", false),
        Row("max-age=20", to: "max-age=14", false),
        Row("max-age=20", to: "max-age=16", true),
        Row("max-age=20", to: "min-fresh=4", true),
        Row("max-age=20", to: "min-fresh=6", false),
        Row("max-age=20", to: "only-if-cached", true),
        Row("max-age=20", false, pragma: "no-cache"),
        Row("max-age=20", to: "max-age=90", true, pragma: "no-cache"),
        // RFC 8246: a reload needn't ask.
        Row("max-age=20, immutable", to: "max-age=0", true),
        Row("max-age=10, immutable", to: "max-age=0", false),
        Row("max-age=20, immutable", to: "no-cache", false),
        // RFC 5861
        Row("max-age=10, stale-while-revalidate=6", true),
        Row("max-age=10, stale-while-revalidate=4", false),
        Row("max-age=10, stale-while-revalidate=6, must-revalidate", false),
    ]

    @Test("A stored response is used, or the server is asked", arguments: rows)
    func reuse(_ row: Row) async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": row.response])
        try await cache.load()
        cache.wait(15)
        #expect((try await cache.load("GET", "items", row.request).source == .cache) == row.isUsed)
    }

    @Test("Section 5.2.1.7: only-if-cached without a stored response is a 504")
    func onlyIfCached() async throws {
        let cache = TestCache()
        let came = try await cache.load("GET", "items", ["Cache-Control": "only-if-cached"])
        #expect(came.status == 504 && came.source == .cache && cache.server.count == 0)
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        let response: String
        var request: String?
        var status: Int?
        var error: URLError.Code?
        let isUsed: Bool
        var testDescription: String { "\(response), \(status.map(String.init) ?? "error")" }
    }

    @Test(
        "RFC 5861, section 4: a stale response is used if the server fails",
        arguments: [
            Failure(response: "max-age=10", status: 503, isUsed: false),
            Failure(response: "max-age=10", error: .timedOut, isUsed: false),
            Failure(response: "max-age=10, stale-if-error=6", status: 503, isUsed: true),
            Failure(response: "max-age=10, stale-if-error=6", status: 500, isUsed: true),
            Failure(response: "max-age=10, stale-if-error=6", error: .timedOut, isUsed: true),
            Failure(
                response: "max-age=10, stale-if-error=6", error: .notConnectedToInternet,
                isUsed: true),
            Failure(response: "max-age=10, stale-if-error=4", status: 503, isUsed: false),
            Failure(response: "max-age=10, stale-if-error=6", status: 404, isUsed: false),
            Failure(response: "max-age=10, stale-if-error=6", error: .cancelled, isUsed: false),
            Failure(
                response: "max-age=10, stale-if-error=6", error: .serverCertificateUntrusted,
                isUsed: false),
            Failure(
                response: "max-age=10, stale-if-error=6, must-revalidate", status: 503,
                isUsed: false),
            Failure(
                response: "max-age=10", request: "stale-if-error=6", status: 503, isUsed: true),
        ])
    func failures(_ row: Failure) async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": row.response], "old")
        try await cache.load()
        cache.wait(15)
        if let status = row.status { cache.server.set(status, [:], "failed") }
        if let error = row.error { cache.server.fail(error) }
        let fields = row.request.map { ["Cache-Control": $0] } ?? [:]
        let came = try? await cache.load("GET", "items", fields)
        #expect((came?.body == "old") == row.isUsed)
    }

    @Test("RFC 5861, section 3: while a stale response is used, it is validated once")
    func validatedMeanwhile() async throws {
        let cache = TestCache()
        cache.server.set(200, ["Cache-Control": "max-age=10, stale-while-revalidate=60"], "old")
        try await cache.load()
        cache.wait(15)
        cache.server.set(200, ["Cache-Control": "max-age=10"], "new")
        let (ended, end) = AsyncStream<Void>.makeStream()
        cache.server.during.withLock { $0 = { _ in for await _ in ended { return } } }
        for _ in 0..<3 { #expect(try await cache.load().body == "old") }
        end.yield()
        while try await cache.load().body != "new" { await Task.yield() }
        #expect(cache.server.count == 2)
    }
}
