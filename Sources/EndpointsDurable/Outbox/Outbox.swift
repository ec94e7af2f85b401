import Endpoints
import EndpointsFolder
import EndpointsShared
import Foundation

/// Keeps requests on the disk until a server has accepted them.
///
///     let outbox = try Outbox(
///         in: folder, sending: api, requests: [.type(CreateNote.self), .type(EditNote.self)])
///     try await outbox.send(CreateNote(id: UUID(), body: .init(text: "Milk")))   // on the disk
///     try await outbox.run()   // sends, until the task is cancelled
///
/// ``send(_:)`` returns when the request is on the disk, whether the server can be reached or not.
/// ``run()`` or ``sendAll()`` sends it, in this process or in a later one, as often as it takes.
/// So the server gets the request at least once. Each attempt has the same `Idempotency-Key`, so a
/// server that supports this header carries it out only once. For any other server, send only
/// requests that do no harm when they arrive twice.
///
/// An entry belongs to the account that was signed in when it was added, as long as `api` has a
/// sign-in such as `authorized(by:)`. It waits while another one is signed in.
///
/// Several processes may have an outbox in the same folder. One of them sends at a time.
public final class Outbox: Sendable {
    /// How the outbox sends what it keeps.
    public let policy: OutboxPolicy

    let folder: SharedFolder
    let url: URL
    let clock: TransportClock
    let book: Locked<OutboxBook>
    let changes = OutboxChanges()
    let writer: OutboxWriter
    /// How often the entries of each account were dropped.
    private let drops = Locked<[String: Int]>([:])
    /// The name that a new entry of each type gets.
    private let names: [ObjectIdentifier: String]
    /// The type of each name.
    private let types: [String: ObjectIdentifier]
    private let canMigrate: Bool
    private let checkedRequest:
        @Sendable (any OutboxRequest, Data) async throws(OutboxError) -> Checked
    let deliver: @Sendable (Data, OutboxEntry, OutboxRecord.Added) async -> Outcome

    /// Opens the outbox of a folder, and makes the folder if there is none.
    ///
    /// - Parameters:
    ///   - folder: A folder of the outbox alone. Only the user can read its files.
    ///   - client: Sends the requests.
    ///   - requests: The types of the requests, each with a name of its own.
    ///   - policy: How the requests are sent.
    ///   - migrating: Called for an entry whose type has changed or is gone. It returns the request
    ///     to send in its place, whose type is one of `requests`, or `nil` if there is none. The
    ///     entry keeps its key, its account and its `Idempotency-Key`.
    ///   - clock: The clock of all waits.
    /// - Throws: An ``OutboxError``, such as for two types with the same name, for a folder that
    ///   can't be used, or for ``OutboxPolicy/SignOut/drop`` with a client that has no sign-in,
    ///   such as one with a signer alone.
    public convenience init<Environment: EnvironmentType>(
        in folder: URL, sending client: EndpointClient<Environment>,
        requests: [OutboxType<Environment>], policy: OutboxPolicy = OutboxPolicy(),
        migrating: (@Sendable (OutboxStored) throws -> (any OutboxRequest)?)? = nil,
        clock: TransportClock = .system
    ) throws(OutboxError) {
        try self.init(folder, Deliveries(client, requests, clock, migrating, folder), policy, clock)
    }

    private init<Environment>(
        _ url: URL, _ deliveries: Deliveries<Environment>, _ policy: OutboxPolicy,
        _ clock: TransportClock
    ) throws(OutboxError) {
        var types: [String: ObjectIdentifier] = [:]
        for type in deliveries.types {
            guard types.updateValue(ObjectIdentifier(type.type), forKey: type.name) == nil
            else { throw .sameName(type.name) }
        }
        if let fault = policy.fault { throw .wrongSetting(fault) }
        guard policy.whenSignedOut == .keep || deliveries.accounts.canEnd else {
            throw .wrongSetting(
                """
                the policy's `whenSignedOut: .drop` can't be meant, as the outbox sees no sign-in \
                in its client; send with a transport that is `authorized(by:)`
                """)
        }
        do throws(FolderError) { folder = try SharedFolder(url) } catch {
            throw .folder(error.reason)
        }
        self.url = url
        self.policy = policy
        self.clock = clock
        self.types = types
        let names = deliveries.types.map { (ObjectIdentifier($0.type), $0.name) }
        self.names = Dictionary(names) { first, _ in first }
        canMigrate = deliveries.migrating != nil
        checkedRequest = { request, json throws(OutboxError) in
            try await deliveries.checked(request, json)
        }
        deliver = { await deliveries.deliver($0, $1, $2) }
        let book = Locked(OutboxBook(policy))
        self.book = book
        do throws(FileError) {
            writer = try OutboxWriter(OutboxJournal(folder, at: url), book, changes)
        } catch {
            guard error.kind == .other(code: OutboxJournal.laterVersion)
            else { throw .fileError(error) }
            throw .folder(
                """
                a later version of the program has written its entries; use that version, or \
                another folder
                """)
        }
        removeUnneededCopies()
        guard policy.whenSignedOut == .drop else { return }
        deliveries.accounts.addListener { [weak self] account in self?.drop(account) }
    }

    /// Keeps a request on the disk. It is sent by ``run()`` or ``sendAll()``.
    ///
    /// - Returns: The id of its entry, when the request is on the disk.
    /// - Throws: An ``OutboxError``, such as for a type that the outbox isn't made for, for a
    ///   request of which no `URLRequest` can be made, for an account without a name,
    ///   or for a full disk. The request isn't kept then.
    @discardableResult
    public func send(_ request: some OutboxRequest) async throws(OutboxError) -> OutboxEntry.ID {
        guard let name = names[ObjectIdentifier(type(of: request))]
        else { throw .undeclaredType("\(type(of: request))") }
        let id = UUID()
        let copies = OutboxCopies(in: url, of: id)
        let json: Data
        let uncopied: Data
        do {
            json = try copies.encoder.encode(request)
            uncopied = copies.count == 0 ? json : try JSONEncoder().encode(request)
        } catch { throw .encoding(error) }
        guard json.count <= OutboxRecord.longestJSON, copies.count <= OutboxRecord.mostCopies
        else { throw .encoding(TooLarge(count: json.count, copyCount: copies.count)) }
        let drops = drops.withLock(\.self)
        let checked = try await checkedRequest(request, uncopied)
        let added = OutboxRecord.Added(
            id: id, date: clock.date(), name: name, key: request.outboxKey,
            account: checked.account, ownKey: checked.ownKey, copyCount: copies.count)
        let bytes = OutboxRecord.added(added).bytes(json: json)
        guard bytes.count <= OutboxRecord.longest
        else { throw .encoding(TooLarge(count: bytes.count, copyCount: copies.count)) }
        do throws(FileError) {
            try await copies.make(in: folder)
            do throws(FileError) {
                try await writer.write(bytes)
            } catch {
                copies.remove(from: folder)
                throw error
            }
        } catch { throw .fileError(error) }
        // The account may have signed out while its entry was being written.
        let parts = checked.account?.split(separator: "+").map(String.init) ?? []
        if self.drops.withLock({ now in parts.contains { now[$0] != drops[$0] } }) {
            await writer.cancel(id)
            throw .account(SignedOut())
        }
        return id
    }

    /// Removes an entry, so that it isn't sent any more. One that is being sent may arrive all the
    /// same.
    ///
    /// - Returns: `false` if there is no such entry, as it was sent or cancelled.
    /// - Throws: An ``OutboxError``. The entry is as before then.
    @discardableResult
    public func cancel(_ id: OutboxEntry.ID) async throws(OutboxError) -> Bool {
        try await note(.cancelled(id), of: id)
    }

    /// Lets an entry be sent again that was set aside, or that couldn't be read.
    ///
    /// - Returns: `false` if there is no such entry, or if it stands for damaged bytes. Cancel it
    ///   then.
    /// - Throws: An ``OutboxError``. The entry is as before then.
    @discardableResult
    public func retry(_ id: OutboxEntry.ID) async throws(OutboxError) -> Bool {
        guard book.withLock({ $0.entry(id)?.lostBytes }) == nil else { return false }
        return try await note(.retried(id), of: id)
    }

    private func note(_ record: OutboxRecord, of id: UUID) async throws(OutboxError) -> Bool {
        try await catchUp()
        guard book.withLock({ $0.entry(id) }) != nil else { return false }
        try await write(record.bytes())
        return true
    }

    /// Sends at once what waits for its next attempt because the server couldn't be reached, as
    /// when a network is there again. A `Retry-After` is waited for all the same.
    public func tryNow() {
        book.withLock { $0.hurry(clock.uptime()) }
        changes.report()
    }

    /// The entries that haven't succeeded yet, in the order in which they were added.
    public var currentEntries: [OutboxEntry] {
        let now = (clock.date(), clock.uptime())
        return book.withLock { $0.views(now) { types[$0] != nil || canMigrate } }
    }

    /// The entries each time that they change, beginning with those of now. What other processes
    /// change is seen while ``run()`` runs.
    public var entries: OutboxEntries { OutboxEntries(outbox: self) }

    /// The request of an entry, for a view.
    ///
    /// - Returns: `nil` if there is no such entry, if its request has another type, or if the entry
    ///   stands for damaged bytes.
    /// - Throws: An ``OutboxError`` or a `DecodingError`.
    public func request<Request: OutboxRequest>(
        of id: OutboxEntry.ID, as type: Request.Type
    ) throws -> Request? {
        guard let entry = book.withLock({ $0.entry(id) }), entry.lostBytes == nil,
            types[entry.added.name] == ObjectIdentifier(type), let json = try json(of: id)
        else { return nil }
        return try OutboxCopies(in: url).decoder.decode(type, from: json)
    }

    /// What the journal has of an entry; `nil` if it has ended.
    ///
    /// - Throws: An ``OutboxError``; a `FileError` of the kind `.changed` in it if the disk has
    ///   damaged the record since it was read.
    func json(of id: UUID) throws(OutboxError) -> Data? {
        // The file and the place in it belong together, as another process may replace the file.
        let place = book.withLock { book in
            book.entry(id).flatMap { entry in book.file.map { ($0, entry) } }
        }
        guard let (opened, entry) = place else { return nil }
        let added = entry.added
        let start = added.offset + added.count - entry.size
        do throws(FileError) {
            let place = start..<start + entry.size
            let record = try OutboxJournal.bytes(of: opened.file, place, at: url)
            let read = record.withUnsafeBytes { OutboxRecord.read($0, from: start) }
            guard read.records.first?.record == .added(added)
            else { throw FileError(.changed, at: url) }
            return record.suffix(added.count)
        } catch { throw .fileError(error) }
    }

    func write(_ bytes: [UInt8]) async throws(OutboxError) {
        do throws(FileError) { try await writer.write(bytes) } catch { throw .fileError(error) }
    }

    func catchUp() async throws(OutboxError) {
        do throws(FileError) { try await writer.catchUp() } catch { throw .fileError(error) }
    }

    /// Removes the copies of entries that have ended when their process was killed. One that was
    /// made in the last hour may be of an entry that is being added.
    private func removeUnneededCopies() {
        let old = Date().timeIntervalSince1970 - 3600
        for file in folder.files(OutboxCopies.ending) ?? [] where file.lastUse < old {
            let isNeeded = OutboxCopies.isNeeded(file.name) { id in
                book.withLock { $0.entry(id) } != nil
            }
            if !isNeeded { folder.remove(file.name) }
        }
    }

    /// Removes the entries of an account that has signed out.
    private func drop(_ account: String) {
        drops.withLock { $0[account, default: 0] += 1 }
        writer.drop(account, at: clock.date())
    }
}

extension Outbox: CustomReflectable {
    /// No children, because `dump(_:)` would print what the client keeps.
    public var customMirror: Mirror { .hidden(self) }
}

/// Why a request isn't kept that is too large.
private struct TooLarge: LocalizedError {
    let count: Int
    let copyCount: Int

    var errorDescription: String? {
        """
        it has \(count) bytes and \(copyCount) files, and an outbox takes up to 60 MB and 10,000 \
        files of each request; let it have large data as an `OutboxFile`
        """
    }
}

/// Why a request isn't kept whose account has just signed out.
private struct SignedOut: LocalizedError {
    var errorDescription: String? { "its account has just signed out" }
}
