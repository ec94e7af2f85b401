import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

@Suite("Accounts that change at random moments")
struct AccountScheduleTests {
    /// A server whose refresh tokens may be used once, as one that detects their theft.
    final class Server: Sendable {
        struct State {
            var sessions: [(account: String, version: Int, isRevoked: Bool)] = []
            /// The accounts whose tokens each request was sent with, by the request's name.
            var sent: [String: [String]] = [:]
            var faults: [String] = []
        }

        let state = Guarded(State())
        let clock = SettableClock()
        let hasNames: Bool

        init(hasNames: Bool) { self.hasNames = hasNames }

        /// The number of a session and of its token, in a text such as `s1.3`.
        static func numbers(_ text: String) -> (session: Int, version: Int)? {
            let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
            return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
        }

        func token(_ session: Int, _ state: State, _ now: Date) -> AccessToken {
            let text = "s\(session).\(state.sessions[session].version)"
            return AccessToken(
                .bearer(text), expires: now + 100, refreshToken: text,
                account: hasNames ? state.sessions[session].account : nil)
        }

        func signIn(_ account: String) -> AccessToken {
            let now = clock.clock.date()
            return state.withLock { state in
                state.sessions.append((account, 0, false))
                return token(state.sessions.count - 1, state, now)
            }
        }

        func refresh(_ old: AccessToken) throws -> AccessToken {
            let now = clock.clock.date()
            return try state.withLock { state in
                guard let text = old.refreshToken, let (session, version) = Self.numbers(text)
                else { throw URLError(.badURL) }
                guard version == state.sessions[session].version else {
                    state.faults.append("\(text) was used twice")
                    throw SignInError()
                }
                state.sessions[session].version += 1
                state.sessions[session].isRevoked = false
                return token(session, state, now)
            }
        }

        func send(_ request: TransportRequest) throws -> TransportResponse {
            let header = request.urlRequest.value(forHTTPHeaderField: "Authorization")
            let name = request.urlRequest.value(forHTTPHeaderField: "X-Name") ?? ""
            return try state.withLock { state in
                guard let header, let (session, version) = Self.numbers(header) else {
                    if let first = state.sent[name]?.first {
                        state.faults.append("\(name): without a token after \(first)")
                    }
                    return try .stub(403)
                }
                let current = state.sessions[session]
                let account = hasNames ? current.account : "s\(session)"
                if let first = state.sent[name]?.first, first != account {
                    state.faults.append("\(name): \(account) after \(first)")
                }
                state.sent[name, default: []].append(account)
                let isValid = version == current.version && !current.isRevoked
                return try .stub(isValid ? 200 : 401)
            }
        }
    }

    private static func wait(_ count: Int) async {
        for _ in 0..<count { await Task.yield() }
    }

    @Test(
        "In 4,000 random schedules accounts keep their requests, and no sign-out is undone",
        .timeLimit(.minutes(10)), arguments: 0..<4)
    func schedules(part: UInt64) async throws {
        for seed in part * 1000..<(part + 1) * 1000 { try await run(seed: seed) }
    }

    private func run(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let server = Server(hasNames: Bool.random(using: &random))
        let delays = (0..<16).map { _ in Int.random(in: 0...6, using: &random) }
        let steps = Journal<Void>()
        let wait: @Sendable () async -> Void = {
            await Self.wait(delays[steps.add(()) % delays.count])
        }
        let tokens = MemoryCredentials(for: ServerEnvironment.production, server.signIn("a")) {
            await wait()
            let token = try server.refresh($0)
            await wait()
            return token
        }
        let stub = ClosureTransport { request in
            await wait()
            let response = try server.send(request)
            await wait()
            return response
        }
        let transports: [any Transport] = [
            stub.authorized(by: tokens, clock: server.clock.clock),
            stub.authorized(by: tokens, clock: server.clock.clock)
                .retrying(RetryPolicy(statuses: [401]), clock: server.clock.clock),
        ]
        let last = Guarded<AccessToken?>(tokens.token())
        var tasks: [Task<Void, Never>] = []
        var sending: [Task<String, Never>] = []
        for number in 0..<Int.random(in: 2...8, using: &random) {
            let start = Int.random(in: 0...14, using: &random)
            let transport = transports[Int.random(in: 0...1, using: &random)]
            let message = try Item.request(headers: ["X-Name": "r\(number)"])
            sending.append(
                Task {
                    await Self.wait(start)
                    do {
                        return "\(try await transport.send(message).httpResponse.statusCode)"
                    } catch {
                        return "\(type(of: error))"
                    }
                })
        }
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let start = Int.random(in: 0...24, using: &random)
            let kind = Int.random(in: 0...5, using: &random)
            let seconds = Double.random(in: 80...110, using: &random)
            tasks.append(
                Task {
                    await Self.wait(start)
                    switch kind {
                    case 0:
                        server.state.withLock { state in
                            for index in state.sessions.indices {
                                state.sessions[index].isRevoked = true
                            }
                        }
                    case 1, 2:
                        last.withLock {
                            tokens.signOut()
                            $0 = nil
                        }
                    case 3, 4:
                        last.withLock {
                            let token = server.signIn(kind == 3 ? "a" : "b")
                            tokens.signIn(token)
                            $0 = token
                        }
                    default: server.clock.set(seconds)
                    }
                })
        }
        for task in tasks { await task.value }
        var outcomes: [String] = []
        for task in sending { outcomes.append(await task.value) }
        let faults = server.state.withLock { $0.faults }
        #expect(faults == [], "seed \(seed)")
        #expect(outcomes.allSatisfy { ["200", "401", "403", "SignInError"].contains($0) })
        let (session, present) = (last.withLock { $0 }, tokens.token())
        #expect(
            session.map { Server.numbers($0.refreshToken ?? "")?.session }
                == present.map { Server.numbers($0.refreshToken ?? "")?.session }, "seed \(seed)")
        // Whoever is signed in can send a request now. A token that has replaced a refused one and
        // is refused too is refreshed only after a pause.
        server.clock.set(2000)
        let status = try? await transports[0].send(Item.request()).httpResponse.statusCode
        #expect(status == (present == nil ? 403 : 200), "seed \(seed)")
    }
}
