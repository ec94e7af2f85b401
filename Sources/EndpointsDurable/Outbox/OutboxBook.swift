import Foundation

/// The entries of an outbox in memory: what the journal says of each, which one is next, and what
/// is under way in this process.
struct OutboxBook {
    /// What has the same key of the same account, and so keeps its order.
    private struct Line: Hashable {
        let account: String?
        let key: String
    }

    /// An entry, as the journal says.
    struct Entry {
        let added: OutboxRecord.Added
        /// How many bytes of the journal can't be read, if the entry stands for these.
        var lostBytes: Int?
        /// The size of the record that has added it.
        let size: Int
        /// Its place in the order in which the entries were added.
        let number: Int
        var refusals = 0
        var reason = ""
        var isSetAside = false
        /// The size of the records that a compacted journal has of it.
        var allBytes: Int {
            size + (refusals > 0 || isSetAside ? reason.utf8.count + OutboxRecord.refusedCount : 0)
        }
    }

    /// What is known of an entry only in this process.
    private struct Course {
        var isSending = false
        /// Failures that aren't refusals, in a row.
        var failures = 0
        var lastFailure: String?
        /// By the clock's uptime.
        var nextAttempt: TimeInterval?
        /// Whether the server has named `nextAttempt`.
        var isOfServer = false
        var waitsForAccount = false
        var unreadable: String?
        /// How many requests had succeeded when the server failed at this one.
        var successesAtFault: Int?
    }

    let policy: OutboxPolicy
    private(set) var file: OutboxJournal.Opened?
    private var entries: [UUID: Entry] = [:]
    /// The entries in their order, and some that have ended.
    private var order: [UUID] = []
    private var nextNumber = 0
    /// Slices, whose first one is removed without moving the others.
    private var lines: [Line: ArraySlice<UUID>] = [:]
    private var courses: [UUID: Course] = [:]
    /// Entries that may be sent, and some that may not any more.
    private var ready = Queue()
    /// Entries that wait for their `nextAttempt`.
    private var delayed: Set<UUID> = []
    /// Entries whose account isn't signed in.
    private var parked: [String?: [UUID]] = [:]
    /// Until when, by the clock's uptime, none of an account's entries is tried, as the server has
    /// refused its credentials.
    private var refusedAccounts: [String: TimeInterval] = [:]
    /// Those of them that try whether their account is signed in.
    private var probes: Set<UUID> = []
    private var sending: Set<UUID> = []
    /// While the server can't be reached: how often in a row, and until when nothing is sent.
    private var failures = 0
    private var pause: (end: TimeInterval, isOfServer: Bool)?
    private var successes = 0
    /// The bytes of the records of entries that haven't ended.
    private(set) var liveBytes = 0
    /// Whether the journal has entries of an account that were dropped, or any that was cancelled.
    private(set) var (hasDropped, hasCancelled) = (false, false)
    /// The copies of files that entries had which have ended.
    private var unneededCopies: [String] = []

    init(_ policy: OutboxPolicy) { self.policy = policy }

    var count: Int { entries.count }
    var sendingCount: Int { sending.count }

    func entry(_ id: UUID) -> Entry? { entries[id] }

    // MARK: What the journal says

    mutating func apply(_ news: OutboxJournal.News) {
        if let opened = news.opened { beginAnew(opened) }
        for (record, size) in news.records { apply(record, size) }
        if news.opened != nil {
            for (id, entry) in leaving {
                guard let line = line(entry) else { continue }
                lines[line] = [id] + (lines[line] ?? [])
            }
            // One that was retried meanwhile doesn't pass the one that is being sent.
            for id in sending {
                guard let line = entries[id].flatMap(line) else { continue }
                lines[line] = [id] + (lines[line] ?? []).filter { $0 != id }
            }
        }
        tidy()
    }

    private mutating func beginAnew(_ opened: OutboxJournal.Opened) {
        file = opened
        (entries, order, lines, ready, delayed, parked) = ([:], [], [:], Queue(), [], [:])
        (nextNumber, liveBytes) = (0, 0)
        (hasDropped, hasCancelled) = (false, false)
    }

    private mutating func apply(_ record: OutboxRecord, _ size: Int) {
        switch record {
        case .added(let added): add(Entry(added: added, size: size, number: nextNumber))
        case .ended(let id): end(id)
        case .cancelled(let id):
            hasCancelled = true
            end(id)
        case .lost(let id, let date, let count):
            let added = OutboxRecord.Added(id: id, date: date, name: "")
            let entry = Entry(
                added: added, lostBytes: count, size: OutboxRecord.lostCount, number: nextNumber)
            add(entry)
        case .refused(let id, let count, let isSetAside, let reason):
            guard let before = entries[id]?.allBytes else { return }
            entries[id]?.refusals = count
            entries[id]?.reason = reason
            entries[id]?.isSetAside = isSetAside
            liveBytes += (entries[id]?.allBytes ?? 0) - before
            if isSetAside, policy.whenSetAside == .goOn { leaveLine(id) }
        case .retried(let id):
            guard let before = entries[id]?.allBytes, entries[id]?.lostBytes == nil
            else { return }
            entries[id]?.refusals = 0
            entries[id]?.isSetAside = false
            liveBytes += (entries[id]?.allBytes ?? 0) - before
            courses[id]?.unreadable = nil
            courses[id]?.nextAttempt = nil
            enterLine(id)
            offer(id)
        case .dropped(let account, let date):
            hasDropped = true
            drop(account, before: date)
        }
    }

    /// Removes the entries of an account that were added before a date.
    mutating func drop(_ account: String, before date: Date) {
        // From the last one on, so that none of a line becomes its first one meanwhile.
        let ids = order.reversed().filter { id in
            entries[id].map { $0.isOf(account) && $0.added.date < date } ?? false
        }
        for id in ids { end(id) }
    }

    private mutating func add(_ entry: Entry) {
        let id = entry.added.id
        guard entries[id] == nil else { return }
        nextNumber += 1
        entries[id] = entry
        order.append(id)
        liveBytes += entry.size
        // After a compaction, it is where it was before.
        let isOut = policy.whenSetAside == .goOn && courses[id]?.unreadable != nil
        if !isOut, let line = line(entry) { lines[line, default: []].append(id) }
        if courses[id]?.waitsForAccount == true {
            parked[entry.added.account, default: []].append(id)
        } else {
            offer(id)
        }
    }

    /// Removes an entry.
    mutating func end(_ id: UUID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        liveBytes -= entry.allBytes
        unneededCopies += (0..<entry.added.copyCount).map { OutboxCopies.name($0, id) }
        if entry.lostBytes != nil { unneededCopies.append(OutboxJournal.damagedName(id)) }
        if !sending.contains(id) { courses[id] = nil }
        delayed.remove(id)
        guard let line = line(entry), let first = lines[line]?.first else { return }
        // Nothing of the line is sent before this one's attempt has ended: see `leave`.
        if first == id, sending.contains(id) {
            leaving[id] = entry
        } else {
            remove(id, from: line)
        }
    }

    /// Entries that were cancelled while they are sent, and hold up their line until that ends.
    private var leaving: [UUID: Entry] = [:]

    private mutating func remove(_ id: UUID, from line: Line) {
        let wasFirst = lines[line]?.first == id
        if wasFirst {
            lines[line]?.removeFirst()
        } else if let place = lines[line]?.lastIndex(of: id) {
            lines[line]?.remove(at: place)
        }
        guard let first = lines[line]?.first else {
            lines[line] = nil
            return
        }
        if wasFirst { offer(first) }
    }

    private mutating func leaveLine(_ id: UUID) {
        guard let entry = entries[id], let line = line(entry) else { return }
        remove(id, from: line)
    }

    private mutating func enterLine(_ id: UUID) {
        guard let entry = entries[id], let line = line(entry), lines[line]?.contains(id) != true
        else { return }
        let present = lines[line] ?? []
        // Not before one that is being sent.
        let place = present.firstIndex {
            (entries[$0]?.number ?? 0) > entry.number && !sending.contains($0)
        }
        lines[line, default: []].insert(id, at: place ?? present.endIndex)
    }

    private func line(_ entry: Entry) -> Line? {
        entry.added.key.map { Line(account: entry.added.account, key: $0) }
    }

    private mutating func tidy() {
        guard order.count > 1000, order.count > 2 * entries.count else { return }
        order.removeAll { entries[$0] == nil }
    }

    /// The entries with their records, for a journal without those that have ended.
    var records: [(end: Int, size: Int, later: [UInt8])] {
        order.compactMap { id in
            guard let entry = entries[id] else { return nil }
            if let count = entry.lostBytes {
                return (0, 0, OutboxRecord.lost(id, entry.added.date, count: count).bytes())
            }
            let refusal = OutboxRecord.refused(
                id, count: entry.refusals, isSetAside: entry.isSetAside, reason: entry.reason)
            return (
                entry.added.offset + entry.added.count, entry.size,
                entry.refusals > 0 || entry.isSetAside ? refusal.bytes() : []
            )
        }
    }

    /// The copies that aren't needed any more, since the last call.
    mutating func takeUnneededCopies() -> [String] {
        defer { unneededCopies = [] }
        return unneededCopies
    }

    // MARK: Which entry is next

    /// Notes that an entry may be its line's next one.
    private mutating func offer(_ id: UUID) {
        guard isFirst(id), let entry = entries[id], !entry.isSetAside, entry.lostBytes == nil
        else { return }
        ready.append(id)
    }

    private func isFirst(_ id: UUID) -> Bool {
        guard let entry = entries[id] else { return false }
        guard let line = line(entry) else { return true }
        return lines[line]?.first == id
    }

    /// The next entry to send, which is noted as being sent; `nil` if none can be sent now.
    mutating func next(_ now: TimeInterval) -> Entry? {
        if let pause {
            guard now >= pause.end else { return nil }
            self.pause = nil
        }
        guard sending.count < mostAtOnce else { return nil }
        for id in delayed where (courses[id]?.nextAttempt ?? 0) <= now {
            delayed.remove(id)
            ready.append(id)
        }
        while let id = ready.popFirst() {
            guard let entry = entries[id], !entry.isSetAside, isFirst(id), !sending.contains(id),
                courses[id]?.unreadable == nil
            else { continue }
            if let next = courses[id]?.nextAttempt, next > now {
                delayed.insert(id)
                continue
            }
            let isProbe = probes.remove(id) != nil
            if let account = entry.added.account, parked[account] != nil, !isProbe {
                park(id)
                continue
            }
            sending.insert(id)
            courses[id, default: Course()].isSending = true
            courses[id]?.nextAttempt = nil
            return entry
        }
        return nil
    }

    /// While the server can't be reached, one request at a time finds out whether it can be.
    private var mostAtOnce: Int { failures > 0 ? 1 : policy.requestsAtOnce }

    /// The seconds until the next entry may be sent; `nil` if that isn't known.
    func wait(_ now: TimeInterval) -> TimeInterval? {
        // The end of an attempt is a change, which ends the wait.
        guard sending.count < mostAtOnce else { return nil }
        if let pause { return max(0, pause.end - now) }
        return delayed.compactMap { courses[$0]?.nextAttempt }.min().map { max(0, $0 - now) }
    }

    private mutating func park(_ id: UUID) {
        courses[id, default: Course()].waitsForAccount = true
        parked[entries[id]?.added.account, default: []].append(id)
    }

    /// Lets the first entry of each account that isn't signed in try whether it is now.
    mutating func probeAccounts(_ now: TimeInterval) {
        for (account, ids) in parked {
            if let account, let end = refusedAccounts[account], now < end { continue }
            let waiting = ids.filter(isFirst)
            parked[account] = waiting.count > 1 ? Array(waiting.dropFirst()) : nil
            guard let first = waiting.first else { continue }
            probes.insert(first)
            ready.prepend(first)
        }
    }

    // MARK: How an attempt has ended

    /// Notes that an attempt has ended. Its line goes on if the entry has ended.
    mutating func leave(_ id: UUID) {
        sending.remove(id)
        courses[id]?.isSending = false
        if let entry = leaving.removeValue(forKey: id), let line = line(entry) {
            remove(id, from: line)
        }
        if entries[id] == nil { courses[id] = nil }
    }

    /// The account's server has answered, so the account is signed in, and the server is there.
    mutating func reached(_ entry: Entry) {
        failures = 0
        if pause?.isOfServer != true { pause = nil }
        let account = entry.added.account
        if let account { refusedAccounts[account] = nil }
        if let ids = parked.removeValue(forKey: account) {
            for id in ids {
                courses[id]?.waitsForAccount = false
                offer(id)
            }
        }
        courses[entry.added.id]?.waitsForAccount = false
    }

    /// Notes why an attempt has failed, and when the next one may be.
    mutating func note(
        _ text: String, _ id: UUID, delay: TimeInterval?, _ now: TimeInterval,
        isOfServer: Bool = false, waitsForAccount: Bool = false
    ) {
        guard entries[id] != nil else { return }
        courses[id, default: Course()].lastFailure = text
        courses[id]?.waitsForAccount = waitsForAccount
        courses[id]?.nextAttempt = delay.map { now + $0 }
        courses[id]?.isOfServer = isOfServer
        if delay != nil { delayed.insert(id) }
    }

    /// Notes that a request has succeeded.
    mutating func succeeded() { successes += 1 }

    /// Whether a failure of the server is one at this request: others have succeeded since it had
    /// failed at this one before.
    mutating func isOfRequest(faultOf id: UUID) -> Bool {
        guard entries[id] != nil else { return false }
        let before = courses[id]?.successesAtFault
        courses[id, default: Course()].successesAtFault = successes
        return before.map { $0 != successes } ?? false
    }

    /// The server doesn't accept the account's credentials. After a while, one entry tries again.
    mutating func refuse(
        _ account: String, _ id: UUID, _ text: String, delay: TimeInterval, _ now: TimeInterval
    ) {
        guard entries[id] != nil else { return }
        courses[id, default: Course()].lastFailure = text
        refusedAccounts[account] = now + delay
        park(id)
    }

    /// Counts a failure that isn't a refusal; returns how many there were in a row.
    mutating func countFailure(_ id: UUID) -> Int {
        guard entries[id] != nil else { return 1 }
        courses[id, default: Course()].failures += 1
        return courses[id]?.failures ?? 1
    }

    /// Begins a pause of all entries, as the server can't be reached.
    mutating func pause(
        _ now: TimeInterval, isOfServer: Bool, _ delay: (_ failures: Int) -> TimeInterval
    ) {
        // Of several requests that fail together, the first one counts.
        if pause == nil { failures += 1 }
        let end = now + delay(failures)
        pause = (max(end, pause?.end ?? end), isOfServer || pause?.isOfServer == true)
    }

    mutating func setUnreadable(_ id: UUID, _ reason: String) {
        guard entries[id] != nil else { return }
        courses[id, default: Course()].unreadable = reason
        if policy.whenSetAside == .goOn { leaveLine(id) }
    }

    /// The entry's account isn't signed in.
    mutating func waitForAccount(_ id: UUID) {
        guard entries[id] != nil else { return }
        park(id)
    }

    /// The attempt was cancelled, so that the entry is as before.
    mutating func giveBack(_ id: UUID) {
        if isFirst(id) { ready.prepend(id) }
    }

    /// Ends the waits that no server has asked for.
    mutating func hurry(_ now: TimeInterval) {
        refusedAccounts = [:]
        probeAccounts(now)
        guard pause?.isOfServer != true else { return }
        pause = nil
        for id in delayed where courses[id]?.isOfServer != true { courses[id]?.nextAttempt = nil }
    }

    // MARK: What a view sees

    /// The entries as a view sees them.
    ///
    /// - Parameter isKnown: Whether requests of a name can be read.
    func views(
        _ now: (date: Date, uptime: TimeInterval), isKnown: (String) -> Bool
    ) -> [OutboxEntry] {
        order.compactMap { id in
            guard var view = view(id) else { return nil }
            if view.state == .waiting, !isKnown(view.name) {
                view.state = .unreadable(reason: Self.unknown(view.name))
            }
            let next = courses[id]?.nextAttempt
            view.nextAttempt = next.map { now.date + max(0, $0 - now.uptime) }
            return view
        }
    }

    /// An entry as a view sees it; `nil` if it has ended.
    func view(_ id: UUID) -> OutboxEntry? {
        guard let entry = entries[id] else { return nil }
        let course = courses[id]
        return OutboxEntry(
            id: id, name: entry.added.name, key: entry.added.key, added: entry.added.date,
            hasAccount: entry.added.account != nil, state: state(of: entry, course),
            refusals: entry.refusals,
            lastFailure: course?.lastFailure ?? (entry.reason.isEmpty ? nil : entry.reason))
    }

    private func state(of entry: Entry, _ course: Course?) -> OutboxEntry.State {
        if course?.isSending == true { return .sending }
        if let count = entry.lostBytes {
            return .unreadable(reason: Self.lost(count, entry.added.id))
        }
        if entry.isSetAside { return .setAside(reason: entry.reason) }
        if let reason = course?.unreadable { return .unreadable(reason: reason) }
        return course?.waitsForAccount == true ? .waitingForAccount : .waiting
    }

    private static func lost(_ count: Int, _ id: UUID) -> String {
        guard count > 0 else {
            return """
                the outbox's file was empty, so requests may be lost; cancel the entry when you \
                have seen this
                """
        }
        return """
            \(count) bytes of the outbox's file are damaged, so requests may be lost; they are in \
            \(OutboxJournal.damagedName(id)) in its folder until you cancel the entry
            """
    }

    static func unknown(_ name: String) -> String {
        "the outbox has no type named \(name); declare it, give a migration, or cancel the entry"
    }
}

extension OutboxBook.Entry {
    /// Whether it belongs to an account, or to several of which this is one.
    fileprivate func isOf(_ account: String) -> Bool {
        added.account.map { $0 == account || $0.split(separator: "+").contains(account[...]) }
            ?? false
    }
}

/// Identifiers in a queue, whose first one is removed without moving the others.
private struct Queue {
    private var ids: [UUID] = []
    private var head = 0
    private var front: [UUID] = []

    mutating func append(_ id: UUID) { ids.append(id) }
    mutating func prepend(_ id: UUID) { front.append(id) }

    mutating func popFirst() -> UUID? {
        if let id = front.popLast() { return id }
        guard head < ids.count else { return nil }
        defer {
            head += 1
            if head > 1000, head > ids.count / 2 {
                ids.removeFirst(head)
                head = 0
            }
        }
        return ids[head]
    }
}
