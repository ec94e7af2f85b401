import Endpoints
import EndpointsMiddleware
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct User: Decodable, Sendable {
    let id: Int
    let name: String
}

struct GetUser: FlatRequest {
    let id: Int

    static let endpoint = Endpoint<Self>(method: .get, path: "users/\(path: \.id)")
    typealias Response = User
}

/// One way to load a user. Each has a session of its own, and so its own connections.
struct Way {
    let name: String
    let load: @Sendable (Int) async throws -> Void
}

extension Way {
    static func all(_ server: URL) -> [Way] {
        let environment = ServerEnvironment(baseUrl: server)
        let (hand, bare) = (session(), session())
        var ways = [
            Way(name: "by hand, data(for:)") { id in
                let request = URLRequest(url: server.appendingPathComponent("users/\(id)"))
                try decode(try await hand.data(for: request))
            },
            Way(name: "a bare task") { id in
                let request = URLRequest(url: server.appendingPathComponent("users/\(id)"))
                let loaded = try await withCheckedThrowingContinuation { continuation in
                    bare.dataTask(with: request) { data, response, error in
                        if let data, let response {
                            continuation.resume(returning: (data, response))
                        } else {
                            continuation.resume(throwing: error ?? URLError(.unknown))
                        }
                    }.resume()
                }
                try decode(loaded)
            },
        ]
        for (name, transport) in transports(environment) {
            ways.append(
                Way(name: name) { id in
                    _ = try await transport.response(in: environment, with: GetUser(id: id))
                })
        }
        return ways
    }

    /// The library alone, with each middleware, and with four of them.
    private static func transports(
        _ environment: ServerEnvironment
    ) -> [(name: String, transport: any Transport)] {
        func tokens() -> MemoryCredentials {
            MemoryCredentials(for: environment, AccessToken(.bearer("t0k3n"))) { $0 }
        }
        return [
            ("the library", session()),
            ("authorized", session().authorized(by: tokens())),
            ("paced", session().paced()),
            ("limited", session().limited(perOrigin: 2000)),
            ("retrying", session().retrying()),
            (
                "all four",
                session().authorized(by: tokens()).paced().limited(perOrigin: 2000).retrying()
            ),
        ]
    }

    private static func session() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 256
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }

    private static func decode(_ loaded: (data: Data, response: URLResponse)) throws {
        let status = (loaded.response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200..<300).contains(status) else { throw URLError(.badServerResponse) }
        _ = try JSONDecoder().decode(User.self, from: loaded.data)
    }
}

/// What a way did in one turn.
struct Turn {
    let loadsPerSecond: Double
    /// Microseconds of the processors for one load.
    let work: Double
    /// How many microseconds each load took, in ascending order.
    let times: [Double]

    func time(_ part: Double) -> Double { times[Int(Double(times.count - 1) * part)] }
}

/// Many loads at once, of a server on the loopback.
///
///     Loads http://127.0.0.1:8080 1,8,64 2000 5
///
/// The arguments are the server, how many loads are in flight, the loads of a turn, and the turns
/// of each way. The ways take turns, in both orders, so that a busy machine slows all of them. A
/// ratio is the median of those of the turns to the same turn by hand.
@main
enum Loads {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let server = URL(string: arguments[1]),
            let count = Int(arguments[3]), let turns = Int(arguments[4])
        else { return print("Loads SERVER WIDTHS LOADS TURNS") }
        let ways = Way.all(server)
        for width in arguments[2].split(separator: ",").compactMap({ Int($0) }) {
            try await compare(ways, width, max(count, 2 * width), turns)
        }
    }

    private static func compare(
        _ ways: [Way], _ width: Int, _ count: Int, _ turns: Int
    ) async throws {
        var done: [String: [Turn]] = [:]
        // The first turn opens the connections.
        for turn in 0...turns {
            for way in turn % 2 == 0 ? ways : ways.reversed() {
                let result = try await run(way, width, turn == 0 ? 2 * width : count)
                if turn > 0 { done[way.name, default: []].append(result) }
            }
        }
        let hand = done[ways[0].name] ?? []
        print("\n\(width) in flight")
        print("| way | loads a second | processor time | p50 | p99 | p99.9 | speed | work | p99 |")
        print("|---|---|---|---|---|---|---|---|---|")
        for way in ways {
            let turns = done[way.name] ?? []
            func middle(_ value: (Turn) -> Double) -> Double { median(turns.map(value)) }
            func ratio(_ value: (Turn) -> Double) -> String {
                let ratios = zip(turns, hand).map { value($0) / value($1) }
                return "\((median(ratios) * 100).rounded() / 100)"
            }
            let cells = [
                way.name, "\(Int(middle(\.loadsPerSecond)))", "\(Int(middle(\.work))) µs",
                "\(Int(middle { $0.time(0.5) })) µs", "\(Int(middle { $0.time(0.99) })) µs",
                "\(Int(middle { $0.time(0.999) })) µs", ratio(\.loadsPerSecond), ratio(\.work),
                ratio { $0.time(0.99) },
            ]
            print("| \(cells.joined(separator: " | ")) |")
        }
    }

    private static func run(_ way: Way, _ width: Int, _ count: Int) async throws -> Turn {
        let each = count / width
        let (work, start) = (processorTime(), ContinuousClock.now)
        let times = try await withThrowingTaskGroup(of: [Double].self) { group in
            for number in 0..<width {
                group.addTask {
                    var times: [Double] = []
                    for index in 0..<each {
                        let start = ContinuousClock.now
                        try await way.load(number * each + index)
                        times.append((ContinuousClock.now - start) / .microseconds(1))
                    }
                    return times
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let loads = Double(each * width)
        return Turn(
            loadsPerSecond: loads / seconds, work: (processorTime() - work) / loads * 1e6,
            times: times.sorted())
    }

    /// The seconds that the processors have worked for this program.
    private static func processorTime() -> Double {
        var usage = rusage()
        #if canImport(Darwin)
            getrusage(RUSAGE_SELF, &usage)
        #else
            getrusage(RUSAGE_SELF.rawValue, &usage)
        #endif
        return [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
        }
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }
}
