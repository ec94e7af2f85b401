import Endpoints
import EndpointsFolder
import EndpointsMiddleware
import Foundation
import Testing

@testable import EndpointsDurable

@Suite("Outbox: journal")
struct OutboxJournalTests {
    static let id = UUID()
    static let records: [(OutboxRecord, json: String)] = [
        (
            .added(
                .init(
                    id: id, date: Date(timeIntervalSince1970: 1.5), name: "CreateNote", key: "ü",
                    account: "a1", ownKey: "k", copyCount: 2)), "{}"
        ),
        (
            .added(
                .init(
                    id: id, date: Date(timeIntervalSince1970: 0), name: "", key: nil, account: nil,
                    ownKey: nil)), ""
        ),
        (
            .added(
                .init(
                    id: id, date: Date(timeIntervalSince1970: 0), name: "N", key: "", account: "",
                    ownKey: "")), "[1]"
        ),
        (.ended(id), ""),
        (.refused(id, count: 3, isSetAside: true, reason: "status 400"), ""),
        (.refused(id, count: 1, isSetAside: false, reason: ""), ""),
        (.retried(id), ""),
        (.dropped(account: "a1", before: .distantFuture), ""),
        (.dropped(account: "", before: Date(timeIntervalSince1970: 1.5)), ""),
        (.lost(id, Date(timeIntervalSince1970: 2.5), count: 70), ""),
        (.cancelled(id), ""),
    ]

    @Test("A record is read as it was written", arguments: records.indices)
    func roundTrip(index: Int) throws {
        let (record, json) = Self.records[index]
        let bytes = record.bytes(json: Data(json.utf8))
        let read = bytes.withUnsafeBytes { OutboxRecord.read($0, from: 100) }
        #expect(read.end == bytes.count)
        #expect(read.lost.isEmpty)
        #expect(read.records.map(\.size) == [bytes.count])
        guard case .added(var added)? = read.records.first?.record else {
            #expect(read.records.map(\.record) == [record])
            return
        }
        #expect(added.count == json.utf8.count)
        #expect(added.offset == 100 + bytes.count - added.count)
        (added.offset, added.count) = (0, 0)
        #expect(OutboxRecord.added(added) == record)
    }

    @Test("The checksum is that of gzip")
    func checksum() {
        let sum = Array("123456789 and some more".utf8).withUnsafeBytes { CRC32.of($0) }
        #expect(Array("123456789".utf8).withUnsafeBytes { CRC32.of($0) } == 0xCBF4_3926)
        #expect(sum == 0xC8AA_0DE1)
    }

    static let longKey = String(repeating: "k", count: 200)

    /// A journal with three entries, and where each of them begins and ends.
    private func journal(_ box: Box) async throws -> (data: Data, ends: [Int]) {
        let outbox = try box.open()
        var ends = [OutboxJournal.head.count]
        for text in ["one", "two", "three"] {
            // The last one is longer than what is written over it.
            try await outbox.send(CreateNote(text, of: text == "three" ? Self.longKey : nil))
            ends.append(try Data(contentsOf: box.folder.journal).count)
        }
        return (try Data(contentsOf: box.folder.journal), ends)
    }

    private func texts(_ outbox: Outbox) throws -> [String] {
        try outbox.currentEntries.map {
            try outbox.request(of: $0.id, as: CreateNote.self)?.body.text ?? "?"
        }
    }

    @Test("A journal that was cut off at any byte has the entries that are whole, and takes more")
    func cutOff() async throws {
        let (data, ends) = try await journal(Box())
        for count in OutboxJournal.head.count...data.count {
            let box = Box()
            try FileManager.default.createDirectory(
                at: box.folder.url, withIntermediateDirectories: true)
            try data.prefix(count).write(to: box.folder.journal)
            let whole = Array(
                ["one", "two", "three"].prefix(ends.filter { $0 <= count }.count - 1))
            let outbox = try box.open()
            #expect(try texts(outbox) == whole)
            try await outbox.send(CreateNote("four"))
            #expect(try texts(try box.open()) == whole + ["four"])
            // Nothing is left of what was cut off.
            let bytes = try Data(contentsOf: box.folder.journal).dropFirst(ends[0])
            let read = Data(bytes).withUnsafeBytes { OutboxRecord.read($0, from: 0) }
            #expect(read.end == bytes.count && read.lost.isEmpty)
        }
    }

    /// The files of bytes that can't be read.
    private func damaged(_ box: Box) throws -> [Data] {
        try FileManager.default.contentsOfDirectory(atPath: box.folder.url.path)
            .filter { $0.hasSuffix(".damaged") }
            .map { try Data(contentsOf: box.folder.url.appendingPathComponent($0)) }
    }

    /// A folder with a journal.
    private func box(_ journal: Data) throws -> Box {
        let box = Box()
        try FileManager.default.createDirectory(
            at: box.folder.url, withIntermediateDirectories: true)
        try journal.write(to: box.folder.journal)
        return box
    }

    @Test("A wrong byte costs the record that has it, and no other, and an entry says so for good")
    func wrongByte() async throws {
        let (data, ends) = try await journal(Box())
        for place in ends[1]..<ends[3] {
            var wrong = data
            wrong[place] ^= 0x55
            let box = try box(wrong)
            let isLast = place >= ends[2]
            let expected = isLast ? ["one", "two", "?"] : ["one", "?", "three"]
            let first = try box.open()
            #expect(try texts(first) == expected, "byte \(place)")
            for _ in 0..<3 { #expect(try texts(try box.open()) == expected) }
            try #require(first.currentEntries.count == 3)
            let lost = first.currentEntries[isLast ? 2 : 1]
            #expect(try box.open().currentEntries[isLast ? 2 : 1] == lost)
            #expect(lost.state.isUnreadable && lost.name.isEmpty && lost.key == nil)
            #expect(try damaged(box) == [wrong[isLast ? ends[2]..<ends[3] : ends[1]..<ends[2]]])
        }
    }

    @Test("A wrong byte in the head of a journal costs no request")
    func wrongHead() async throws {
        let (data, _) = try await journal(Box())
        // The last two are the format's version, of which another one is refused.
        for place in 0..<OutboxJournal.head.count - 2 {
            var wrong = data
            wrong[place] ^= 0x55
            let box = try box(wrong)
            for _ in 0..<2 { #expect(try texts(try box.open()) == ["?", "one", "two", "three"]) }
            #expect(try damaged(box) == [wrong.prefix(OutboxJournal.head.count)])
        }
    }

    @Test("Of a journal with many wrong places, no more is listed and kept than a view can show")
    func manyWrongBytes() async throws {
        let source = Box()
        let outbox = try source.open()
        for number in 0..<60 { try await outbox.send(CreateNote("\(number)")) }
        var wrong = try Data(contentsOf: source.folder.journal)
        let count = wrong.count
        let size = (count - OutboxJournal.head.count) / 60
        for number in 0..<30 { wrong[OutboxJournal.head.count + 2 * number * size + 20] ^= 0x55 }
        let box = try box(wrong)
        let texts = try texts(try box.open())
        #expect(texts.filter { $0 == "?" }.count == OutboxRecord.mostLost)
        #expect(texts.filter { $0 != "?" }.count == 30)
        #expect(try damaged(box).count == OutboxRecord.mostLost)
    }

    @Test("A request that the disk damages while the outbox is open isn't sent")
    func damagedWhileOpen() async throws {
        let box = Box()
        let outbox = try box.open()
        for text in ["one", "two"] { try await outbox.send(CreateNote(text)) }
        var bytes = try Data(contentsOf: box.folder.journal)
        let place = try #require(bytes.range(of: Data("one".utf8))).lowerBound
        let file = try FileHandle(forWritingTo: box.folder.journal)
        try file.seek(toOffset: UInt64(place))
        try file.write(contentsOf: Data("0".utf8))
        try file.close()
        #expect(try await outbox.sendAll() == 1)
        #expect(box.server.texts == ["two"])
        #expect(outbox.currentEntries.map(\.state.isUnreadable) == [true])
        #expect(try texts(try box.open()) == ["?"])
        bytes = try #require(try damaged(box).first)
        #expect(bytes.range(of: Data("0ne".utf8)) != nil)
    }

    @Test("While bytes that can't be read can't be kept, the journal stays as it is")
    func notKept() async throws {
        let (data, ends) = try await journal(Box())
        var wrong = data
        wrong[ends[1] + 20] ^= 0x55
        let box = try box(wrong)
        let obstacle = box.folder.url.appendingPathComponent(SharedFolder.temporaryName)
        try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: false)
        let outbox = try box.open()
        #expect(try texts(outbox) == ["one", "?", "three"])
        try await outbox.send(CreateNote("four"))
        #expect(try Data(contentsOf: box.folder.journal).starts(with: wrong))
        try FileManager.default.removeItem(at: obstacle)
        try await outbox.send(CreateNote("five"))
        let expected = ["one", "?", "three", "four", "five"]
        for outbox in [outbox, try box.open()] { #expect(try texts(outbox) == expected) }
        #expect(try damaged(box) == [wrong[ends[1]..<ends[2]]])
        #expect(try Data(contentsOf: box.folder.journal).range(of: wrong[ends[1]..<ends[2]]) == nil)
    }

    @Test(
        "What was cancelled or dropped isn't in the folder any more, nor what was sent at an open")
    func erased() async throws {
        for way in ["cancel", "drop", "send"] {
            let box = Box()
            let tokens = Box.tokens("ann")
            let policy = OutboxPolicy(whenSignedOut: .drop)
            let outbox = try box.open(policy: policy, by: tokens)
            let id = try await outbox.send(CreateNote("private"))
            switch way {
            case "cancel": try await outbox.cancel(id)
            case "drop": tokens.signOut()
            default:
                try await outbox.sendAll()
                _ = try box.open(by: tokens)
            }
            #expect(try Data(contentsOf: box.folder.journal) == OutboxJournal.head, "\(way)")
        }
    }

    @Test("A request that isn't kept, as its account signs out meanwhile, isn't in the folder")
    func erasedAtOnce() async throws {
        let box = Box()
        let tokens = Box.tokens("ann")
        // The clock is asked for the entry's date when the account is known already.
        let signOut = Locked<(@Sendable () -> Void)?>(nil)
        var clock = box.clock.clock
        let date = clock.date
        clock.date = {
            signOut.withLock { $0.take() }?()
            return date()
        }
        let outbox = try Outbox(
            in: box.folder.url,
            sending: EndpointClient(box.server.authorized(by: tokens), in: Box.environment),
            requests: Box.types, policy: OutboxPolicy(whenSignedOut: .drop), clock: clock)
        signOut.withLock { $0 = { tokens.signOut() } }
        let error = await #expect(throws: OutboxError.self) {
            try await outbox.send(CreateNote("private"))
        }
        #expect(error?.description == "the request isn't kept: its account has just signed out")
        #expect(outbox.currentEntries.isEmpty)
        #expect(try Data(contentsOf: box.folder.journal) == OutboxJournal.head)
    }

    @Test("What was cancelled as the process was killed is erased when the folder is next opened")
    func erasedLater() async throws {
        let box = Box()
        let outbox = try box.open()
        let id = try await outbox.send(CreateNote("private"))
        for _ in 0..<9 { try await outbox.send(CreateNote("other")) }
        let file = try FileHandle(forWritingTo: box.folder.journal)
        try file.seekToEnd()
        try file.write(contentsOf: OutboxRecord.cancelled(id).bytes())
        try file.close()
        #expect(try box.open().currentEntries.count == 9)
        #expect(try Data(contentsOf: box.folder.journal).range(of: Data("private".utf8)) == nil)
    }

    @Test(
        "The journal of a later version is refused, and isn't touched",
        arguments: ["Endpoints outbox 2\n", "Endpoints outbox 2\nmore"])
    func laterVersion(content: String) throws {
        let box = Box()
        try FileManager.default.createDirectory(
            at: box.folder.url, withIntermediateDirectories: true)
        try Data(content.utf8).write(to: box.folder.journal)
        let error = #expect(throws: OutboxError.self) { _ = try box.open() }
        #expect(
            error?.description == """
                the outbox's folder can't be used: a later version of the program has written its \
                entries; use that version, or another folder
                """)
        #expect(try Data(contentsOf: box.folder.journal) == Data(content.utf8))
    }

    @Test("An entry for bytes that can't be read names their file, and goes with it when cancelled")
    func damaged() async throws {
        let (data, ends) = try await journal(Box())
        var wrong = data
        wrong[ends[1] + 20] ^= 0x55
        let box = try box(wrong)
        let outbox = try box.open()
        let lost = outbox.currentEntries[1]
        #expect(
            lost.state
                == .unreadable(
                    reason: """
                        \(ends[2] - ends[1]) bytes of the outbox's file are damaged, so requests \
                        may be lost; they are in \(lost.id.uuidString).damaged in its folder until \
                        you cancel the entry
                        """))
        #expect(try await outbox.sendAll() == 1)
        #expect(Set(box.server.texts) == ["one", "three"])
        #expect(try await !outbox.retry(lost.id))
        #expect(try await outbox.cancel(lost.id))
        #expect(try damaged(box).isEmpty)
        #expect(try box.open().currentEntries.isEmpty)
    }

    @Test(
        "Records that couldn't be written, nor removed, leave those that another process adds there"
    )
    func failedTwice() throws {
        let box = TestFolder()
        let folder = try SharedFolder(box.url)
        var first = OutboxJournal(folder, at: box.url)
        var second = OutboxJournal(folder, at: box.url)
        func record(_ text: String) -> [UInt8] {
            OutboxRecord.refused(Self.id, count: 1, isSetAside: false, reason: text).bytes()
        }
        _ = try first.catchUp()
        _ = try first.append(record("a"))
        _ = try second.catchUp()
        first.failed = (Data(record("lost and long")), first.end)
        _ = try second.append(record("b"))
        let news = try first.catchUp()
        #expect(
            news.records.map(\.record) == [
                .refused(Self.id, count: 1, isSetAside: false, reason: "b")
            ])
    }

    @Test(
        "A file that is no journal is put aside, and the outbox begins anew",
        arguments: ["", "x", "Endpoints cache 2\n", String(repeating: "\0", count: 5000)])
    func noJournal(content: String) async throws {
        let box = Box()
        try FileManager.default.createDirectory(
            at: box.folder.url, withIntermediateDirectories: true)
        try Data(content.utf8).write(to: box.folder.journal)
        let outbox = try box.open()
        #expect(outbox.currentEntries.map(\.state.isUnreadable) == [true])
        try await outbox.send(CreateNote("a"))
        #expect(try texts(try box.open()) == ["?", "a"])
        #expect(try damaged(box) == (content.isEmpty ? [] : [Data(content.utf8)]))
    }

    @Test("A journal that is a link isn't followed")
    func link() throws {
        let box = Box()
        try FileManager.default.createDirectory(
            at: box.folder.url, withIntermediateDirectories: true)
        let target = box.folder.url.appendingPathComponent("target")
        try Data("private".utf8).write(to: target)
        try FileManager.default.createSymbolicLink(
            at: box.folder.journal, withDestinationURL: target)
        #expect(throws: OutboxError.self) { _ = try box.open() }
        #expect(try Data(contentsOf: target) == Data("private".utf8))
    }

    @Test("Only the user can read the files, and no token is in them")
    func permissions() async throws {
        let box = Box()
        let tokens = Box.tokens("ann")
        try await box.open(by: tokens).send(CreateNote("a"))
        try await box.open(by: tokens).sendAll()
        let names = try FileManager.default.contentsOfDirectory(atPath: box.folder.url.path)
        #expect(names.sorted() == [".lock", OutboxJournal.name])
        for name in names {
            let url = box.folder.url.appendingPathComponent(name)
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try Data(contentsOf: url).range(of: Data("t0k3n".utf8)) == nil)
        }
    }

    @Test("A journal doesn't grow without end, and what is in it stays when it is replaced")
    func compaction() async throws {
        let box = Box()
        box.server.on { text in (text.hasPrefix("bad") ? 400 : 204, [:]) }
        let policy = OutboxPolicy(setAsideAfter: 1)
        let (outbox, other) = (try box.open(policy: policy), try box.open(policy: policy))
        try await outbox.send(CreateNote("bad", of: "k"))
        try await outbox.send(CreateNote("held", of: "k"))
        for number in 0..<40 {
            for _ in 0..<10 {
                try await outbox.send(
                    CreateNote("\(number) " + String(repeating: "x", count: 3000)))
            }
            try await outbox.sendAll()
        }
        #expect(try Data(contentsOf: box.folder.journal).count < 2 * OutboxJournal.leastCompaction)
        #expect(box.server.got.count == 401)
        for outbox in [outbox, other, try box.open(policy: policy)] {
            try await outbox.send(CreateNote("new", of: "k"))
            #expect(try texts(outbox).prefix(2) == ["bad", "held"])
            #expect(outbox.currentEntries[0].state.isSetAside)
        }
        #expect(try texts(other).count == 5 - 1)
        box.server.on(204)
        try await other.retry(other.currentEntries[0].id)
        #expect(try await other.sendAll() == 0)
        #expect(box.server.texts.suffix(5) == ["bad", "held", "new", "new", "new"])
    }

    @Test("Many requests at the same time share the flushes of the disk, and all are kept")
    func group() async throws {
        let box = Box()
        let outbox = try box.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<500 {
                group.addTask { try await outbox.send(CreateNote("\(number)")) }
            }
            try await group.waitForAll()
        }
        #expect(Set(try texts(try box.open())) == Set((0..<500).map { "\($0)" }))
    }
}

extension OutboxEntry.State {
    var isSetAside: Bool { if case .setAside = self { true } else { false } }
    var isUnreadable: Bool { if case .unreadable = self { true } else { false } }
}
