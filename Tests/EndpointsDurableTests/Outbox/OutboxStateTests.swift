import Endpoints
import EndpointsAuth
import EndpointsMiddleware
import Foundation
import Testing

@testable import EndpointsDurable

@Suite("Outbox: states")
struct OutboxStateTests {
    @Test(
        "An entry that is refused too often is set aside with the reason, also after a restart",
        arguments: [400, 403, 404, 409, 410, 422, 501, 505])
    func setAside(status: Int) async throws {
        let box = Box(server: NoteServer(status))
        try await box.open().send(CreateNote("a"))
        for count in 1...3 {
            let outbox = try box.open()
            #expect(try await outbox.sendAll() == 1)
            #expect(outbox.currentEntries.map(\.refusals) == [count])
        }
        let outbox = try box.open()
        #expect(try await outbox.sendAll() == 1)
        #expect(box.server.got.count == 3)
        guard case .setAside(let reason) = outbox.currentEntries[0].state else {
            Issue.record("It isn't set aside")
            return
        }
        #expect(
            reason
                == """
                CreateNote: the server responded with an error, status \(status)
                """)
    }

    @Test("The server's error of each refusal is given to the type's function, with the entry")
    func refused() async throws {
        let box = Box(server: NoteServer(422))
        let got = Locked<[String]>([])
        let types: [OutboxType<ServerEnvironment>] = [
            .type(
                Titled.self,
                refused: { error, request, entry in
                    guard case .errorResponse(_, let problem) = error else { return }
                    got.withLock {
                        $0.append("\(problem.reason) \(request.title) \(entry.state.isSetAside)")
                    }
                })
        ]
        let outbox = try box.open(types, policy: OutboxPolicy(setAsideAfter: 2))
        try await outbox.send(Titled(title: "x"))
        for _ in 0..<2 {
            try await outbox.sendAll()
            box.clock.advance(by: 100)
        }
        #expect(got.withLock(\.self) == ["too short x false", "too short x true"])
        #expect(
            outbox.currentEntries.map(\.state) == [
                .setAside(
                    reason: """
                        Titled: the server responded with an error, status 422: The title is too \
                        short
                        """)
            ])
    }

    @Test(
        "A request at which the server fails is set aside only if others succeed meanwhile",
        arguments: [500, 507, 521])
    func fault(status: Int) async throws {
        let box = Box()
        let isAway = Locked(true)
        box.server.on { text in
            (text == "bad" || isAway.withLock(\.self) ? status : 204, [:])
        }
        let outbox = try box.open()
        try await outbox.send(CreateNote("bad"))
        for number in 0..<3 { try await outbox.send(CreateNote("\(number)")) }
        for _ in 0..<5 { #expect(try await outbox.sendAll() == 4) }
        #expect(outbox.currentEntries.allSatisfy { $0.refusals == 0 && $0.state == .waiting })
        // After the first call, each sends one request only, as the server may be away.
        #expect(box.server.got.count == 8)
        isAway.withLock { $0 = false }
        for number in 3..<12 {
            try await outbox.sendAll()
            try await outbox.send(CreateNote("\(number)"))
        }
        try await outbox.sendAll()
        let left = outbox.currentEntries
        #expect(left.map(\.refusals) == [3])
        guard case .setAside? = left.first?.state else {
            Issue.record("It isn't set aside")
            return
        }
    }

    static let changes: [(any OutboxRequest, part: String)] = [
        (Changing(), "path"),
        (Partial(text: "a"), "body"),
        (Partial(query: "a"), "query"),
        (Partial(tag: "a"), "`If-Match`"),
        (Partial(key: "a"), "`Idempotency-Key`"),
        (Partial(outboxKey: "a"), "`outboxKey`"),
    ]

    @Test("A request whose JSON is another one is refused, and isn't kept", arguments: 0..<6)
    func changing(index: Int) async throws {
        let types: [OutboxType<ServerEnvironment>] = [
            .type(Changing.self), .type(Unread.self), .type(Partial.self),
        ]
        let outbox = try Box().open(types)
        let (request, part) = Self.changes[index]
        let error = await #expect(throws: OutboxError.self) { try await outbox.send(request) }
        #expect(
            error?.description == """
                the request can't be written as JSON: its \(part) is another one when the JSON is \
                read; let the JSON have all properties that the request is made of, and write one \
                such as `let id = UUID()` as `let id: UUID`, with a value when the request is made
                """)
        await #expect(throws: OutboxError.self) { try await outbox.send(Unread(text: "a")) }
        try await outbox.send(Partial())
        #expect(outbox.currentEntries.count == 1)
    }

    @Test("A request that is too large isn't kept")
    func tooLarge() async throws {
        let outbox = try Box().open()
        let error = await #expect(throws: OutboxError.self) {
            try await outbox.send(CreateNote(String(repeating: "a", count: 60_000_001)))
        }
        let text = error?.description ?? ""
        #expect(text.hasPrefix("the request can't be written as JSON: it has 600000"))
        #expect(text.hasSuffix("let it have large data as an `OutboxFile`"))
        #expect(outbox.currentEntries.isEmpty)
    }

    struct Unordered: FlatRequest, OutboxRequest {
        struct Body: Codable {
            var tags: Set<String>
            var counts: [String: Int]
        }

        let body: Body
        var outboxKey: String? { nil }
        var time: String { UUID().uuidString }
        static let endpoint = Endpoint<Self>(
            method: .put, path: "notes",
            parameters: [.query("time", path: \.time)])
        typealias Response = Void
    }

    @Test("A request is kept whose sets have another order later, or whose query is never the same")
    func unordered() async throws {
        let outbox = try Box().open([.type(Unordered.self)])
        let names = (0..<40).map { "name \($0)" }
        for _ in 0..<5 {
            let counts = Dictionary(uniqueKeysWithValues: names.shuffled().map { ($0, $0.count) })
            try await outbox.send(
                Unordered(body: .init(tags: Set(names.shuffled()), counts: counts)))
        }
        #expect(outbox.currentEntries.count == 5)
    }

    @Test("Later entries with the key of one that is set aside wait, or go on, as the policy says")
    func laterEntries() async throws {
        for whenSetAside in [OutboxPolicy.SetAside.holdKey, .goOn] {
            let box = Box()
            box.server.on { text in (text == "1" ? 422 : 204, [:]) }
            let policy = OutboxPolicy(setAsideAfter: 1, whenSetAside: whenSetAside)
            let outbox = try box.open(policy: policy)
            let id = try await outbox.send(CreateNote("1", of: "k"))
            for text in ["2", "3"] { try await outbox.send(CreateNote(text, of: "k")) }
            try await outbox.send(CreateNote("other", of: "l"))
            try await outbox.sendAll()
            let held = whenSetAside == .holdKey
            #expect(
                box.server.texts.sorted() == (held ? ["1", "other"] : ["1", "2", "3", "other"]))
            // The same after a restart.
            let next = try box.open(policy: policy)
            #expect(try await next.sendAll() == (held ? 3 : 1))
            box.server.on(204)
            #expect(try await next.retry(id))
            #expect(try await next.sendAll() == 0)
            #expect(box.server.texts.filter { $0 == "1" }.count == 2)
            #expect(box.server.texts.filter { "23".contains($0) } == ["2", "3"])
        }
    }

    @Test("Cancelling an entry removes it on the disk, and lets later ones of its key go on")
    func cancel() async throws {
        let box = Box(server: NoteServer(422))
        let outbox = try box.open(policy: OutboxPolicy(setAsideAfter: 1))
        let id = try await outbox.send(CreateNote("1", of: "k"))
        try await outbox.send(CreateNote("2", of: "k"))
        try await outbox.sendAll()
        box.server.on(204)
        #expect(try await outbox.cancel(id))
        #expect(try await outbox.cancel(id) == false)
        #expect(try await outbox.retry(id) == false)
        #expect(try await box.open().sendAll() == 0)
        #expect(box.server.texts == ["1", "2"])
        // The other outbox has sent it.
        #expect(try await outbox.sendAll() == 0)
        #expect(box.server.texts == ["1", "2"])
    }

    @Test("After a cancel of an entry that is being sent, the next of its key waits for its end")
    func cancelWhileSending() async throws {
        let box = Box()
        let gate = Locked(false)
        let isOver = Locked(false)
        box.server.on { text in
            guard text == "1" else {
                #expect(isOver.withLock { $0 })
                return (204, [:])
            }
            while !gate.withLock({ $0 }) { await Task.yield() }
            isOver.withLock { $0 = true }
            return (204, [:])
        }
        let outbox = try box.open()
        let id = try await outbox.send(CreateNote("1", of: "k"))
        try await outbox.send(CreateNote("2", of: "k"))
        let run = Task { try await outbox.run() }
        while box.server.texts.isEmpty { await Task.yield() }
        #expect(outbox.currentEntries.map(\.state) == [.sending, .waiting])
        try await outbox.cancel(id)
        #expect(outbox.currentEntries.map(\.state) == [.waiting])
        for _ in 0..<200 {
            box.clock.advance(by: 1)
            await Task.yield()
        }
        gate.withLock { $0 = true }
        while !outbox.currentEntries.isEmpty {
            box.clock.advance(by: 1)
            await Task.yield()
        }
        #expect(box.server.texts == ["1", "2"])
        run.cancel()
        try await run.value
    }

    @Test(
        "A view gets the entries of now, and those after each change, until its task is cancelled")
    func entries() async throws {
        let box = Box()
        let outbox = try box.open()
        let seen = Locked<[[OutboxEntry.State]]>([])
        let view = Task {
            for await entries in outbox.entries {
                seen.withLock { $0.append(entries.map(\.state)) }
            }
        }
        func wait(for states: [OutboxEntry.State]) async {
            while seen.withLock({ $0.last }) != states { await Task.yield() }
        }
        await wait(for: [])
        try await outbox.send(CreateNote("1"))
        await wait(for: [.waiting])
        let gate = Locked(false)
        box.server.on { _ in
            while !gate.withLock({ $0 }) { await Task.yield() }
            return (204, [:])
        }
        let sending = Task { try await outbox.sendAll() }
        await wait(for: [.sending])
        gate.withLock { $0 = true }
        await wait(for: [])
        _ = try await sending.value
        view.cancel()
        await view.value
    }

    struct Old: FlatRequest, OutboxRequest {
        var title = "old"
        var outboxKey: String? { nil }
        static let endpoint = Endpoint<Self>(method: .post, path: "notes")
        typealias Response = Void
    }

    struct Gone: FlatRequest, OutboxRequest {
        var title = "gone"
        var outboxKey: String? { nil }
        static let endpoint = Endpoint<Self>(method: .post, path: "notes")
        typealias Response = Void
    }

    /// A folder with an entry of a type that has changed, and one of a type that is gone.
    private func stored() async throws -> Box {
        let box = Box()
        let outbox = try box.open([.type(Old.self, named: "CreateNote"), .type(Gone.self)])
        try await outbox.send(Old())
        try await outbox.send(Gone())
        return box
    }

    @Test("An entry whose type has changed or is gone is kept, and says why it can't be sent")
    func unreadable() async throws {
        let box = try await stored()
        let outbox = try box.open()
        #expect(try await outbox.sendAll() == 2)
        #expect(
            outbox.currentEntries.map(\.state) == [
                .unreadable(
                    reason: """
                        it can't be read as a CreateNote: the value at `body` is missing; give the \
                        outbox a migration, or cancel the entry
                        """),
                .unreadable(
                    reason: """
                        the outbox has no type named Gone; declare it, give a migration, or cancel \
                        the entry
                        """),
            ])
        #expect(box.server.got.isEmpty)
        #expect(
            try await box.open([.type(Old.self, named: "CreateNote"), .type(Gone.self)]).sendAll()
                == 0)
    }

    @Test("A migration makes requests of entries that can't be read, which keep their keys")
    func migration() async throws {
        let box = try await stored()
        let outbox = try box.open(migrating: { stored in
            let title = try stored.decoded(as: [String: String].self)["title"] ?? ""
            return stored.name == "Gone" ? DeleteNote(note: title) : CreateNote(title)
        })
        let ids = outbox.currentEntries.map(\.id.uuidString)
        #expect(try await outbox.sendAll() == 0)
        #expect(box.server.texts.sorted() == ["gone", "old"])
        #expect(Set(box.server.got.map(\.key)) == Set(ids))
    }

    @Test("A type that has another name, or several, sends entries of each of its names")
    func names() async throws {
        let box = try await stored()
        let types: [OutboxType<ServerEnvironment>] = [
            .type(Old.self), .type(Old.self, named: "CreateNote"), .type(Old.self, named: "Gone"),
        ]
        let outbox = try box.open(types)
        let id = try await outbox.send(Old(title: "new"))
        #expect(outbox.currentEntries.map(\.name) == ["CreateNote", "Gone", "Old"])
        #expect(try outbox.request(of: id, as: Old.self)?.title == "new")
        #expect(
            try outbox.currentEntries.map { try outbox.request(of: $0.id, as: Old.self)?.title }
                == ["old", "gone", "new"])
        #expect(try outbox.request(of: id, as: Gone.self) == nil)
        #expect(try await outbox.sendAll() == 0)
    }

    @Test("After a migration that throws, later ones of the key wait, and retry() calls it again")
    func throwingMigration() async throws {
        struct Failed: Error {}
        for whenSetAside in [OutboxPolicy.SetAside.holdKey, .goOn] {
            let box = Box()
            let old = try box.open([.type(CreateNote.self, named: "AddNote")])
            let id = try await old.send(CreateNote("1", of: "k"))
            let calls = Locked(0)
            let policy = OutboxPolicy(whenSetAside: whenSetAside)
            let outbox = try box.open(
                policy: policy,
                migrating: { stored in
                    let call = calls.withLock { calls in
                        calls += 1
                        return calls
                    }
                    guard call > 2 else { throw Failed() }
                    return try stored.decoded(as: CreateNote.self)
                })
            try await outbox.send(CreateNote("2", of: "k"))
            try await outbox.send(CreateNote("other"))
            let sent = whenSetAside == .holdKey ? ["other"] : ["2", "other"]
            for _ in 0..<3 { #expect(try await outbox.sendAll() == 3 - sent.count) }
            #expect(box.server.texts.sorted() == sent)
            #expect(calls.withLock(\.self) == 1)
            #expect(outbox.currentEntries.first?.state.isUnreadable == true)
            for left in [3 - sent.count, 0] {
                #expect(try await outbox.retry(id))
                #expect(try await outbox.sendAll() == left)
            }
            #expect(box.server.got.first { $0.text == "1" }?.key == id.uuidString)
            #expect(box.server.texts.filter { $0 != "other" }.sorted() == ["1", "2"])
        }
    }

    @Test("A migration that fails, or returns nothing or an undeclared type, keeps the entry")
    func failedMigration() async throws {
        let box = try await stored()
        struct Failed: LocalizedError { var errorDescription: String? { "no idea" } }
        let migrations: [@Sendable (OutboxStored) throws -> (any OutboxRequest)?] = [
            { _ in throw Failed() }, { _ in nil }, { _ in Gone() },
        ]
        for migration in migrations {
            let outbox = try box.open(migrating: migration)
            #expect(try await outbox.sendAll() == 2)
            #expect(outbox.currentEntries.filter { $0.state.isUnreadable }.count == 2)
        }
        #expect(box.server.got.isEmpty)
    }
}

@Suite("Outbox: errors")
struct OutboxErrorTests {
    struct Unknown: FlatRequest, OutboxRequest {
        var outboxKey: String? { nil }
        static let endpoint = Endpoint<Self>(method: .post, path: "a")
        typealias Response = Void
    }

    struct Number: FlatRequest, OutboxRequest {
        let value: Double
        var outboxKey: String? { nil }
        static let endpoint = Endpoint<Self>(method: .post, path: "a")
        typealias Response = Void
    }

    private func text(_ body: () async throws -> Void) async -> String {
        do { try await body() } catch { return "\(error)" }
        return ""
    }

    @Test("A request that can't be sent later isn't kept")
    func notKept() async throws {
        let box = Box()
        let outbox = try box.open(Box.types + [.type(Number.self)])
        #expect(
            await text { try await outbox.send(Unknown()) }
                == "the outbox isn't made for Unknown; add `.type(Unknown.self)` to its `requests`")
        #expect(
            await text { try await outbox.send(Number(value: .nan)) }
                == """
                the request can't be written as JSON: the number at `value` is not finite; use a \
                finite one, or an encoder that writes it
                """)
        #expect(
            await text { try await outbox.send(DeleteNote(note: "")) }.hasPrefix(
                #"DeleteNote: the path value "note""#))
        #expect(outbox.currentEntries.isEmpty)
        #expect(try box.open().currentEntries.isEmpty)
    }

    @Test("An outbox that can't be meant isn't made")
    func notMade() async throws {
        let box = Box()
        #expect(
            await text { _ = try box.open([.type(CreateNote.self), .type(CreateNote.self)]) }
                == """
                two types of the outbox have the name CreateNote; give one of them another, as in \
                `.type(CreateNote.self, named: "…")`
                """)
        for policy in [
            OutboxPolicy(setAsideAfter: 0), OutboxPolicy(requestsAtOnce: 0),
            OutboxPolicy(firstDelay: -1), OutboxPolicy(longestDelay: .nan),
            OutboxPolicy(interval: 0),
        ] {
            #expect(
                await text { _ = try box.open(policy: policy) }.hasPrefix("the policy's `"))
        }
        let policy = OutboxPolicy(whenSignedOut: .drop)
        #expect(
            await text { _ = try box.open(policy: policy) } == """
                the policy's `whenSignedOut: .drop` can't be meant, as the outbox sees no sign-in \
                in its client; send with a transport that is `authorized(by:)`
                """)
        // A key that signs never signs out.
        let signed = box.server.signed(by: NumberSigner(name: "a"))
        for (transport, isMade) in [
            (signed, false), (signed.authorized(by: Box.tokens(nil)), true),
        ] as [(any Transport, Bool)] {
            let shown = await text {
                _ = try Outbox(
                    in: box.folder.url, sending: EndpointClient(transport, in: Box.environment),
                    requests: Box.types, policy: policy)
            }
            #expect(shown.contains("`whenSignedOut: .drop` can't be meant") == !isMade)
        }
        _ = try box.open(policy: policy, by: Box.tokens(nil))
        try FileManager.default.removeItem(at: box.folder.url)
        try Data().write(to: box.folder.url)
        #expect(
            await text { _ = try box.open() }.hasPrefix("the outbox's folder can't be used: "))
    }

    @Test("A dump shows neither a request nor a token")
    func dumps() async throws {
        let box = Box()
        let outbox = try box.open(by: Box.tokens("s3cr3t"))
        let id = try await outbox.send(CreateNote("s3cr3t"))
        let json = try #require(try outbox.json(of: id))
        let values: [Any] = [
            outbox, outbox.entries, outbox.currentEntries, Box.types,
            OutboxStored(name: "CreateNote", json: json, folder: box.folder.url),
            OutboxError.undeclaredType("A"),
        ]
        var text = ""
        for value in values {
            dump(value, to: &text)
            print(value, to: &text)
        }
        #expect(!text.contains("s3cr3t"))
    }
}

/// The server says why it refuses it.
struct Titled: FlatRequest, OutboxRequest {
    struct Problem: Decodable, LocalizedError {
        let reason: String
        var errorDescription: String? { "The title is \(reason)" }
    }

    let title: String
    var outboxKey: String? { nil }
    static let endpoint = Endpoint<Self>(
        method: .put, path: "titles", parameters: [.query("title", path: \.title)])
    typealias Response = Void
    typealias ErrorResponse = Problem
}

/// Its path is another one each time that it is read.
struct Changing: FlatRequest, OutboxRequest {
    private(set) var id = UUID()
    var outboxKey: String? { nil }
    static let endpoint = Endpoint<Self>(method: .put, path: "notes/\(path: \.id)")
    typealias Response = Void

    enum CodingKeys: CodingKey {}
}

/// Nothing of it is in its JSON.
struct Partial: FlatRequest, OutboxRequest {
    struct Body: Codable { let text: String }

    var text = "text"
    var query: String?
    var tag: String?
    var key = "key"
    var outboxKey: String?
    var body: Body { Body(text: text) }
    static let endpoint = Endpoint<Self>(
        method: .put, path: "notes", parameters: [.query("q", path: \.query)],
        headers: [.ifMatch: .field(path: \.tag), .idempotencyKey: .field(path: \.key)])
    typealias Response = Void

    enum CodingKeys: CodingKey {}
}

/// What it writes can't be read.
struct Unread: FlatRequest, OutboxRequest {
    let text: String
    var outboxKey: String? { nil }
    static let endpoint = Endpoint<Self>(
        method: .put, path: "notes", parameters: [.query("a", path: \.text)])
    typealias Response = Void

    init(text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    enum CodingKeys: CodingKey { case text }
}
