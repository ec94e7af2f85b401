import Endpoints
import EndpointsFolder
import EndpointsShared
import Foundation

extension Outbox {
    /// Sends the entries, and those that are added meanwhile, until the task is cancelled.
    ///
    ///     let sending = Task { try await outbox.run() }   // until `sending.cancel()`
    ///
    /// While another process sends the entries of the folder, this one waits, and goes on if that
    /// one ends.
    /// It returns, and doesn't throw, when the task is cancelled.
    /// - Throws: An ``OutboxError`` if the folder can't be used in ten attempts in a row.
    public func run() async throws(OutboxError) {
        var failures = 0
        while !Task.isCancelled {
            var wait = policy.interval
            do throws(OutboxError) {
                // This also makes the folder again, if somebody has deleted it.
                try await catchUp()
                let sender = try OutboxSender(self)
                // The one that had the lock before may have sent something meanwhile.
                try await catchUp()
                failures = 0
                await sender?.run(untilIdle: false)
                if sender != nil { continue }
            } catch {
                failures += 1
                guard failures < 10 else { throw error }
                wait *= pow(2, Double(min(failures, 5)))
            }
            guard (try? await clock.sleep(wait)) != nil else { return }
        }
    }

    /// Sends the entries that can be sent now, such as in a background task, or in a program that
    /// then ends. Each is tried at most once. If the server can't be reached, the others aren't
    /// tried. What isn't sent waits for the next call, or for ``run()``.
    ///
    /// - Returns: How many entries are left. If another process, or another call in this one, is
    ///   sending the entries of the folder, this call sends nothing.
    /// - Throws: An ``OutboxError`` if the folder can't be used.
    @discardableResult
    public func sendAll() async throws(OutboxError) -> Int {
        try await catchUp()
        let sender = try OutboxSender(self)
        // The one that had the lock before may have sent something meanwhile.
        try await catchUp()
        await sender?.run(untilIdle: true)
        return book.withLock(\.count)
    }
}

/// The one that sends the entries of a folder. It has the folder's lock, which the system takes
/// from it when its process ends.
final class OutboxSender: Sendable {
    private static let name = ".sender"

    private enum Event {
        case attemptEnded, woke
    }

    private let outbox: Outbox
    private let lock: FolderLock
    /// When entries of other accounts have last tried whether theirs is signed in.
    private let lastProbe: Locked<TimeInterval>

    /// `nil` if another one sends.
    init?(_ outbox: Outbox) throws(OutboxError) {
        do throws(FileError) {
            guard let lock = try FolderLock(outbox.url, orFile: Self.name) else { return nil }
            self.lock = lock
        } catch { throw .fileError(error) }
        self.outbox = outbox
        lastProbe = Locked(outbox.clock.uptime())
    }

    /// Sends entries until the task is cancelled or, if `untilIdle`, none can be sent now.
    func run(untilIdle: Bool) async {
        let begin = outbox.clock.uptime()
        outbox.book.withLock { $0.hurry(begin) }
        await withTaskGroup(of: Event.self) { group in
            var (attempts, isWaiting) = (0, false)
            while lock.isPresent || attempts > 0 {
                // This number is read first, so that no change is missed.
                let version = outbox.changes.version
                if !Task.isCancelled, lock.isPresent {
                    while let entry = outbox.book.withLock({ [outbox] in
                        $0.next(untilIdle ? begin : outbox.clock.uptime())
                    }) {
                        attempts += 1
                        group.addTask {
                            await self.attempt(entry)
                            return .attemptEnded
                        }
                    }
                }
                if attempts == 0, untilIdle || Task.isCancelled { break }
                if !isWaiting, !untilIdle, !Task.isCancelled {
                    isWaiting = true
                    group.addTask {
                        await self.waitForChange(after: version)
                        return .woke
                    }
                }
                switch await group.next() {
                case .attemptEnded?: attempts -= 1
                case .woke?: isWaiting = false
                case nil: break
                }
            }
            group.cancelAll()
        }
    }

    /// Returns when an entry may be sent: there is a change, a wait is over, or another process has
    /// written something.
    private func waitForChange(after version: UInt64) async {
        let (clock, interval) = (outbox.clock, outbox.policy.interval)
        let wait = outbox.book.withLock { $0.wait(clock.uptime()) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await self.outbox.changes.next(after: version) }
            group.addTask { try? await clock.sleep(min(wait ?? interval, interval)) }
            await group.next()
            group.cancelAll()
        }
        guard !Task.isCancelled else { return }
        try? await outbox.catchUp()
        let now = clock.uptime()
        let isDue = lastProbe.withLock { last in
            guard now - last >= interval else { return false }
            last = now
            return true
        }
        if isDue { outbox.book.withLock { $0.probeAccounts(now) } }
    }

    private func attempt(_ entry: OutboxBook.Entry) async {
        outbox.changes.report()
        let id = entry.added.id
        let outcome: Outcome
        do throws(OutboxError) {
            // Another process may have cancelled it.
            try await outbox.catchUp()
            let view = outbox.book.withLock { $0.view(id) }
            guard let view, let json = try outbox.json(of: id) else {
                // It has been cancelled.
                outbox.book.withLock { $0.leave(id) }
                return
            }
            outcome = await outbox.deliver(json, view, entry.added)
        } catch .fileError(let error) where error.kind == .changed {
            outcome = .unreadable(
                "its bytes in the outbox's file are damaged; cancel the entry, and send it anew")
        } catch { outcome = .unreached(error.description, retryAfter: nil) }
        await finish(entry, outcome)
        outbox.changes.report()
    }

    private func finish(_ entry: OutboxBook.Entry, _ outcome: Outcome) async {
        let id = entry.added.id
        switch outcome {
        case .sent:
            outbox.book.withLock { book in
                book.reached(entry)
                book.succeeded()
            }
            let isNoted = await write(.ended(id))
            outbox.book.withLock { book in
                book.leave(id)
                // It is sent again then, with its key.
                if !isNoted { book.giveBack(id) }
            }
        case .refused(let refusal):
            outbox.book.withLock { $0.reached(entry) }
            await refuse(entry, refusal)
        case .unusable(let refusal): await refuse(entry, refusal)
        case .fault(let refusal):
            if outbox.book.withLock({ $0.isOfRequest(faultOf: id) }) {
                await refuse(entry, refusal)
            } else {
                fail(id, refusal.text, nil)
            }
        case .unreached(let text, let retryAfter): fail(id, text, retryAfter)
        case .signedOut(let text, let retryAfter):
            guard let account = entry.added.account
            else { return fail(id, text, retryAfter, waitsForAccount: true) }
            let now = outbox.clock.uptime()
            outbox.book.withLock { book in
                book.leave(id)
                let delay = delay(after: book.countFailure(id), retryAfter)
                book.refuse(account, id, text, delay: delay, now)
            }
        case .otherAccount:
            outbox.book.withLock { book in
                book.leave(id)
                book.waitForAccount(id)
            }
        case .unreadable(let reason):
            outbox.book.withLock { book in
                book.leave(id)
                book.setUnreadable(id, reason)
            }
        case .cancelled where Task.isCancelled:
            outbox.book.withLock { book in
                book.leave(id)
                book.giveBack(id)
            }
        case .cancelled: fail(id, "the load was cancelled", nil)
        }
    }

    private func refuse(_ entry: OutboxBook.Entry, _ refusal: Refusal) async {
        let id = entry.added.id
        let reason = String(decoding: refusal.text.utf8.prefix(1000), as: UTF8.self)
        let count = (outbox.book.withLock { $0.entry(id)?.refusals } ?? 0) + 1
        let isSetAside = count >= outbox.policy.setAsideAfter
        if var view = outbox.book.withLock({ $0.view(id) }) {
            (view.refusals, view.lastFailure) = (count, reason)
            view.state = isSetAside ? .setAside(reason: reason) : .waiting
            await refusal.report(view)
        }
        let isNoted = await write(
            .refused(id, count: count, isSetAside: isSetAside, reason: reason))
        outbox.book.withLock { book in
            book.leave(id)
            guard isNoted else { return book.giveBack(id) }
            let delay = isSetAside ? nil : delay(after: count)
            book.note(reason, id, delay: delay, outbox.clock.uptime())
        }
    }

    /// Notes that the server can't be reached, or can't accept requests now.
    private func fail(
        _ id: UUID, _ text: String, _ retryAfter: TimeInterval?, waitsForAccount: Bool = false
    ) {
        let now = outbox.clock.uptime()
        outbox.book.withLock { book in
            book.leave(id)
            let delay = delay(after: book.countFailure(id), retryAfter)
            book.note(
                text, id, delay: delay, now, isOfServer: retryAfter != nil,
                waitsForAccount: waitsForAccount)
            book.pause(now, isOfServer: retryAfter != nil) { self.delay(after: $0, retryAfter) }
        }
    }

    /// Writes what has become of an entry. Nothing of its line is sent before that is on the disk.
    ///
    /// - Returns: `false` if the task is cancelled before that.
    private func write(_ record: OutboxRecord) async -> Bool {
        var failures = 0
        while true {
            do throws(OutboxError) {
                try await outbox.write(record.bytes())
                return true
            } catch {
                // As on a full disk.
                failures += 1
                let seconds = max(0.1, delay(after: failures))
                guard (try? await outbox.clock.sleep(seconds)) != nil else { return false }
            }
        }
    }

    private func delay(after failures: Int, _ retryAfter: TimeInterval? = nil) -> TimeInterval {
        let policy = outbox.policy
        let factor = pow(2, Double(min(failures - 1, 30)))
        let longest = min(policy.firstDelay * factor, policy.longestDelay)
        return max(longest * outbox.clock.random(), retryAfter ?? 0, 0.001)
    }
}
