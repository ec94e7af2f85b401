import Endpoints
import EndpointsCache
import EndpointsMiddleware
import Foundation

/// What tasks write down.
final class Notes<Note: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var notes: [Note] = []

    var all: [Note] { lock.withLock { notes } }

    func add(_ note: Note) {
        lock.withLock { notes.append(note) }
    }
}

/// Runs a cell: some loads at once, through one transport.
struct Case {
    private let cell: Cell
    private let clock = VirtualClock()
    private var transportClock: TransportClock { clock.transportClock { 0.5 } }
    private let log = Notes<LogEvent>()
    private let results = Notes<String>()
    private let refreshes = Notes<String>()

    init(_ cell: Cell) {
        self.cell = cell
    }

    /// What went wrong; empty if nothing did.
    func violations() -> [String] {
        let files = Self.openFiles
        weak var released: Server?
        var violations: [String] = []
        autoreleasepool {
            let server = Server(cell, clock)
            released = server
            violations = run(server)
        }
        JobQueue.shared.run()
        if released != nil { violations.append("the transport is still held after its loads") }
        if clock.isWaitedFor { violations.append("something still waits for the clock") }
        if cell.kind.isSaved, let left = leftFiles() { violations.append(left) }
        if Self.openFiles != files { violations.append("\(Self.openFiles - files) files are open") }
        return violations
    }

    private func run(_ server: Server) -> [String] {
        let policy = LoadPolicy(
            sensitiveHeaders: ["X-Api-Key"], timeLimit: cell.ending.timeLimit)
        let environment = ServerEnvironment(
            baseUrl: URL(string: Server.base) ?? Scratch.directory,
            headers: ["X-Api-Key": "k", .cookie: "session=1"], loadPolicy: policy)
        let api = EndpointClient(stacked(on: server, in: environment), in: environment)
        let (timed, cell, results) = (transportClock, cell, results)
        let count = cell.loadCount
        let tasks = (0..<count).map { number in
            Task { results.add(await cell.load(number, by: api, timed)) }
        }
        if cell.ending == .cancelledBefore { for task in tasks { task.cancel() } }
        var violations: [String] = []
        if !waitForAll(count, cancelling: tasks) {
            violations.append("\(count - results.all.count) of \(count) loads never end")
        }
        let seconds = clock.now
        if seconds > cell.secondsLimit {
            violations.append("took \(seconds) s, and not \(cell.secondsLimit)")
        }
        for result in Set(results.all) where result != cell.expected {
            violations.append("gave \(result.prefix(200)), and not \(cell.expected.prefix(40))")
        }
        JobQueue.shared.run()
        if server.openBodies > 0 { violations.append("\(server.openBodies) bodies are open") }
        violations += requestViolations(server.arrivals) + logViolations()
        violations += probeViolations(api)
        for task in tasks { task.cancel() }
        JobQueue.shared.run()
        return violations
    }

    /// Lets time go on until there are `count` results; `false` if there never will be.
    ///
    /// Cancels these tasks when nothing can go on, one by one. Each must end while the others wait.
    private func waitForAll(_ count: Int, cancelling tasks: [Task<Void, Never>] = []) -> Bool {
        var waiting = cell.ending.isCancelled ? tasks[...] : []
        while true {
            JobQueue.shared.run()
            let ended = results.all.count
            if ended >= count { return true }
            if !waiting.isEmpty {
                guard ended + waiting.count == count else { return false }
                waiting.removeLast().cancel()
            } else if !clock.advance() {
                return false
            }
        }
    }

    private func stacked(on server: Server, in environment: ServerEnvironment) -> any Transport {
        let tokens = MemoryCredentials(for: environment, AccessToken(.bearer("old"))) {
            [refreshes] old in
            await Task.yield()
            refreshes.add(String(describing: old))
            return AccessToken(.bearer("new\(refreshes.all.count)"))
        }
        server.changeAccount = {
            tokens.signIn(AccessToken(.bearer("other"), account: "other"))
        }
        return cell.stack.reduce(server as any Transport) { base, layer in
            switch layer {
            case .retrying: base.retrying(.standard, clock: transportClock)
            case .limited: base.limited(perOrigin: 2, clock: transportClock)
            case .paced: base.paced(clock: transportClock)
            case .authorized: base.authorized(by: tokens, clock: transportClock)
            case .logged: base.logged { [log] in log.add($0) }
            case .coalesced: base.coalesced(clock: transportClock)
            case .cached: base.cached(in: .memory(megabytes: 1), clock: transportClock)
            }
        }
    }

    private func requestViolations(_ arrivals: [Server.Arrival]) -> [String] {
        var violations: [String] = []
        for load in ["0", "1", "2"] {
            let count = arrivals.count { $0.load == load && !$0.isRedirected }
            if count > cell.requestLimit {
                violations.append("sent \(count) requests, and not \(cell.requestLimit)")
            }
        }
        for arrival in arrivals {
            let isOwn = arrival.host != Server.otherHost && !arrival.hasLeftOrigin
            let names = ["authorization", "x-api-key", "cookie"]
            let sent = names.filter { arrival.headers[$0] != nil }
            let signs = cell.stack.contains(.authorized)
            let wanted =
                isOwn ? names.filter { $0 != "authorization" || signs } : []
            if sent != wanted {
                violations.append("sent \(sent) to \(arrival.host), and not \(wanted)")
            }
        }
        let last = arrivals.filter { !$0.isRedirected }
        if let first = last.first, last.contains(where: { $0.bytes != first.bytes }) {
            violations.append("sent bodies of \(Set(last.map(\.bytes))) bytes")
        }
        if cell.detour != .none, cell.detour.status == 303, last.contains(where: { $0.bytes > 0 }) {
            violations.append("sent a body after a 303")
        }
        let isRefused = [.refusedOnce, .refusedAlways].contains(cell.ending) && cell.signs
        let refusals = isRefused ? 3 : 0
        let most = cell.ending == .refusedOnce ? min(1, refusals) : refusals
        if refreshes.all.count > most {
            violations.append("\(refreshes.all.count) refreshes, and not \(most)")
        }
        return violations
    }

    private func logViolations() -> [String] {
        let begun = log.all.count { if case .request = $0.kind { true } else { false } }
        let ended = log.all.count - begun
        return begun == ended ? [] : ["the log has \(begun) beginnings and \(ended) ends"]
    }

    /// A slot that wasn't freed, or a wait that doesn't end, holds up the loads that come after.
    private func probeViolations(_ api: EndpointClient<ServerEnvironment>) -> [String] {
        let (results, before, start) = (results, results.all.count, clock.now)
        for count in [1, 2] {
            Task {
                let number = Int(Server.probe) ?? 0
                for _ in 0..<count {
                    let item = try? await api(LoadWhole<NoContent>(number: number))
                    results.add(item?.text ?? "nothing")
                }
            }
        }
        guard waitForAll(before + 3) else { return ["the loads that come after never end"] }
        let texts = results.all.dropFirst(before)
        var violations = texts.allSatisfy { $0 == "a" } ? [] : ["the loads that come after failed"]
        if clock.now - start > 10 { violations.append("the loads that come after wait") }
        return violations
    }

    /// Whether files are left that a case doesn't save. Removes all.
    private func leftFiles() -> String? {
        let manager = FileManager.default
        let names = (try? manager.contentsOfDirectory(atPath: Scratch.downloads.path)) ?? []
        for name in names {
            try? manager.removeItem(at: Scratch.downloads.appendingPathComponent(name))
        }
        let all = (0..<cell.loadCount).map { "\($0)" }
        let expected = cell.expected.hasPrefix("value") ? all : []
        // A download keeps its part for the next one.
        let left = names.filter { cell.kind != .download || !$0.hasPrefix(".") }.sorted()
        return left == expected ? nil : "files are left: \(names.sorted())"
    }

    private static var openFiles: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}

#if !canImport(ObjectiveC)
    private func autoreleasepool(_ body: () -> Void) { body() }
#endif
