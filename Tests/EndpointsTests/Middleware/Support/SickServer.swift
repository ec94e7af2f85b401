import Endpoints
import EndpointsMiddleware
import Foundation

/// A simulation: clients send a request a second each, and the server fails for a minute.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct SickServer {
    static let failure = 5.0..<65.0
    static let end = 75.0

    /// When a request was made or an attempt arrived, or a request ended.
    private let requests = Journal<TimeInterval>()
    private let attempts = Journal<TimeInterval>()
    private let outcomes = Journal<(start: TimeInterval, end: TimeInterval, status: Int)>()
    private let time = VirtualTime()
    private let clients: Int

    /// Runs the simulation.
    ///
    /// - Parameters:
    ///   - policy: How clients retry.
    ///   - isShared: Whether all clients use one middleware, as the users of one server do, or each
    ///     its own, as devices do.
    init(clients: Int = 1000, policy: RetryPolicy, isShared: Bool) throws {
        self.clients = clients
        let (time, attempts) = (time, attempts)
        let (failed, succeeded) = (try TransportResponse.stub(503), try TransportResponse.stub(200))
        let server = ClosureTransport { _ in
            attempts.add(time.now)
            let isFailing = Self.failure.contains(time.now)
            try await time.sleep(0.05)
            return isFailing ? failed : succeeded
        }
        let clock = time.clock
        let shared = server.retrying(policy, clock: clock)
        let request = try Item.request()
        for _ in 0..<clients {
            startClient(request, isShared ? shared : server.retrying(policy, clock: clock))
        }
        time.run()
    }

    private func startClient(_ request: TransportRequest, _ transport: any Transport) {
        let (time, requests, outcomes) = (time, requests, outcomes)
        time.start {
            try await time.sleep(time.number(in: 0...1))
            while time.now < Self.end {
                time.start {
                    let start = time.now
                    requests.add(start)
                    let status = try await transport.send(request).httpResponse.statusCode
                    outcomes.add((start, time.now, status))
                }
                try await time.sleep(1)
            }
        }
    }

    /// How much more the server got in the minute in which it failed than was asked for.
    var extraLoad: Double {
        func isCounted(_ moment: TimeInterval) -> Bool { Self.failure.contains(moment) }
        return Double(attempts.entries.filter(isCounted).count)
            / Double(requests.entries.filter(isCounted).count) - 1
    }

    /// The most attempts in any second after the failure, to those in a second before it.
    var peakAfterwards: Double {
        let counts = Dictionary(grouping: attempts.entries) { Int($0) }.mapValues(\.count)
        let peak = counts.filter { Double($0.key) >= Self.failure.upperBound }.values.max() ?? 0
        return Double(peak) / Double(clients)
    }

    /// How long after the failure the last request ended that was made while it lasted.
    var longestRecovery: TimeInterval {
        let ends = outcomes.entries.filter { $0.start < Self.failure.upperBound }.map(\.end)
        return (ends.max() ?? .infinity) - Self.failure.upperBound
    }

    /// The requests that ended in an error though they were made when the server was well.
    var failuresOfAWellServer: Int {
        outcomes.entries.count { $0.status != 200 && !Self.failure.contains($0.start) }
    }

    /// The requests that were made while the server failed, and succeeded.
    var rescued: Int {
        outcomes.entries.count { $0.status == 200 && Self.failure.contains($0.start) }
    }

    /// The requests that have not ended.
    var lost: Int { requests.entries.count - outcomes.entries.count }
}
