import Endpoints
import EndpointsDurable
import EndpointsTesting
import Foundation
import Testing

@Suite("Notes that are sent later")
struct NotesTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("notes-\(UUID().uuidString)")
    private let stub = StubTransport()
    private let note = Note(id: UUID(), text: "Milk")

    private var api: EndpointClient<ServerEnvironment> {
        EndpointClient(
            stub,
            in: ServerEnvironment(
                baseUrl: URL(string: "https://notes.example.com") ?? URL(fileURLWithPath: "/")))
    }

    @Test(
        "A note that was written without a network is sent by the next start of the app, in order")
    func offline() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        stub.on(PutNote.self, .throwing(URLError(.notConnectedToInternet)))
        stub.on(DeleteNote.self, .status(204))
        let outbox = try Outbox.ofNotes(in: folder, sending: api)
        try await outbox.send(PutNote(body: note))
        try await outbox.send(DeleteNote(id: note.id))
        #expect(try await outbox.sendAll() == 2)

        stub.on(PutNote.self, .status(204))
        let next = try Outbox.ofNotes(in: folder, sending: api)
        #expect(try await next.sendAll() == 0)
        let keys = stub.sent.map { $0.urlRequest.value(forHTTPHeaderField: "Idempotency-Key") }
        #expect(stub.sent.map { $0.urlRequest.httpMethod } == ["PUT", "PUT", "DELETE"])
        #expect(keys[0] == keys[1])
    }

    @Test("The list shows a note that isn't sent yet, and the server's when it is")
    @MainActor func list() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        stub.on(ListNotes.self, .value([]), .value([note]))
        stub.on(PutNote.self, .throwing(URLError(.notConnectedToInternet)), .status(204))
        let outbox = try Outbox.ofNotes(in: folder, sending: api)
        let list = NoteList(api, outbox)
        await list.put(note)
        let run = Task { await list.run() }
        while list.items.first?.remark != "not sent yet" { await Task.yield() }
        outbox.tryNow()
        while list.items.first?.remark != nil || list.items.isEmpty {
            outbox.tryNow()
            await Task.yield()
        }
        #expect(list.items.map(\.note) == [note])
        run.cancel()
        await run.value
    }

    @Test("A list that was opened without a network has the server's notes after a refresh")
    @MainActor func offlineStart() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let other = Note(id: UUID(), text: "Bread")
        stub.on(ListNotes.self, .throwing(URLError(.notConnectedToInternet)), .value([other]))
        let list = NoteList(api, try Outbox.ofNotes(in: folder, sending: api))
        await list.put(note)
        await list.refresh()
        #expect(list.items.map(\.note) == [note])
        await list.refresh()
        #expect(list.items.map(\.note) == [other, note])
        #expect(list.items.map(\.remark) == [nil, "not sent yet"])
    }

    @Test("The list warns of a note that the disk has damaged")
    @MainActor func damaged() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        stub.on(ListNotes.self, .value([]))
        try await Outbox.ofNotes(in: folder, sending: api).send(PutNote(body: note))
        let journal = folder.appendingPathComponent("outbox.journal")
        var bytes = try Data(contentsOf: journal)
        bytes[bytes.count - 9] ^= 0x55
        try bytes.write(to: journal)
        let list = NoteList(api, try Outbox.ofNotes(in: folder, sending: api))
        let run = Task { await list.run() }
        while list.warnings.isEmpty { await Task.yield() }
        #expect(list.warnings.map { $0.contains("are damaged") } == [true])
        #expect(list.items.isEmpty)
        run.cancel()
        await run.value
    }
}
