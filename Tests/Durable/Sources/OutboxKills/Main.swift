import Endpoints
import EndpointsDurable
import EndpointsMiddleware
import Foundation
import Kills

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Adds entries to an outbox and sends them, and may be killed meanwhile: see outbox.py.
///
///     OutboxKills FOLDER URL NUMBER               adds and sends, as process NUMBER
///     OutboxKills FOLDER URL NUMBER kill=20       is killed at the 20th call that changes a file
///     OutboxKills FOLDER URL NUMBER fail=20,28,1  has the 20th of them fail with errno 28, once
///     OutboxKills FOLDER URL NUMBER drain         sends all that can be sent; says what is left
///     OutboxKills FOLDER URL NUMBER story=PHOTOS  does what ``Story`` says, with files of a folder
///     OutboxKills FOLDER URL NUMBER end=PHOTOS    sends what the story has left
///     OutboxKills FOLDER bench=100000             how fast entries are kept, and found again
///
/// Prints `kept TEXT` as soon as the outbox says that a request is kept, `failed TEXT` if it says
/// that it isn't, and `cancelled TEXT`. A text is `account/key/process/number/kind/…`.
@main
enum Main {
    static let accounts = ["ann", "ben"]

    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count > 2 else { exit(2) }
        let folder = URL(fileURLWithPath: arguments[1])
        let options = Dictionary(
            arguments.dropFirst(2).map { argument in
                let parts = argument.split(separator: "=", maxSplits: 1)
                return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            }, uniquingKeysWith: { $1 })
        do {
            if let count = options["bench"].flatMap({ Int($0) }) {
                return try await bench(folder, count)
            }
            guard arguments.count > 3, let url = URL(string: arguments[2]),
                let number = Int(arguments[3])
            else { exit(2) }
            if let call = options["kill"].flatMap({ Int($0) }) { kill_at_call(call) }
            let failure = (options["fail"] ?? "").split(separator: ",").compactMap { Int($0) }
            if failure.count == 3 { fail_from_call(failure[0], Int32(failure[1]), failure[2]) }
            if let photos = options["story"] ?? options["end"] {
                let photos = URL(fileURLWithPath: photos)
                let isEnd = options["end"] != nil
                let story = try Story(folder, photos: photos, isEnd: isEnd)
                if isEnd { try await story.end() } else { await story.begin() }
            } else if options["drain"] != nil {
                try await drain(folder, url)
            } else {
                let count = options["add"].flatMap { Int($0) } ?? 30
                try await Adding(folder, url, number).run(count)
            }
            if options["count"] != nil { say("calls \(calls_counted())") }
        } catch {
            say("error \(error)")
            fflush(nil)
            _exit(1)
        }
        fflush(nil)
        _exit(0)
    }

    static func say(_ text: String) {
        print(text)
        fflush(nil)
    }

    static func open(
        _ folder: URL, _ url: URL, _ tokens: MemoryCredentials
    ) throws -> Outbox {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 5
        let api = EndpointClient(
            URLSession(configuration: configuration).authorized(by: tokens),
            in: ServerEnvironment(baseUrl: url))
        // The waits are a fiftieth as long.
        var clock = TransportClock.system
        clock.sleep = { try await TransportClock.system.sleep($0 / 50) }
        clock.uptime = { TransportClock.system.uptime() * 50 }
        return try Outbox(
            in: folder, sending: api, requests: [.type(AddNote.self)],
            policy: OutboxPolicy(setAsideAfter: 2, whenSetAside: .goOn, longestDelay: 2),
            clock: clock)
    }

    static func token(_ account: String) -> AccessToken {
        AccessToken(.bearer(account), account: account)
    }

    static func credentials(_ url: URL, _ account: String) -> MemoryCredentials {
        MemoryCredentials(for: ServerEnvironment(baseUrl: url), token(account)) { $0 }
    }

    /// Sends all that can be sent, for each account.
    static func drain(_ folder: URL, _ url: URL) async throws {
        let tokens = credentials(url, accounts[0])
        let outbox = try open(folder, url, tokens)
        for account in accounts {
            tokens.signIn(token(account))
            var (last, idle) = (-1, 0)
            // A server that refuses for the moment gets some more chances.
            while idle < 40 {
                outbox.tryNow()
                let left = try await outbox.sendAll()
                idle = left == last ? idle + 1 : 0
                last = left
                if left == 0 { break }
                if outbox.currentEntries.allSatisfy({ $0.state.isAtRest }) { break }
                try await TransportClock.system.sleep(0.02)
            }
        }
        for entry in outbox.currentEntries {
            let text = try outbox.request(of: entry.id, as: AddNote.self)?.body.text ?? "?"
            say("left \(text.prefix(60)) \(entry.state)")
        }
    }

    static func bench(_ folder: URL, _ count: Int) async throws {
        let url = URL(fileURLWithPath: "/")
        let tokens = credentials(url, accounts[0])
        let outbox = try open(folder, URL(string: "https://h.example") ?? url, tokens)
        let start = TransportClock.system.uptime()
        let tasks = 200
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    for number in 0..<(count / tasks) {
                        let text = "a note of some words, number \(number) of task \(task)"
                        try await outbox.send(AddNote("\(number % 1000)", text))
                    }
                }
            }
            try await group.waitForAll()
        }
        let kept = TransportClock.system.uptime()
        let seconds = kept - start
        print(
            "\(count) entries were kept in \(seconds) s: \(Int(Double(count) / seconds)) a second")
        let again = try open(folder, url, tokens)
        let opened = TransportClock.system.uptime()
        print("\(again.currentEntries.count) entries were found in \(opened - kept) s")
    }
}

extension OutboxEntry.State {
    /// Whether the entry isn't sent as long as nothing else changes.
    fileprivate var isAtRest: Bool {
        switch self {
        case .waiting, .sending: false
        case .waitingForAccount, .setAside, .unreadable: true
        }
    }
}

/// The entries that a process adds.
struct Adding {
    private let outbox: Outbox
    private let tokens: MemoryCredentials
    private let number: Int

    init(_ folder: URL, _ url: URL, _ number: Int) throws {
        tokens = Main.credentials(url, Main.accounts[number % 2])
        outbox = try Main.open(folder, url, tokens)
        self.number = number
    }

    /// Adds entries while others are sent.
    func run(_ count: Int) async throws {
        let sending = Task { [outbox] in
            do { try await outbox.run() } catch { Main.say("error \(error)") }
        }
        Main.say("opened")
        var random = SystemRandomNumberGenerator()
        var account = number
        for note in 0..<count {
            if Int.random(in: 0..<10, using: &random) == 0 {
                account += 1
                tokens.signIn(Main.token(Main.accounts[account % 2]))
            }
            let key = Int.random(in: 0..<5, using: &random)
            let kind = Int.random(in: 0..<30, using: &random) == 0 ? "bad" : "good"
            let size = Int.random(in: 0..<20, using: &random) == 0 ? 20_000 : 200
            let text = "\(Main.accounts[account % 2])/\(key)/\(number)/\(note)/\(kind)/"
            let filler = String(repeating: "x", count: Int.random(in: 0..<size, using: &random))
            do throws(OutboxError) {
                let id = try await outbox.send(AddNote("\(key)", text + filler))
                Main.say("kept \(text)")
                guard Int.random(in: 0..<20, using: &random) == 0 else { continue }
                Main.say("cancelled \(text)")
                try await outbox.cancel(id)
            } catch { Main.say("failed \(text) \(error)") }
            if Int.random(in: 0..<4, using: &random) == 0 {
                try? await TransportClock.system.sleep(0.005)
            }
        }
        try? await TransportClock.system.sleep(0.15)
        sending.cancel()
        await sending.value
    }
}

struct AddNote: FlatRequest, OutboxRequest {
    struct Body: Codable { let text: String }

    let key: String
    let body: Body
    var outboxKey: String? { key }

    init(_ key: String, _ text: String) {
        self.key = key
        body = Body(text: text)
    }

    static let endpoint = Endpoint<Self>(method: .post, path: "notes")
    typealias Response = Void
}
