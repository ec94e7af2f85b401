import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

@testable import EndpointsDurable

@Suite("Outbox: sending")
struct OutboxSendingTests {
    @Test("A request is sent once, and its entry ends")
    func once() async throws {
        let box = Box()
        let outbox = try box.open()
        let id = try await outbox.send(CreateNote("a"))
        #expect(outbox.currentEntries.map(\.id) == [id])
        #expect(outbox.currentEntries.map(\.state) == [.waiting])
        #expect(try await outbox.sendAll() == 0)
        #expect(try await outbox.sendAll() == 0)
        #expect(box.server.got == [.init(text: "a", key: id.uuidString)])
        #expect(outbox.currentEntries.isEmpty)
    }

    @Test("A request that was kept by an earlier process is sent by the next one")
    func nextProcess() async throws {
        let box = Box()
        let id = try await box.open().send(CreateNote("a", of: "n"))
        let next = try box.open()
        #expect(next.currentEntries.map(\.id) == [id])
        #expect(next.currentEntries.map(\.key) == ["n"])
        #expect(next.currentEntries.map(\.name) == ["CreateNote"])
        #expect(next.currentEntries.map(\.added) == [box.clock.clock.date()])
        #expect(try next.request(of: id, as: CreateNote.self)?.body.text == "a")
        #expect(try next.request(of: id, as: DeleteNote.self) == nil)
        #expect(try await next.sendAll() == 0)
        #expect(box.server.got == [.init(text: "a", key: id.uuidString)])
        #expect(try box.open().currentEntries.isEmpty)
    }

    @Test("Each attempt has the same Idempotency-Key, also in another process")
    func sameKey() async throws {
        let box = Box(server: NoteServer(503))
        let outbox = try box.open()
        let id = try await outbox.send(CreateNote("a"))
        #expect(try await outbox.sendAll() == 1)
        #expect(try await box.open().sendAll() == 1)
        box.server.on(204)
        #expect(try await box.open().sendAll() == 0)
        #expect(box.server.got.map(\.key) == [id.uuidString, id.uuidString, id.uuidString])
    }

    @Test("A request's own Idempotency-Key is kept")
    func ownKey() async throws {
        let box = Box()
        try await box.open().send(TagNote(own: "mine"))
        try await box.open().sendAll()
        #expect(box.server.got.map(\.key) == ["mine"])
    }

    @Test("Requests with one key are sent in order, though one fails; others don't wait for it")
    func order() async throws {
        let box = Box()
        box.server.on { text in
            if text == "1" { throw URLError(.networkConnectionLost) }
            return (204, [:])
        }
        let outbox = try box.open(policy: OutboxPolicy(requestsAtOnce: 1))
        for text in ["1", "2"] { try await outbox.send(CreateNote(text, of: "a")) }
        try await outbox.send(DeleteNote(note: "a"))
        for text in ["3", "4"] { try await outbox.send(CreateNote(text, of: "b")) }
        #expect(try await outbox.sendAll() == 5)
        #expect(box.server.texts == ["1"])
        box.clock.advance(by: 10)
        #expect(try await outbox.sendAll() == 4)
        box.server.on(204)
        box.clock.advance(by: 10)
        #expect(try await outbox.sendAll() == 0)
        let sent = box.server.texts
        #expect(sent.filter { ["2", "a"].contains($0) } == ["2", "a"])
        #expect(sent.filter { ["3", "4"].contains($0) } == ["3", "4"])
        #expect(try #require(sent.lastIndex(of: "1")) < #require(sent.firstIndex(of: "2")))
    }

    @Test("At most so many requests are sent at the same time, and one of each key")
    func atOnce() async throws {
        let box = Box()
        let (now, most) = (Locked(0), Locked(0))
        box.server.on { _ in
            let count = now.withLock {
                $0 += 1; return $0
            }
            most.withLock { $0 = max($0, count) }
            for _ in 0..<50 { await Task.yield() }
            now.withLock { $0 -= 1 }
            return (204, [:])
        }
        let outbox = try box.open(policy: OutboxPolicy(requestsAtOnce: 3))
        for number in 0..<10 { try await outbox.send(CreateNote("\(number)", of: "a")) }
        try await outbox.sendAll()
        #expect(most.withLock { $0 } == 1)
        #expect(box.server.texts == (0..<10).map { "\($0)" })
        for number in 0..<10 { try await outbox.send(CreateNote("\(number)")) }
        try await outbox.sendAll()
        #expect((2...3).contains(most.withLock { $0 }))
    }

    @Test(
        "What isn't a refusal is tried again without end",
        arguments: [408, 425, 429, 502, 503, 504, 401])
    func notRefused(status: Int) async throws {
        let box = Box(server: NoteServer(status))
        let outbox = try box.open()
        try await outbox.send(CreateNote("a"))
        for _ in 0..<6 {
            #expect(try await outbox.sendAll() == 1)
            box.clock.advance(by: 100)
        }
        #expect(box.server.got.count == 6)
        let entry = try #require(outbox.currentEntries.first)
        #expect(entry.state == (status == 401 ? .waitingForAccount : .waiting))
        #expect(entry.refusals == 0)
        #expect(entry.lastFailure?.contains("status \(status)") == true)
    }

    @Test("A lost connection isn't a refusal, and its pause grows up to the policy's longest delay")
    func offline() async throws {
        let box = Box()
        box.server.on { _ in throw URLError(.notConnectedToInternet) }
        let outbox = try box.open(policy: OutboxPolicy(firstDelay: 1, longestDelay: 5))
        try await outbox.send(CreateNote("a"))
        var waits: [TimeInterval] = []
        for _ in 0..<5 {
            #expect(try await outbox.sendAll() == 1)
            let next = try #require(outbox.currentEntries[0].nextAttempt)
            waits.append(next.timeIntervalSince(box.clock.clock.date()))
        }
        #expect(waits == [1, 2, 4, 5, 5])
        #expect(outbox.currentEntries.map(\.refusals) == [0])
    }

    @Test("A Retry-After is waited, by all entries, and tryNow() doesn't end it")
    func retryAfter() async throws {
        let box = Box(server: NoteServer(429, ["Retry-After": "30"]))
        let outbox = try box.open(policy: OutboxPolicy(requestsAtOnce: 1))
        try await outbox.send(CreateNote("a"))
        try await outbox.send(CreateNote("b"))
        try await outbox.sendAll()
        box.server.on(204)
        for _ in 0..<3 {
            outbox.tryNow()
            #expect(try await outbox.sendAll() == 2)
            box.clock.advance(by: 9)
        }
        #expect(box.server.texts == ["a"])
        box.clock.advance(by: 4)
        #expect(try await outbox.sendAll() == 0)
        #expect(box.server.texts.sorted() == ["a", "a", "b"])
    }

    @Test("tryNow() ends the wait for a server that couldn't be reached")
    func tryNow() async throws {
        let box = Box()
        box.server.on { _ in throw URLError(.notConnectedToInternet) }
        let outbox = try box.open()
        try await outbox.send(CreateNote("a"))
        try await outbox.sendAll()
        box.server.on(204)
        #expect(try await outbox.sendAll() == 0)
    }

    @Test(
        "run() sends what is added meanwhile, and what another process adds, and ends if cancelled")
    func run() async throws {
        let box = Box()
        let (outbox, other) = (try box.open(), try box.open())
        let run = Task { try await outbox.run() }
        try await outbox.send(CreateNote("a"))
        while box.server.texts != ["a"] { await Task.yield() }
        try await other.send(CreateNote("b"))
        while box.server.texts != ["a", "b"] {
            box.clock.advance(by: 1)
            await Task.yield()
        }
        run.cancel()
        try await run.value
    }

    @Test("Of two outboxes in one folder, one sends, and the other goes on when it ends")
    func oneSends() async throws {
        let box = Box()
        let gate = Locked(false)
        box.server.on { _ in
            while !gate.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
            try Task.checkCancellation()
            return (204, [:])
        }
        let (outbox, other) = (try box.open(), try box.open())
        try await outbox.send(CreateNote("a"))
        let run = Task { try await outbox.run() }
        while box.server.got.isEmpty { await Task.yield() }
        #expect(try await other.sendAll() == 1)
        #expect(box.server.got.count == 1)
        run.cancel()
        try await run.value
        gate.withLock { $0 = true }
        #expect(try await other.sendAll() == 0)
        #expect(Set(box.server.got.map(\.key)).count == 1)
    }

    @Test(
        "The response is handed on before the entry ends, and need not be readable otherwise"
    )
    func responses() async throws {
        let box = Box(server: NoteServer(201))
        let got = Locked<[Int]>([])
        let types: [OutboxType<ServerEnvironment>] = [
            .type(AddTag.self) { response, request, entry in
                got.withLock { $0.append(response.id) }
                #expect(request.body.name == "t")
                #expect(entry.state == .sending)
            }
        ]
        let outbox = try box.open(types)
        try await outbox.send(AddTag(body: .init(name: "t")))
        #expect(try await outbox.sendAll() == 0)
        #expect(got.withLock { $0 } == [7])

        box.server.on(200)
        let unread = try box.open()
        try await unread.send(AddTag(body: .init(name: "t")))
        #expect(try await unread.sendAll() == 0)
        try await outbox.send(AddTag(body: .init(name: "t")))
        #expect(try await outbox.sendAll() == 1)
        #expect(outbox.currentEntries.map(\.refusals) == [1])
    }
}
