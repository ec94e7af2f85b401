import Endpoints
import EndpointsFolder
import EndpointsMiddleware
import Foundation
import Testing

@testable import EndpointsDurable

/// Several outboxes in one folder, and what others do to it meanwhile.
@Suite("Outbox: sharing")
struct OutboxSharingTests {
    /// An outbox that is sending its one entry, until the test opens the gate.
    private func sending(
        _ body: (_ box: Box, _ outbox: Outbox) async throws -> Void
    ) async throws {
        let box = Box()
        let (gate, isFirst) = (Locked(false), Locked(true))
        box.server.on { _ in
            let waits = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            while waits, !gate.withLock(\.self), !Task.isCancelled { await Task.yield() }
            return (204, [:])
        }
        let outbox = try box.open()
        try await outbox.send(CreateNote("1"))
        let run = Task { try await outbox.sendAll() }
        while box.server.got.isEmpty { await Task.yield() }
        let result: Result<Void, any Error>
        do { result = .success(try await body(box, outbox)) } catch { result = .failure(error) }
        gate.withLock { $0 = true }
        _ = try await run.value
        try result.get()
    }

    @Test("While one sends, nobody else does, though all files of locks are removed")
    func removedLocks() async throws {
        try await sending { box, _ in
            for name in [".sender", ".lock"] {
                try? FileManager.default.removeItem(
                    at: box.folder.url.appendingPathComponent(name))
            }
            let left = try await box.open().sendAll()
            #expect(left == 1)
            #expect(box.server.got.count == 1)
        }
    }

    @Test("While one sends, nobody else does, though the folder is moved, and a link leads to it")
    func movedFolder() async throws {
        try await sending { box, outbox in
            let moved = TestFolder()
            try FileManager.default.moveItem(at: box.folder.url, to: moved.url)
            try FileManager.default.createSymbolicLink(
                at: box.folder.url, withDestinationURL: moved.url)
            let left = try await box.open().sendAll()
            #expect(left == 1)
            #expect(box.server.got.count == 1)
            try await outbox.send(CreateNote("2"))
            try FileManager.default.removeItem(at: box.folder.url)
            try FileManager.default.moveItem(at: moved.url, to: box.folder.url)
            #expect(try box.open().currentEntries.count == 2)
        }
    }

    @Test("Of a folder that is replaced by a link to another outbox's, nothing is mixed")
    func replacedFolder() async throws {
        let (box, other) = (Box(), Box())
        let outbox = try box.open()
        let id = try await outbox.send(CreateNote("mine", of: "k"))
        let theirs = try await other.open().send(CreateNote("theirs", of: "k"))
        let moved = TestFolder()
        try FileManager.default.moveItem(at: box.folder.url, to: moved.url)
        try FileManager.default.createSymbolicLink(
            at: box.folder.url, withDestinationURL: other.folder.url)
        // The folder of this path is another one now, with its entries.
        try await outbox.send(CreateNote("more"))
        #expect(outbox.currentEntries.count == 2)
        #expect(outbox.currentEntries.first?.id == theirs)
        #expect(try outbox.request(of: theirs, as: CreateNote.self)?.body.text == "theirs")
        #expect(try outbox.request(of: id, as: CreateNote.self) == nil)
        try FileManager.default.removeItem(at: box.folder.url)
        try FileManager.default.moveItem(at: moved.url, to: box.folder.url)
        #expect(try await outbox.sendAll() == 0)
        #expect(box.server.texts == ["mine"])
        #expect(try other.open().currentEntries.count == 2)
    }

    @Test("What another outbox has cancelled isn't sent, though its turn has come before that")
    func cancelledElsewhere() async throws {
        let box = Box()
        let hook = Locked<(@Sendable () async throws -> Void)?>(nil)
        let source = HookedSource(hook: hook)
        let outbox = try box.open(policy: OutboxPolicy(requestsAtOnce: 1), sendingBy: source)
        let other = try box.open()
        source.account.withLock { $0 = "ben" }
        try await outbox.send(CreateNote("1"))
        source.account.withLock { $0 = "ann" }
        let id = try await outbox.send(CreateNote("2"))
        hook.withLock { $0 = { _ = try await other.cancel(id) } }
        #expect(try await outbox.sendAll() == 1)
        #expect(box.server.got.isEmpty)
    }

    @Test("A sign-out whose record can't be written at once doesn't drop what is added later")
    func lateDrop() async throws {
        let box = Box()
        let (tokens, others) = (Box.tokens("ann"), Box.tokens("ann"))
        let outbox = try box.open(policy: OutboxPolicy(whenSignedOut: .drop), by: tokens)
        let other = try box.open(by: others)
        try await outbox.send(CreateNote("before"))
        try breakFolder(box)
        tokens.signOut()
        #expect(outbox.currentEntries.isEmpty)
        try mendFolder(box)
        #expect(try box.open().currentEntries.count == 1)
        box.clock.advance(by: 1)
        tokens.signIn(Box.token("ann"))
        let added = try await other.send(CreateNote("after"))
        let own = try await outbox.send(CreateNote("own"))
        #expect(outbox.currentEntries.map(\.id) == [added, own])
        #expect(try box.open().currentEntries.map(\.id) == [added, own])
    }

    @Test(
        "Two outboxes of one process that both run, add and cancel lose nothing, and send it once")
    func together() async throws {
        let box = Box()
        let outboxes = [try box.open(), try box.open(), try box.open()]
        let runs = outboxes.map { outbox in Task { try await outbox.run() } }
        let cancelled = Locked<Set<String>>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (place, outbox) in outboxes.enumerated() {
                group.addTask {
                    for number in 0..<40 {
                        let text = "\(place) \(number)"
                        let id = try await outbox.send(CreateNote(text, of: "\(place)"))
                        guard number % 5 == 0 else { continue }
                        _ = cancelled.withLock { $0.insert(text) }
                        try await outboxes[(place + 1) % 3].cancel(id)
                    }
                }
            }
            try await group.waitForAll()
        }
        while outboxes.contains(where: { !$0.currentEntries.isEmpty }) {
            box.clock.advance(by: 1)
            for _ in 0..<20 { await Task.yield() }
        }
        for run in runs { run.cancel() }
        for run in runs { try await run.value }
        let got = box.server.texts
        #expect(Set(got).count == got.count)
        for place in 0..<3 {
            let all = (0..<40).map { "\(place) \($0)" }
            let sent = got.filter { $0.hasPrefix("\(place) ") }
            #expect(sent == all.filter(sent.contains))
            let missing = Set(all).subtracting(sent)
            #expect(missing.isSubset(of: cancelled.withLock(\.self)))
        }
    }

    @Test("While another one writes, none else does, though the folder's lock is removed")
    func removedLock() async throws {
        let box = Box()
        let outbox = try box.open()
        try await outbox.send(CreateNote("1"))
        let folder = try SharedFolder(box.folder.url)
        let journal = try folder.openFile(OutboxJournal.name, making: false)
        #expect(journal.lock(waiting: 0) == 0)
        let end = try journal.count
        try FileManager.default.removeItem(at: box.folder.url.appendingPathComponent(".lock"))
        let sending = Task { try await outbox.send(CreateNote("3")) }
        for _ in 0..<20 { await Task.yield() }
        #expect(try journal.count == end)
        let other = OutboxRecord.Added(
            id: UUID(), date: Date(), name: "CreateNote", key: nil, account: nil, ownKey: nil)
        let json = Data(#"{"body":{"text":"2"}}"#.utf8)
        try journal.write(Data(OutboxRecord.added(other).bytes(json: json)), at: end)
        journal.unlock()
        _ = try await sending.value
        let texts = try outbox.currentEntries.map {
            try outbox.request(of: $0.id, as: CreateNote.self)?.body.text
        }
        #expect(texts == ["1", "2", "3"])
    }

    @Test("A journal that somebody else may have written is refused, and stays as it is")
    func othersJournal() async throws {
        let box = Box()
        try await box.open().send(CreateNote("1"))
        let data = try Data(contentsOf: box.folder.journal)
        try #require(chmod(box.folder.journal.path, 0o666) == 0)
        let error = #expect(throws: OutboxError.self) { _ = try box.open() }
        #expect(
            error?.description.hasPrefix("a file of the outbox or of the request can't be used: ")
                == true)
        #expect(try Data(contentsOf: box.folder.journal) == data)
        try #require(chmod(box.folder.journal.path, 0o600) == 0)
        #expect(try box.open().currentEntries.count == 1)
    }

    /// Lets nothing be written in the folder, as there is a folder where its lock was.
    private func breakFolder(_ box: Box) throws {
        let lock = box.folder.url.appendingPathComponent(".lock")
        try FileManager.default.removeItem(at: lock)
        try FileManager.default.createDirectory(at: lock, withIntermediateDirectories: false)
    }

    private func mendFolder(_ box: Box) throws {
        try FileManager.default.removeItem(at: box.folder.url.appendingPathComponent(".lock"))
    }
}

/// A source of tokens that calls a function once.
private struct HookedSource: CredentialSource {
    let baseUrl = Box.environment.baseUrl
    let account = Locked("ann")
    let hook: Locked<(@Sendable () async throws -> Void)?>

    func token() async throws -> AccessToken? {
        let hook = hook.withLock { hook in
            defer { hook = nil }
            return hook
        }
        try await hook?()
        return Box.token(account.withLock(\.self))
    }

    func refresh(after refused: AccessToken) async throws -> AccessToken { refused }
}

extension Box {
    fileprivate func open(policy: OutboxPolicy, sendingBy source: HookedSource) throws -> Outbox {
        try Outbox(
            in: folder.url,
            sending: EndpointClient(server.authorized(by: source), in: Self.environment),
            requests: Self.types, policy: policy, clock: clock.clock)
    }
}

/// The lock that one process has for long.
@Suite("Folder: the long lock")
struct FolderLockTests {
    @Test(
        "One at a time has the lock, and knows when what is locked is removed or replaced",
        arguments: [true, false])
    func lock(locksFolders: Bool) throws {
        let folder = TestFolder()
        try FileManager.default.createDirectory(
            at: folder.url, withIntermediateDirectories: false)
        func lock() throws -> FolderLock? {
            try FolderLock(folder.url, orFile: ".sender", locksFolders: locksFolders)
        }
        var first = try lock()
        #expect(first?.isPresent == true)
        #expect(try lock() == nil)
        first = nil
        let second = try #require(try lock())
        let locked =
            locksFolders ? folder.url : folder.url.appendingPathComponent(".sender")
        try FileManager.default.removeItem(at: locked)
        #expect(!second.isPresent)
        try FileManager.default.createDirectory(
            at: folder.url, withIntermediateDirectories: true)
        let third = try #require(try lock())
        #expect(third.isPresent)
        #expect(!second.isPresent)
        #expect(try lock() == nil)
    }

    @Test("A link in place of the file isn't followed, and a missing folder is an error")
    func wrong() throws {
        let folder = TestFolder()
        #expect(throws: FileError.self) {
            _ = try FolderLock(folder.url, orFile: ".sender")
        }
        try FileManager.default.createDirectory(
            at: folder.url, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            at: folder.url.appendingPathComponent(".sender"),
            withDestinationURL: folder.url.appendingPathComponent("target"))
        #expect(throws: FileError.self) {
            _ = try FolderLock(folder.url, orFile: ".sender", locksFolders: false)
        }
    }
}
