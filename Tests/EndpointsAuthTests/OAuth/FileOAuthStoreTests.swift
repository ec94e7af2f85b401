import Endpoints
import EndpointsShared
import EndpointsTesting
import Foundation
import Testing

@testable import EndpointsAuth

@Suite("Tokens in a file")
struct FileOAuthStoreTests {
    private func mode(_ url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    @Test("The file and its folder are for their owner only, and keep all that is in the tokens")
    func modes() async throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a/b/tokens.json")
        let store = FileOAuthStore(file)
        #expect(try store.load() == nil)
        var tokens = Fixture.signedIn
        tokens.refreshBegan = Date(timeIntervalSince1970: 7)
        tokens.scopes = ["a"]
        try store.save(tokens)
        #expect(try store.load() == tokens)
        #expect(try mode(file) == 0o600)
        #expect(try mode(folder.appendingPathComponent("a")) == 0o700)
        #expect(try mode(folder.appendingPathComponent("a/b")) == 0o700)
        try store.save(nil)
        #expect(try store.load() == nil)
    }

    @Test("Tokens are replaced only if they are still the old ones")
    func replaced() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = FileOAuthStore(folder.appendingPathComponent("t"))
        let new = OAuthTokens(accessToken: "new")
        #expect(try !store.replace(Fixture.signedIn, with: new))
        #expect(try store.replace(nil, with: Fixture.signedIn))
        #expect(try !store.replace(nil, with: new))
        #expect(try store.replace(Fixture.signedIn, with: new))
        #expect(try store.load() == new)
    }

    static let bad: [OAuthStoreError.Kind] = [
        .link, .notAFile, .readableByOthers, .damaged,
    ]

    @Test("A file that can't be trusted is neither read nor replaced", arguments: bad)
    func refused(kind: OAuthStoreError.Kind) throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("t")
        let other = folder.appendingPathComponent("other")
        try FileOAuthStore(other).save(Fixture.signedIn)
        switch kind {
        case .link: try FileManager.default.createSymbolicLink(at: file, withDestinationURL: other)
        case .notAFile:
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        case .readableByOthers:
            try FileManager.default.copyItem(at: other, to: file)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: file.path)
        default:
            try Data("{".utf8).write(to: file)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: file.path)
        }
        let store = FileOAuthStore(file)
        let error = #expect(throws: OAuthStoreError.self) { try store.load() }
        #expect(error?.kind == kind)
        // A damaged file has nothing to lose.
        if kind != .damaged {
            #expect(throws: OAuthStoreError.self) { try store.save(Fixture.signedIn) }
            #expect(try FileOAuthStore(other).load() == Fixture.signedIn)
        }
    }

    @Test("A file with a second name, of another user, in an open folder or too large is refused")
    func untrusted() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("t")
        let store = FileOAuthStore(file)
        func kind() -> OAuthStoreError.Kind? {
            let error = #expect(throws: OAuthStoreError.self) { try store.load() }
            return error?.kind
        }
        try store.save(Fixture.signedIn)
        let second = folder.appendingPathComponent("second")
        try FileManager.default.linkItem(at: file, to: second)
        #expect(kind() == .link)
        try FileManager.default.removeItem(at: second)
        #expect(try store.load() == Fixture.signedIn)
        if geteuid() == 0 {
            #expect(chown(file.path, 1, 1) == 0)
            #expect(kind() == .othersFile)
            #expect(chown(file.path, 0, 0) == 0)
        }
        let large = try FileHandle(forWritingTo: file)
        try large.truncate(atOffset: 2 << 20)
        #expect(kind() == .damaged)
        try large.close()
        #expect(chmod(folder.path, 0o777) == 0)
        let error = #expect(throws: OAuthStoreError.self) { try store.save(Fixture.signedIn) }
        #expect(error?.kind == .openFolder)
    }

    @Test("Removing the tokens removes those that a crash has left, too")
    func leftover() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("t")
        let store = FileOAuthStore(file)
        try store.save(Fixture.signedIn)
        let left = folder.appendingPathComponent("t.new")
        try FileManager.default.copyItem(at: file, to: left)
        try store.save(nil)
        #expect(!FileManager.default.fileExists(atPath: left.path))
    }

    @Test("A lock that is a link isn't followed")
    func lockLink() async throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("t")
        let other = folder.appendingPathComponent("other")
        try FileManager.default.createSymbolicLink(
            atPath: file.path + ".lock", withDestinationPath: other.path)
        await #expect(throws: OAuthStoreError.self) {
            try await FileOAuthStore(file).exclusively {}
        }
        #expect(!FileManager.default.fileExists(atPath: other.path))
    }

    @Test("Two stores of one file make one refresh")
    func oneRefresh() async throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("t")
        let fixtures = [
            Fixture(store: FileOAuthStore(file)), Fixture(store: FileOAuthStore(file)),
        ]
        try FileOAuthStore(file).save(Fixture.signedIn)
        for fixture in fixtures {
            fixture.stub.on(
                TokenRequest.self,
                .json(#"{"access_token": "new", "refresh_token": "next"}"#).delayed(by: 0.05))
        }
        let sources = fixtures.map(\.credentials)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for source in sources {
                group.addTask {
                    let new = try await source.refresh(after: Fixture.signedIn.token)
                    #expect(new.credentials == .bearer("new"))
                }
            }
            try await group.waitForAll()
        }
        #expect(fixtures.map(\.forms.count).reduce(0, +) == 1)
    }

    @Test("A lock that is removed while others wait for it isn't taken for the one in its place")
    func removedLock() async throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = FileOAuthStore(folder.appendingPathComponent("t"), patience: 60)
        let lock = folder.appendingPathComponent("t.lock")
        let isLocked = Locked<[Bool]>([])
        let (holding, begun) = (Waiter<Void>(), Waiter<Void>())
        let second = Task {
            try await holding.value()
            begun.resume(with: .success(()))
            try await store.exclusively {
                let file = try OpenFile(open(lock.path, O_RDWR | O_CLOEXEC), at: lock)
                let code = flock(file.descriptor, LOCK_EX | LOCK_NB)
                isLocked.withLock { $0.append(code != 0 && errno == EWOULDBLOCK) }
            }
        }
        try await store.exclusively {
            holding.resume(with: .success(()))
            try await begun.value()
            // It has opened the lock by now.
            for _ in 0..<1000 { await Task.yield() }
            try FileManager.default.removeItem(at: lock)
        }
        try await second.value
        #expect(isLocked.withLock { $0 } == [true])
    }

    @Test("A store whose lock is held for too long is busy")
    func busy() async throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("t")
        let error = await #expect(throws: OAuthStoreError.self) {
            try await FileOAuthStore(file).exclusively {
                try await FileOAuthStore(file, patience: 0).exclusively {}
            }
        }
        #expect(error?.kind == .busy)
    }
}
