import Endpoints
import EndpointsMiddleware
import EndpointsStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct GetSilence: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "silence")
    typealias Response = Data
}

struct GetTicks: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "events")
    typealias Response = EventStream<Tick>

    struct Tick: Decodable {
        let id: Int
    }
}

/// The memory of many loads that wait at once, how much of a processor they take meanwhile, and
/// what is left of the memory when they have ended. For Linux only, where `/proc` tells of memory.
///
///     Loads waiting http://127.0.0.1:8080 10000 "the library"
struct Waiting {
    let name: String
    /// How many of the loads the server has at once.
    let open: Int
    /// Waits until it is cancelled.
    let wait: @Sendable () async throws -> Void

    private static func ways(_ server: URL, _ count: Int) -> [Waiting] {
        let environment = ServerEnvironment(baseUrl: server)
        let hand = Hand(connections: count)
        let transport = Hand.transport(connections: count)
        let tokens = MemoryCredentials(for: environment, AccessToken(.bearer("t0k3n"))) { $0 }
        func loads(_ name: String, _ open: Int, _ transport: any Transport) -> Waiting {
            Waiting(name: name, open: open) {
                _ = try await transport.response(in: environment, with: GetSilence())
            }
        }
        return [
            Waiting(name: "by hand", open: count) {
                _ = try await hand.load(server.appendingPathComponent("silence"))
            },
            loads("the library", count, transport),
            loads(
                "all four", count,
                transport.authorized(by: tokens).paced().limited(perOrigin: count).retrying()),
            loads("limited, 6 at once", 6, transport.limited(perOrigin: 6)),
            Waiting(name: "event streams by hand", open: count) {
                try await hand.listen(to: server.appendingPathComponent("events"))
            },
            Waiting(name: "event streams", open: count) {
                let ticks = try await transport.response(in: environment, with: GetTicks())
                for try await tick in ticks where tick.id != 1 { throw URLError(.unknown) }
            },
        ]
    }

    static func measure(_ server: URL, _ count: Int, _ name: String) async throws {
        guard let way = ways(server, count).first(where: { $0.name == name })
        else { throw URLError(.unsupportedURL) }
        // What a first load takes isn't that of a load.
        _ = try await number(of: server)
        let before = try memory()
        var cells = [name]
        for _ in 0..<2 {
            var tasks: [Task<Void, any Error>] = []
            // A system has at most some thousands of connections that no program has accepted.
            while tasks.count < count {
                for _ in 0..<min(1000, count - tasks.count) {
                    tasks.append(Task { try await way.wait() })
                }
                try await settle(at: min(way.open, tasks.count), server)
            }
            cells.append("\(try (memory() - before) / (count << 10)) KB")
            cells.append("\(try await share()) %")
            for task in tasks { task.cancel() }
            for task in tasks { _ = await task.result }
            try await settle(at: 0, server)
            cells.append("\(try (memory() - before) >> 20) MB")
        }
        print("| \(cells.joined(separator: " | ")) |")
    }

    /// How much of a processor this program takes in two seconds in which nothing happens.
    private static func share() async throws -> Int {
        let (before, start) = (clock(), ContinuousClock.now)
        try await Task.sleep(for: .seconds(2))
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return Int(Double(clock() - before) / Double(CLOCKS_PER_SEC) / seconds * 100)
    }

    /// Waits until the server has some loads, and this program's memory doesn't grow any more.
    private static func settle(at open: Int, _ server: URL) async throws {
        var last = -1
        while true {
            let (count, memory) = (try await number(of: server), try memory())
            if count == open, memory <= last { return }
            last = count == open ? memory : -1
            try await Task.sleep(for: .seconds(0.5))
        }
    }

    private static let counter = Hand()

    /// How many loads wait for the server.
    private static func number(of server: URL) async throws -> Int {
        let (data, _) = try await counter.load(server.appendingPathComponent("count"))
        guard let number = Int(String(decoding: data, as: UTF8.self))
        else { throw URLError(.cannotParseResponse) }
        return number
    }

    /// The bytes of memory that this program has.
    private static func memory() throws -> Int {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            .split(separator: " ")
        return (pages.count > 1 ? Int(pages[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
