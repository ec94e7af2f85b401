import Endpoints
import EndpointsCache
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// RFC 9111, section 2: which requests a stored response is for.
@Suite("RFC 9111, section 2: the cache key")
struct PlaceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let first: String
        let second: String
        let isSame: Bool
        var testDescription: String { "\(first) and \(second)" }
    }

    @Test(
        "Only equal URLs have one stored response",
        arguments: [
            Row(first: "http://h:8080?q=1", second: "http://h:8080?q=2", isSame: false),
            Row(first: "https://h.example?Q=1", second: "https://h.example?Q=2", isSame: false),
            Row(first: "https://h:443?a=/x", second: "https://h?b=/x", isSame: false),
            Row(first: "https://h?a=1#b/c", second: "https://h?a=1", isSame: true),
            Row(first: "https://a:b@h/me", second: "https://c:d@h/me", isSame: false),
            Row(first: "https://a@H:443/me", second: "https://c@H:443/me", isSame: false),
            Row(first: "https://h", second: "https://h/", isSame: true),
            Row(first: "https://H:443?a=1", second: "https://h/?a=1", isSame: true),
            Row(first: "HTTPS://H:443/a", second: "https://h/a", isSame: true),
            Row(first: "https://h/a", second: "https://h/A", isSame: false),
        ])
    func urls(_ row: Row) async throws {
        let server = OriginServer()
        server.set(200, ["Cache-Control": "max-age=60"])
        let transport = server.cached(in: .memory(megabytes: 1))
        for text in [row.first, row.second] {
            let url = try #require(URL(string: text))
            _ = try await transport.send(
                TransportRequest(URLRequest(url: url), requestType: GetItem.self))
        }
        #expect(server.count == (row.isSame ? 1 : 2))
    }

    @Test("A redirect that one request has got isn't the response to one that follows redirects")
    func redirects() async throws {
        let cache = TestCache()
        cache.server.set(301, ["Location": "/b", "Cache-Control": "max-age=60"], "")
        let policy = LoadPolicy(redirects: .doNotFollow)
        #expect(try await cache.load(policy: policy).status == 301)
        #expect(try await cache.load(policy: policy).source == .cache)
        cache.server.set(200, ["Cache-Control": "max-age=60"])
        #expect(try await cache.load().status == 200)
    }
}
