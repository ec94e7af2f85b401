import Endpoints
import EndpointsCache
import EndpointsShared
import Foundation
import Testing

@Suite("A cache in a folder")
struct DiskTests {
    let folder = TemporaryFolder()

    private func cache(bytes: Int = 100_000) -> TestCache {
        TestCache(.disk(folder.url, bytes: bytes))
    }

    @Test("A response is stored across launches, with its fields and its age")
    func launches() async throws {
        let first = cache()
        first.server.set(
            200, ["Cache-Control": "max-age=60", "X": "1", "Vary": "A, B", "Age": "3"], "äöü")
        try await first.load("GET", "items", ["A": "1"])
        let second = cache()
        second.wait(7)
        let came = try await second.load("GET", "items", ["A": "1"])
        #expect(came.source == .cache && came.body == "äöü" && came["X"] == "1")
        #expect(came["Age"] == "10")
        #expect(try await second.load("GET", "items", ["A": "1", "B": ""]).source == .server)
    }

    @Test("A file that was written in part, or changed, isn't read, and is removed")
    func parts() async throws {
        let first = cache()
        first.server.set(200, ["Cache-Control": "max-age=60"], "a body")
        try await first.load()
        let name = try #require(folder.files.keys.first)
        let file = folder.url.appendingPathComponent(name)
        let whole = try Data(contentsOf: file)
        for count in 0..<whole.count {
            try whole.prefix(count).write(to: file)
            var changed = whole
            changed[count] ^= 1
            #expect(try await cache().load("HEAD", "items").source == .server)
            try changed.write(to: file)
            let second = cache()
            second.server.set(200, [:], "new")
            #expect(try await second.load("HEAD").source == .server, "byte \(count)")
            #expect(folder.files[name] == nil)
        }
        try whole.write(to: file)
        #expect(try await cache().load().body == "a body")
    }

    @Test("A file that is given another entry's name isn't read as that entry")
    func renamed() async throws {
        let first = cache()
        first.server.set(200, ["Cache-Control": "max-age=60"], "one")
        try await first.load("GET", "1")
        let name = try #require(folder.files.keys.first)
        first.server.set(200, ["Cache-Control": "max-age=60"], "two")
        try await first.load("GET", "2")
        let other = try #require(folder.files.keys.first { $0 != name })
        let (one, two) = (
            folder.url.appendingPathComponent(name), folder.url.appendingPathComponent(other)
        )
        try FileManager.default.removeItem(at: two)
        try FileManager.default.moveItem(at: one, to: two)
        #expect(try await cache().load("GET", "2").source == .server)
    }

    @Test("The files can be read by the user only, and their names show nothing")
    func permissions() async throws {
        let first = cache()
        first.server.set(200, ["Cache-Control": "max-age=60"])
        try await first.load("GET", "secret", ["Authorization": "Bearer token"])
        let name = try #require(folder.files.keys.first)
        for path in [folder.url.path, folder.url.appendingPathComponent(name).path] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let permissions = attributes[.posixPermissions] as? Int ?? 0o777
            #expect(permissions & 0o077 == 0, "\(path)")
        }
        #expect(!name.contains("secret") && !name.contains("items"))
    }

    @Test("What was used longest ago is dropped, and the folder is never larger than its limit")
    func evicts() async throws {
        let first = cache(bytes: 10_000)
        first.server.set(
            200, ["Cache-Control": "max-age=60"], String(repeating: "a", count: 1000))
        for number in 0..<100 {
            try await first.load("GET", "\(number)")
            #expect(folder.files.values.reduce(0, +) <= 10_000)
            if number > 0 { #expect(try await first.load("GET", "0").source == .cache) }
        }
        #expect(folder.files.count >= 5)
        #expect(try await first.load("GET", "1").source == .server)
        #expect(try await first.load("GET", "99").source == .cache)
    }

    @Test("A response larger than the limit isn't stored, and drops no other")
    func tooLarge() async throws {
        let first = cache(bytes: 1000)
        first.server.set(200, ["Cache-Control": "max-age=60"])
        try await first.load("GET", "small")
        first.server.set(
            200, ["Cache-Control": "max-age=60"], String(repeating: "a", count: 1000))
        try await first.load("GET", "large")
        #expect(try await first.load("GET", "large").source == .server)
        #expect(try await first.load("GET", "small").source == .cache)
    }

    @Test("Two processes share a folder: each finds what the other has stored, used and dropped")
    func shared() async throws {
        let (first, second) = (cache(bytes: 10_000), cache(bytes: 10_000))
        let body = String(repeating: "a", count: 1000)
        for cache in [first, second] {
            cache.server.set(200, ["Cache-Control": "max-age=60"], body)
        }
        #expect(try await second.load("GET", "0").source == .server)
        #expect(try await first.load("GET", "0").source == .cache)
        for number in 1..<30 {
            try await first.load("GET", "\(number)")
            #expect(try await second.load("GET", "\(number)").source == .cache)
            #expect(try await second.load("GET", "0").source == .cache)
            #expect(folder.files.values.reduce(0, +) <= 10_000)
        }
        try await second.load("PUT", "0")
        #expect(try await first.load("GET", "0").source == .server)
    }

    @Test("A response that another process has stored anew is given to all")
    func replaced() async throws {
        let (first, second) = (cache(), cache())
        for body in ["one", "two", "three"] {
            first.server.set(200, ["Cache-Control": "max-age=60"], body)
            try await first.load("GET", "0", ["Cache-Control": "no-cache"])
            for cache in [second, first, second] {
                let came = try await cache.load("GET", "0")
                #expect(came.source == .cache && came.body == body)
            }
        }
    }

    @Test(
        "`removeAll` drops everything, and the next response is stored", arguments: [true, false])
    func removesAll(isMemory: Bool) async throws {
        let storage = isMemory ? CacheStorage.memory(megabytes: 1) : .disk(folder.url, megabytes: 1)
        let cache = TestCache(storage)
        cache.server.set(200, ["Cache-Control": "max-age=60"])
        for path in ["1", "2"] { try await cache.load("GET", path) }
        storage.removeAll()
        #expect(folder.files.isEmpty)
        for source in [ResponseSource.server, .cache] {
            for path in ["1", "2"] {
                #expect(try await cache.load("GET", path).source == source)
            }
        }
    }

    @Test("Many loads at once leave what each has stored")
    func atOnce() async throws {
        let caches = [cache(), cache()]
        for cache in caches { cache.server.set(200, ["Cache-Control": "max-age=60"]) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask { try await caches[number % 2].load("GET", "\(number)") }
            }
            try await group.waitForAll()
        }
        for number in 0..<100 {
            #expect(try await cache().load("GET", "\(number)").source == .cache)
        }
    }

    @Test("The limit of a cache in memory")
    func memory() async throws {
        let cache = TestCache(.memory(megabytes: 1))
        cache.server.set(
            200, ["Cache-Control": "max-age=60"], String(repeating: "a", count: 300_000))
        for number in 0..<4 { try await cache.load("GET", "\(number)") }
        #expect(try await cache.load("GET", "3").source == .cache)
        #expect(try await cache.load("GET", "0").source == .server)
        let none = TestCache(.memory(megabytes: 0))
        none.server.set(200, ["Cache-Control": "max-age=60"])
        try await none.load()
        #expect(try await none.load().source == .server)
    }

    @Test(
        "Digests are those of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1000),
                "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
            ),
        ])
    func digests(_ text: String, _ digest: String) {
        #expect(Digest(text).hex == digest)
    }
}
