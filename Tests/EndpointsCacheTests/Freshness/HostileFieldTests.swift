import EndpointsCache
import Foundation
import Testing

/// Header fields and bodies that no honest server sends.
@Suite("Hostile responses")
struct HostileFieldTests {
    @Test("A Cache-Control with 100,000 directives is read in a moment", .timeLimit(.minutes(1)))
    func manyDirectives() async throws {
        let cache = TestCache()
        let many = (0..<100_000).map { "d\($0)" }.joined(separator: ",")
        cache.server.set(200, ["Cache-Control": "\(many), max-age=60, max-age=0"])
        try await cache.load()
        #expect(try await cache.load().source == .cache)
    }

    @Test("Of one URL, 20 responses are stored by `Vary`, those that were used last")
    func manyVariants() async throws {
        let folder = TemporaryFolder()
        for storage in [CacheStorage.memory(megabytes: 1), .disk(folder.url, megabytes: 1)] {
            let cache = TestCache(storage)
            for number in 0..<50 {
                cache.server.set(
                    200, ["Cache-Control": "max-age=60", "Vary": "X", "ETag": "\"\(number)\""])
                try await cache.load("GET", "items", ["X": "\(number)"])
                #expect(try await cache.load("GET", "items", ["X": "0"]).source == .cache)
            }
            try await cache.load("GET", "items", ["X": "other"])
            let tags = cache.server.last?.value(forHTTPHeaderField: "If-None-Match") ?? ""
            #expect(tags.split(separator: ",").count == 20)
            #expect(tags.contains("\"0\"") && tags.contains("\"49\""))
        }
        #expect(folder.files.count == 20)
    }

    @Test("A body in pieces that is shorter than its length says isn't stored")
    func short() async throws {
        let cache = TestCache()
        cache.server.reply.withLock {
            $0 = OriginServer.Reply(
                fields: ["Cache-Control": "max-age=60", "Content-Length": "9"], body: "abc",
                isInChunks: true)
        }
        #expect(try await cache.load().body == "abc")
        #expect(try await cache.load().source == .server)
    }
}
