import Endpoints
import EndpointsFolder
import Foundation

/// Writes records for all tasks of an outbox: those that come while others are being written go to
/// the disk together, with one `fsync`.
final class OutboxWriter: Sendable {
    private struct Waiting: Sendable {
        var bytes: [UInt8] = []
        var tasks: [CheckedContinuation<FileError?, Never>] = []
        var isScheduled = false
    }

    /// A record that the book knows, and that isn't on the disk yet.
    private struct Owed: Sendable {
        var record: OutboxRecord
        /// What is written instead if it can't be written at once.
        let later: OutboxRecord
    }

    private let owed = Locked<[Owed]>([])

    private let queue = DispatchQueue(label: "Endpoints.Outbox")
    private let waiting = Locked(Waiting())
    private let journal: Locked<OutboxJournal>
    private let book: Locked<OutboxBook>
    private let changes: OutboxChanges

    /// Reads what the journal has.
    init(
        _ journal: sending OutboxJournal, _ book: Locked<OutboxBook>, _ changes: OutboxChanges
    ) throws(FileError) {
        self.journal = Locked(journal)
        self.book = book
        self.changes = changes
        if let error = write([], isOpening: true) { throw error }
    }

    /// Returns when records are on the disk.
    func write(_ bytes: [UInt8]) async throws(FileError) {
        let error = await withCheckedContinuation { task in
            let isFirst = waiting.withLock { waiting in
                waiting.bytes += bytes
                waiting.tasks.append(task)
                defer { waiting.isScheduled = true }
                return !waiting.isScheduled
            }
            if isFirst { queue.async { self.writeWaiting() } }
        }
        if let error { throw error }
    }

    /// Drops the entries of an account, and returns when that is on the disk. If it can't be
    /// written, as on a full disk, it is written before whatever is written next.
    func drop(_ account: String, at date: Date) {
        // What the account adds after it has signed in again isn't dropped.
        let later = OutboxRecord.dropped(account: account, before: date)
        let record = OutboxRecord.dropped(account: account, before: .distantFuture)
        owed.withLock { $0.append(Owed(record: record, later: later)) }
        book.withLock { $0.drop(account, before: .distantFuture) }
        changes.report()
        _ = queue.sync { write([]) }
    }

    /// Cancels an entry, whose request then leaves the disk as one that is dropped does. If that
    /// can't be written, it is written before whatever is written next.
    func cancel(_ id: UUID) async {
        owed.withLock { $0.append(Owed(record: .cancelled(id), later: .cancelled(id))) }
        book.withLock { $0.end(id) }
        changes.report()
        try? await write([])
    }

    /// Reads what other processes have written, if they have.
    func catchUp() async throws(FileError) {
        // Not on the caller's thread, which must not wait for the disk.
        try await write([])
    }

    private func writeWaiting() {
        let batch = waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return waiting
        }
        let error = write(batch.bytes)
        for task in batch.tasks { task.resume(returning: error) }
    }

    private func write(_ bytes: [UInt8], isOpening: Bool = false) -> FileError? {
        let hasChanged: Result<Bool, FileError> = journal.withLock { journal in
            Result { () throws(FileError) in try write(bytes, to: &journal, isOpening) }
        }
        switch hasChanged {
        case .success(true): changes.report()
        case .success(false): break
        case .failure(let error):
            owed.withLock { owed in
                for place in owed.indices { owed[place].record = owed[place].later }
            }
            return error
        }
        return nil
    }

    private func write(
        _ bytes: [UInt8], to journal: inout OutboxJournal, _ isOpening: Bool
    ) throws(FileError) -> Bool {
        var hasChanged = false
        let folder = journal.folder
        func note(_ news: OutboxJournal.News) {
            guard news.opened != nil || !news.records.isEmpty else { return }
            hasChanged = true
            let copies = book.withLock { book in
                book.apply(news)
                return book.takeUnneededCopies()
            }
            for copy in copies { folder.remove(copy) }
        }
        try folder.whileLocked(journal.url) { () throws(FileError) in
            let locked = try journal.lock(note)
            defer { locked.file.unlock() }
            let owed = owed.withLock(\.self)
            let drops = owed.flatMap { $0.record.bytes() }
            note(try journal.append(drops + bytes))
            self.owed.withLock { $0.removeFirst(owed.count) }
            guard isTimeToCompact(journal, isOpening) else { return }
            // The records are written already. If this fails, a later time will do.
            let records = book.withLock(\.records)
            if let news = try? journal.compact(records) { note(news) }
        }
        return hasChanged
    }

    private func isTimeToCompact(_ journal: OutboxJournal, _ isOpening: Bool) -> Bool {
        if journal.isDamaged { return true }
        let (least, end) = (OutboxJournal.leastCompaction, journal.end)
        return book.withLock { book in
            // What an account had is not to stay on the disk, nor what the user has cancelled.
            if book.hasDropped || book.hasCancelled && book.liveBytes <= least { return true }
            guard book.liveBytes < end / 2 else { return false }
            return isOpening ? end > OutboxJournal.head.count : end > least
        }
    }
}

/// A number that grows with each change, for tasks that wait for one.
final class OutboxChanges: Sendable {
    private struct State {
        var version: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter: UInt64 = 0
        var cancelled: Set<UInt64> = []
    }

    private let state = Locked(State())

    var version: UInt64 { state.withLock(\.version) }

    func report() {
        let waiters = state.withLock { state in
            state.version += 1
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    /// The number, when it isn't `seen` any more.
    /// - Throws: `CancellationError`.
    func next(after seen: UInt64?) async throws -> UInt64 {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.version != seen || state.cancelled.contains(id) { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.cancelled.insert(id)
                return state.waiters.removeValue(forKey: id)
            }
            waiter?.resume()
        }
        _ = state.withLock { $0.cancelled.remove(id) }
        try Task.checkCancellation()
        return version
    }
}
