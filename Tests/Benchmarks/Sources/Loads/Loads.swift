import Foundation

/// What a way did in one turn.
struct Turn {
    let loadsPerSecond: Double
    /// Microseconds of the processors for one load.
    let work: Double
    /// How often a thread waited for another, or for a lock, for one load.
    let waits: Double
    /// How many microseconds each load took, in ascending order.
    let times: [Double]

    func time(_ part: Double) -> Double { times[Int(Double(times.count - 1) * part)] }
}

/// Many loads at once, of a server on the loopback.
///
///     Loads http://[::1]:8080 https://[::1]:8443 https://[::1]:8444 1,8,64 2000 5
///
/// The arguments are the server, the same by TLS, the same by HTTP/2, how many loads are in flight,
/// the loads of a turn, and the turns of each way. The ways take turns, in both orders, so that a
/// busy machine slows all of them. A ratio is the median of those of the turns to the same turn of
/// the first way.
@main
enum Loads {
    static func main() async {
        do { try await measure() } catch {
            print(error)
            exit(1)
        }
    }

    private static func measure() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 5, arguments[1] == "waiting", let server = URL(string: arguments[2]),
            let count = Int(arguments[3])
        {
            return try await Waiting.measure(server, count, arguments[4])
        }
        guard arguments.count == 7, let server = URL(string: arguments[1]),
            let secure = URL(string: arguments[2]), let http2 = URL(string: arguments[3]),
            let count = Int(arguments[5]), let turns = Int(arguments[6])
        else { return print("Loads SERVER SECURE HTTP2 WIDTHS LOADS TURNS") }
        let widths = arguments[4].split(separator: ",").compactMap { Int($0) }
        let ways = Way.gets(server)
        for width in widths { try await compare("small JSON", ways, width, count, turns) }
        let few = max(1, count / 20)
        for (what, ways, widths, count) in [
            ("small JSON by TLS", Way.gets(secure, usual: true), [8, 64], count),
            ("small JSON by HTTP/2", Way.gets(http2, usual: true), [8, 64], count),
            ("a body of 1 MB", Way.bodies(server), [8], few),
            ("an upload of 1 MB", Way.uploads(server), [8], few),
            ("1,000 callers that get a 401, and one refresh", Way.storms(server), [1], 3),
            ("1,000 callers of one request", Way.crowds(server), [1], 3),
            ("a stored response", try Way.stored(server), [1, 8], count),
        ] as [(String, [Way], [Int], Int)] {
            for width in widths { try await compare(what, ways, width, count, turns) }
        }
    }

    private static func compare(
        _ what: String, _ ways: [Way], _ width: Int, _ count: Int, _ turns: Int
    ) async throws {
        let count = max(count, 2 * width)
        var done: [String: [Turn]] = [:]
        // The first turn opens the connections.
        for turn in 0...turns {
            for way in turn % 2 == 0 ? ways : ways.reversed() {
                let result = try await run(way, width, turn == 0 ? 2 * width : count)
                if turn > 0 { done[way.name, default: []].append(result) }
            }
        }
        let hand = done[ways[0].name] ?? []
        print("\n\(Hand.client): \(what), \(width) in flight")
        print(
            "| way | loads a second | processor time | p50 | p99 | p99.9 | waits | speed | work | p99 |"
        )
        print("|---|---|---|---|---|---|---|---|---|---|")
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
                "\(Int(middle { $0.time(0.999) })) µs", "\((middle(\.waits) * 10).rounded() / 10)",
                ratio(\.loadsPerSecond), ratio(\.work),
                ratio { $0.time(0.99) },
            ]
            print("| \(cells.joined(separator: " | ")) |")
        }
    }

    private static func run(_ way: Way, _ width: Int, _ count: Int) async throws -> Turn {
        let each = count / width
        let (before, start) = (usage(), ContinuousClock.now)
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
        let (loads, after) = (Double(each * width), usage())
        return Turn(
            loadsPerSecond: loads / seconds,
            work: (after.processorTime - before.processorTime) / loads * 1e6,
            waits: (after.waits - before.waits) / loads, times: times.sorted())
    }

    /// The seconds that the processors have worked for this program, and how often its threads have
    /// waited (voluntary context switches).
    private static func usage() -> (processorTime: Double, waits: Double) {
        var usage = rusage()
        #if canImport(Darwin)
            getrusage(RUSAGE_SELF, &usage)
        #else
            getrusage(RUSAGE_SELF.rawValue, &usage)
        #endif
        let seconds = [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
        }
        return (seconds, Double(usage.ru_nvcsw))
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }
}
