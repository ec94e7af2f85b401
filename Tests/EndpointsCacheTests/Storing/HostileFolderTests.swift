import Endpoints
import EndpointsCache
import EndpointsShared
import Foundation
import Testing

/// What others may have put into the folder of a cache.
@Suite("A hostile folder")
struct HostileFolderTests {
    let folder = TemporaryFolder()
    let victim = TemporaryFolder()

    private func cache() -> TestCache {
        let cache = TestCache(.disk(folder.url, megabytes: 1))
        cache.server.set(200, ["Cache-Control": "max-age=60"])
        return cache
    }

    private func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

    /// The path of a stored response, and a cache that knows that it is there but hasn't read it.
    private func stored() async throws -> (path: String, unread: TestCache) {
        try await cache().load()
        let name = try #require(folder.files.keys.first)
        let unread = cache()
        try await unread.load("GET", "other")
        return (path(name), unread)
    }

    @Test("A file larger than the limit isn't read, whether it was there before or grew later")
    func hugeFile() async throws {
        let (path, unread) = try await stored()
        #expect(truncate(path, 1 << 43) == 0)
        #expect(try await unread.load().source == .server)
        #expect(try await unread.load().source == .cache)
        #expect(truncate(path, 1 << 43) == 0)
        let later = cache()
        #expect(try await later.load("GET", "other").source == .cache)
        #expect(try await later.load().source == .server)
    }

    @Test("A pipe with the name of an entry is no entry, and nothing waits for it")
    func pipe() async throws {
        let (path, unread) = try await stored()
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(try await unread.load().source == .server)
        #expect(try await unread.load().source == .cache)
    }

    @Test("No file outside of the folder is changed through a link in it")
    func links() async throws {
        try Data("precious".utf8).write(to: victim.url)
        try await cache().load("GET", "1")
        #expect(link(victim.url.path, path(".new")) == 0)
        let second = cache()
        try await second.load("GET", "2")
        #expect(link(victim.url.path, path(".new")) == 0)
        try await second.load("GET", "3")
        #expect(try Data(contentsOf: victim.url) == Data("precious".utf8))
        #expect(try await second.load("GET", "3").source == .cache)
    }

    @Test("A lock that is a link is an error that names the folder")
    func lockLink() async throws {
        try Data("precious".utf8).write(to: victim.url)
        try FileManager.default.createDirectory(
            at: folder.url, withIntermediateDirectories: true)
        #expect(symlink(victim.url.path, path(".lock")) == 0)
        do {
            try await cache().load()
            Issue.record("nothing was thrown")
        } catch { #expect("\(error)".contains("can't be stored in \(folder.url.path)")) }
        #expect(try Data(contentsOf: victim.url) == Data("precious".utf8))
    }

    @Test("A folder that another launch has filled up to a higher limit is cut to this one's")
    func lowerLimit() async throws {
        let first = cache()
        for number in 0..<9 { try await first.load("GET", "\(number)") }
        let second = TestCache(.disk(folder.url, bytes: 1000))
        second.server.set(500)
        try await second.load("GET", "other")
        #expect(folder.files.values.reduce(0, +) <= 1000)
        #expect(!folder.files.isEmpty)
    }

    @Test("A process that stands still with the lock holds up neither a drop nor a newer response")
    func heldLock() async throws {
        let storage = CacheStorage.disk(folder.url, megabytes: 1)
        let cache = TestCache(storage)
        cache.server.set(200, ["Cache-Control": "max-age=60"], "v1")
        for path in ["a", "b", "c"] { try await cache.load("GET", path) }
        let other = open(path(".lock"), O_RDWR | O_CLOEXEC)
        #expect(flock(other, LOCK_EX) == 0)
        cache.server.set(200, ["Cache-Control": "max-age=60"], "v2")
        #expect(try await cache.load("GET", "a", ["Cache-Control": "no-cache"]).body == "v2")
        try await cache.load("PUT", "b")
        #expect(folder.files.count == 1)
        #expect(try await cache.load("GET", "c").source == .cache)
        storage.removeAll()
        #expect(folder.files.isEmpty)
        close(other)
        for path in ["a", "b", "c"] {
            #expect(try await cache.load("GET", path).body == "v2")
            #expect(try await cache.load("GET", path).source == .cache)
        }
    }

    @Test("What is removed from the folder isn't used any more, also if it was read before")
    func removed() async throws {
        let first = cache()
        try await first.load()
        #expect(try await first.load().source == .cache)
        for name in folder.files.keys { try FileManager.default.removeItem(atPath: path(name)) }
        #expect(try await first.load().source == .server)
        #expect(try await first.load().source == .cache)
    }

    @Test("A file in place of the folder is an error that says so")
    func file() async throws {
        try Data().write(to: folder.url)
        do {
            try await cache().load()
            Issue.record("nothing was thrown")
        } catch {
            #expect(
                "\(error)".hasSuffix(
                    """
                    can't be stored in \(folder.url.path): it isn't the URL of a folder; choose a \
                    folder that the program may make and write
                    """))
        }
    }

    @Test(
        "A folder that can't be written any more is an error",
        .enabled(if: geteuid() != 0, "the root user may write to each folder"))
    func readOnly() async throws {
        try await cache().load()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
        await #expect(throws: EndpointError.self) { try await cache().load() }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700], ofItemAtPath: folder.url.path)
    }

    /// What is in the place of the lock.
    enum Lock: String, CaseIterable {
        case link = "a link"
        case danglingLink = "a link "
        case pipe = "a pipe"
        case folder = "a folder"
        case socket = "a socket or a device"
        case file = "another name of a file elsewhere"
    }

    @Test(
        "What is no lock in the place of the lock is an error that says what",
        arguments: Lock.allCases)
    func notALock(_ kind: Lock) async throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data("precious".utf8).write(to: victim.url)
        let lock = path(".lock")
        switch kind {
        case .link: #expect(symlink(victim.url.path, lock) == 0)
        case .danglingLink: #expect(symlink("/nowhere", lock) == 0)
        case .pipe: #expect(mkfifo(lock, 0o600) == 0)
        case .folder: #expect(mkdir(lock, 0o700) == 0)
        case .socket: #expect(mknod(lock, S_IFSOCK | 0o600, 0) == 0)
        case .file: #expect(link(victim.url.path, lock) == 0)
        }
        let what = kind.rawValue.trimmingCharacters(in: .whitespaces)
        let error = await #expect(throws: EndpointError.self) { try await cache().load() }
        #expect(
            error?.description.hasSuffix(
                """
                can't be stored in \(folder.url.path): the file `.lock` in it is \(what); \
                remove that, or choose another folder
                """) == true, "\(String(describing: error))")
        #expect(try Data(contentsOf: victim.url) == Data("precious".utf8))
    }

    @Test("A folder that the system doesn't make is an error that doesn't speak of a missing file")
    func notMade() async throws {
        #if os(Linux)
            let folders = ["/proc/cache", "/proc/cache/inner", "/sys/cache"]
        #else
            let folders = ["/dev/cache"]
        #endif
        for folder in folders {
            let cache = TestCache(.disk(URL(fileURLWithPath: folder), megabytes: 1))
            let error = await #expect(throws: EndpointError.self) { try await cache.load() }
            let text = error?.description ?? ""
            #expect(text.contains("can't be stored in \(folder): "))
            #expect(!text.contains("no such file"))
            #expect(text.hasSuffix("; choose a folder that the program may make and write"))
        }
    }

    @Test(
        "A folder in one that is protected is an error that says so",
        .enabled(if: geteuid() != 0, "the root user may write to each folder"))
    func protectedParent() async throws {
        #expect(mkdir(victim.url.path, 0o500) == 0)
        let inner = victim.url.appendingPathComponent("a/b")
        let cache = TestCache(.disk(inner, megabytes: 1))
        let error = await #expect(throws: EndpointError.self) { try await cache.load() }
        #expect(
            error?.description.contains(
                "it can't be made, as the folder that it would be in is protected") == true)
    }

    @Test("A link to a folder is that folder, and one that leads nowhere is an error")
    func linkedFolder() async throws {
        #expect(mkdir(victim.url.path, 0o700) == 0)
        #expect(symlink(victim.url.path, folder.url.path) == 0)
        try await cache().load()
        #expect(victim.files.count == 1)
        #expect(unlink(folder.url.path) == 0)
        #expect(symlink("/nowhere/at/all", folder.url.path) == 0)
        let error = await #expect(throws: EndpointError.self) { try await cache().load() }
        #expect(error?.description.contains("it isn't the URL of a folder") == true)
    }

    @Test("Sparse files whose sizes make a sum that is too large aren't found, and end no process")
    func sparse() async throws {
        let sparse = URL(fileURLWithPath: "/dev/shm/endpoints-\(UUID().uuidString)")
        let path = FileManager.default.fileExists(atPath: "/dev/shm") ? sparse : folder.url
        defer { try? FileManager.default.removeItem(at: path) }
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        for number in 1...5 {
            let name = "\(number)-0-0-0-0-0.response"
            let file = path.appendingPathComponent(name).path
            #expect(FileManager.default.createFile(atPath: file, contents: nil))
            // Not each file system has files of 4 EB.
            for size in [(1 << 62) - 1, 1 << 60, 1 << 43] where truncate(file, size) == 0 { break }
        }
        let cache = TestCache(.disk(path, megabytes: .max))
        cache.server.set(200, ["Cache-Control": "max-age=60"])
        try await cache.load()
        #expect(try await cache.load().source == .cache)
        #expect(try await cache.load("GET", "other").source == .server)
        #expect(try await cache.load("GET", "other").source == .cache)
    }

    @Test("A lock that is another name of a file elsewhere isn't written")
    func lockOfTwoNames() async throws {
        try Data("precious".utf8).write(to: victim.url)
        let first = cache()
        try await first.load()
        #expect(unlink(path(".lock")) == 0 && link(victim.url.path, path(".lock")) == 0)
        try await first.load("GET", "other")
        await #expect(throws: EndpointError.self) { try await cache().load() }
        #expect(try Data(contentsOf: victim.url) == Data("precious".utf8))
    }

    @Test("The name of a private type is the same in each launch")
    func privateType() async throws {
        struct GetPrivate: FlatRequest {
            static let endpoint = Endpoint<Self>(method: .get, path: "items")
            typealias Response = Void
        }
        let server = OriginServer()
        server.set(200, ["Cache-Control": "max-age=60"])
        let api = EndpointClient(
            server.cached(in: .disk(folder.url, megabytes: 1)), in: ServerEnvironment.example)
        try await api(GetPrivate())
        let name = try #require(folder.files.keys.first)
        let hex = Digest("EndpointsCacheTests.HostileFolderTests.GetPrivate").hex.prefix(32)
        #expect(name.contains(hex))
    }
}
