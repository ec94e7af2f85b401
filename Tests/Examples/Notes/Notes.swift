import Endpoints
import EndpointsDurable
import EndpointsMiddleware
import Foundation
import Observation

/// A note of the server, or one that isn't there yet.
struct Note: Codable, Hashable, Identifiable, Sendable {
    let id: UUID
    var text: String
}

struct ListNotes: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "notes")
    typealias Response = [Note]
}

/// Adds a note, or gives it another text. What is sent about a note keeps its order.
struct PutNote: FlatRequest, OutboxRequest {
    let body: Note

    var outboxKey: String? { body.id.uuidString }

    static let endpoint = Endpoint<Self>(method: .put, path: "notes/\(path: \.body.id)")
    typealias Response = Void
}

struct DeleteNote: FlatRequest, OutboxRequest {
    let id: UUID

    var outboxKey: String? { id.uuidString }

    static let endpoint = Endpoint<Self>(method: .delete, path: "notes/\(path: \.id)")
    typealias Response = Void
}

extension Outbox {
    /// The outbox of the notes, in a folder of its own.
    static func ofNotes(
        in folder: URL, sending api: EndpointClient<ServerEnvironment>,
        clock: TransportClock = .system
    ) throws(OutboxError) -> Outbox {
        try Outbox(
            in: folder, sending: api, requests: [.type(PutNote.self), .type(DeleteNote.self)],
            clock: clock)
    }
}

/// The notes, for a view: those of the server, with what isn't sent yet.
@MainActor @Observable
final class NoteList {
    struct Item: Identifiable {
        var note: Note
        /// What the view shows beside the note, such as `not sent yet`; `nil` if it is sent.
        var remark: String?
        var id: UUID { note.id }
    }

    private(set) var items: [Item] = []
    private(set) var message: String?
    /// Why entries can't be shown as notes, such as that the disk has damaged them.
    private(set) var warnings: [String] = []

    private let api: EndpointClient<ServerEnvironment>
    private let outbox: Outbox
    private var sent: [Note] = []
    private var loads = 0

    init(_ api: EndpointClient<ServerEnvironment>, _ outbox: Outbox) {
        self.api = api
        self.outbox = outbox
    }

    /// Sends, and shows what changes, as long as the view is there: `.task { await list.run() }`.
    func run() async {
        let sending = Task { [outbox] in try await outbox.run() }
        defer { sending.cancel() }
        show(outbox.currentEntries)
        var count = Int.max
        for await entries in outbox.entries {
            // What isn't among the entries any more is on the server now.
            if entries.count < count { await load() }
            count = entries.count
            show(entries)
        }
    }

    /// Sends and loads at once, as when the network is there again: `.refreshable { await
    /// list.refresh() }`.
    func refresh() async {
        outbox.tryNow()
        await load()
        show(outbox.currentEntries)
    }

    /// Loads the server's notes, unless a later call has begun to.
    private func load() async {
        loads += 1
        let number = loads
        guard let notes = try? await api(ListNotes()), number == loads else { return }
        sent = notes
    }

    /// Keeps a note, with or without a network.
    func put(_ note: Note) async {
        await keep(PutNote(body: note))
    }

    func delete(_ note: Note) async {
        await keep(DeleteNote(id: note.id))
    }

    /// Sends a note again that the server has refused.
    func retry(_ note: Note) async {
        for entry in outbox.currentEntries where entry.key == note.id.uuidString {
            _ = try? await outbox.retry(entry.id)
        }
    }

    private func keep(_ request: some OutboxRequest) async {
        do throws(OutboxError) {
            try await outbox.send(request)
            message = nil
        } catch { message = "The note can't be kept: \(error)" }
    }

    private func show(_ entries: [OutboxEntry]) {
        var items = sent.map { Item(note: $0) }
        var warnings: [String] = []
        for entry in entries {
            if let put = try? outbox.request(of: entry.id, as: PutNote.self) {
                let item = Item(note: put.body, remark: entry.state.remark)
                if let place = items.firstIndex(where: { $0.id == item.id }) {
                    items[place] = item
                } else {
                    items.append(item)
                }
            } else if let delete = try? outbox.request(of: entry.id, as: DeleteNote.self) {
                items.removeAll { $0.id == delete.id }
            } else if case .unreadable(let reason) = entry.state {
                warnings.append(reason)
            }
        }
        (self.items, self.warnings) = (items, warnings)
    }
}

extension OutboxEntry.State {
    fileprivate var remark: String {
        switch self {
        case .waiting: "not sent yet"
        case .sending: "being sent"
        case .waitingForAccount: "waits for its account"
        case .setAside(let reason), .unreadable(let reason): reason
        }
    }
}
