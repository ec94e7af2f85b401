import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Fault {
    /// The results of loading from a broken server.
    struct Report: Equatable, Sendable {
        /// The outcome of each request.
        var outcomes: [Outcome]
        /// How many times a load ended.
        var ends: Int
        /// The connections that are open after the session was released.
        var connections: Int
        /// Whether all took less than half of the minute for which a silent server waits.
        var isInTime: Bool
    }

    /// The expected results.
    func expected(_ way: Way) -> Report {
        let usual = way.isStream ? streamed ?? outcome : outcome
        var outcomes = Array(repeating: usual, count: requests)
        if way.posts, let lastPost { outcomes[requests - 1] = lastPost }
        return Report(outcomes: outcomes, ends: requests, connections: 0, isInTime: true)
    }

    /// Loads from the server in a session of its own.
    func report(_ way: Way) async throws -> Report {
        let server = try FaultServer()
        let key = "\(name)-\(way)-\(UUID())"
        let ends = Count()
        let start = ContinuousClock.now
        let outcomes = await outcomes(way, ServerEnvironment(baseUrl: server.address), key, ends)
        let isInTime = start.duration(to: .now) < .seconds(30)
        return Report(
            outcomes: outcomes, ends: ends.value, connections: try await server.open(key),
            isInTime: isInTime)
    }

    private func outcomes(
        _ way: Way, _ environment: ServerEnvironment, _ key: String, _ ends: Count
    ) async -> [Outcome] {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        var outcomes: [Outcome] = []
        for _ in 0..<requests {
            outcomes.append(await way.load(request(key), session, environment, ends.increment))
        }
        return outcomes
    }
}

extension Fault {
    /// A counter.
    final class Count: @unchecked Sendable {
        private let lock = NSLock()
        private var number = 0

        var value: Int { lock.withLock { number } }

        @Sendable func increment() { lock.withLock { number += 1 } }
    }
}
