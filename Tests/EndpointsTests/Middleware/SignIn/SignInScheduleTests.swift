import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

@Suite("Signing in at random moments")
struct SignInScheduleTests {
    /// How one request of a schedule ended.
    enum Outcome {
        case status(Int)
        case cancelled
        case signInError
        case other
    }

    /// What happens in one schedule, made of its seed.
    struct Schedule {
        struct Request {
            let start: Int
            let cancellation: Int?
        }

        let requests: [Request]
        let revocations: [Int]
        let failures: Set<Int>
        let delays: [Int]

        init(seed: UInt64) {
            var random = SplitMix64(seed: seed)
            requests = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                let isCancelled = Int.random(in: 0..<4, using: &random) == 0
                return Request(
                    start: .random(in: 0...12, using: &random),
                    cancellation: isCancelled ? .random(in: 0...20, using: &random) : nil)
            }
            revocations = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                .random(in: 0...16, using: &random)
            }
            let failures = (0..<6).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
            self.failures = Set(failures)
            delays = (0..<16).map { _ in .random(in: 0...5, using: &random) }
        }
    }

    @Test(
        "In 10,000 random schedules no request is lost and no token is refreshed twice",
        .timeLimit(.minutes(10)), arguments: 0..<10)
    func schedules(part: UInt64) async throws {
        for seed in part * 1000..<(part + 1) * 1000 {
            let schedule = Schedule(seed: seed)
            let server = Self.server(of: schedule)
            let outcomes = try await Self.run(schedule, server)
            let state = server.state.withLock { $0 }
            #expect(state.faults == [], "seed \(seed)")
            #expect(outcomes.count == schedule.requests.count, "seed \(seed)")
            for (outcome, request) in zip(outcomes, schedule.requests) {
                let isPossible =
                    switch outcome {
                    case .status(200): true
                    case .status: schedule.revocations.count > 1
                    case .cancelled: request.cancellation != nil
                    case .signInError: schedule.failures.contains { $0 < state.refreshes }
                    case .other: false
                    }
                #expect(isPossible, "seed \(seed): \(outcome)")
            }
        }
    }

    private static func server(of schedule: Schedule) -> TokenServer {
        let (steps, refreshes) = (Journal<Void>(), Journal<Void>())
        let wait: @Sendable () async -> Void = {
            await Self.wait(schedule.delays[steps.add(()) % schedule.delays.count])
        }
        return TokenServer(
            reading: wait, sending: wait,
            refreshing: {
                await wait()
                if schedule.failures.contains(refreshes.add(()) - 1) {
                    throw TokenServer.Refused()
                }
            })
    }

    private static func run(
        _ schedule: Schedule, _ server: TokenServer
    ) async throws -> [Outcome] {
        let transport = server.authorized(by: server)
        let message = try Item.request()
        let revoking = schedule.revocations.map { revocation in
            Task {
                await wait(revocation)
                server.state.withLock { $0.isRevoked = true }
            }
        }
        let sending = schedule.requests.map { request in
            Task {
                await wait(request.start)
                return await outcome { try await transport.send(message) }
            }
        }
        let cancelling = zip(schedule.requests, sending).compactMap { request, task in
            request.cancellation.map { cancellation in
                Task {
                    await wait(cancellation)
                    task.cancel()
                }
            }
        }
        for task in revoking + cancelling { await task.value }
        var outcomes: [Outcome] = []
        for task in sending { outcomes.append(await task.value) }
        return outcomes
    }

    private static func wait(_ count: Int) async {
        for _ in 0..<count { await Task.yield() }
    }

    private static func outcome(
        _ send: () async throws -> TransportResponse
    ) async -> Outcome {
        do {
            return .status(try await send().httpResponse.statusCode)
        } catch is CancellationError {
            return .cancelled
        } catch is SignInError {
            return .signInError
        } catch {
            return .other
        }
    }
}
