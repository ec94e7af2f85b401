import EndpointsTesting
import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsMiddleware

@Suite("The account of a request", .timeLimit(.minutes(5)))
struct SignInAccountTests {
    /// A source of a program's own, which stores what it gets, whatever has happened meanwhile.
    struct Store: CredentialSource {
        let baseUrl = url("https://api.example.com")
        let stored = Guarded<AccessToken?>(AccessToken(.bearer("a")))
        let refreshed = Journal<AccessToken>()

        func token() -> AccessToken? { stored.withLock { $0 } }

        func refresh(after refused: AccessToken) async throws -> AccessToken {
            refreshed.add(refused)
            let token = AccessToken(.bearer("refreshed"))
            stored.withLock { $0 = token }
            return token
        }
    }

    /// Sends the token of each request to a journal, and responds with a 401 when the gate opens.
    private func refusing(_ sent: Journal<String?>, _ gate: Gate) -> ClosureTransport {
        ClosureTransport { request in
            let header = request.urlRequest.value(forHTTPHeaderField: "Authorization")
            sent.add(header)
            guard header == "Bearer a" else { return try .stub(200) }
            await gate.pass()
            return try .stub(401)
        }
    }

    /// How a request ends whose 401 comes after a change of the credentials.
    typealias Row = (name: String, now: AccessToken?, sent: [String], outcome: String)

    static let rows: [Row] = [
        ("signed out", nil, ["Bearer a"], "no credentials"),
        ("another account", AccessToken(.bearer("b")), ["Bearer a"], "account has changed"),
        (
            "another name", AccessToken(.bearer("b"), account: "B"), ["Bearer a"],
            "account has changed"
        ),
        (
            "the same name", AccessToken(.bearer("a2"), account: "A"), ["Bearer a", "Bearer a2"],
            "200"
        ),
        ("no change", AccessToken(.bearer("a")), ["Bearer a", "Bearer refreshed"], "200"),
    ]

    private func outcome(
        _ send: () async throws -> TransportResponse
    ) async throws -> String {
        do { return "\(try await send().httpResponse.statusCode)" } catch let error as SignInError {
            return error.accountHasChanged
                ? "account has changed" : error.cause == nil ? "no credentials" : "cause"
        }
    }

    private func refreshes(_ row: Row) -> Int {
        row.outcome == "200" && row.name == "no change" ? 1 : 0
    }

    @Test(
        "After a 401, a request is sent again only for the account with which it began",
        arguments: rows)
    func memory(row: Row) async throws {
        let (sent, gate, refreshed) = (Journal<String?>(), Gate(), Journal<AccessToken>())
        let tokens = MemoryCredentials(
            for: ServerEnvironment.production, AccessToken(.bearer("a"), account: "A")
        ) { old in
            refreshed.add(old)
            return AccessToken(.bearer("refreshed"))
        }
        let transport = refusing(sent, gate).authorized(by: tokens)
        let request = try Item.request("POST")
        let task = Task { try await outcome { try await transport.send(request) } }
        await gate.wait(for: 1)
        if row.name != "no change" { tokens.signOut() }
        if row.name != "no change", let now = row.now { tokens.signIn(now) }
        let present = tokens.token()
        gate.open()
        #expect(try await task.value == row.outcome)
        #expect(sent.entries == row.sent)
        #expect(refreshed.entries.count == refreshes(row))
        if refreshes(row) == 0 { #expect(tokens.token() == present) }
    }

    @Test(
        "After a 401, the source is asked first, so that its sign-out isn't undone",
        arguments: rows)
    func ownSource(row: Row) async throws {
        let (sent, gate, source) = (Journal<String?>(), Gate(), Store())
        source.stored.withLock { $0?.account = "A" }
        let transport = refusing(sent, gate).authorized(by: source)
        let request = try Item.request("POST")
        let task = Task { try await outcome { try await transport.send(request) } }
        await gate.wait(for: 1)
        if row.name != "no change" { source.stored.withLock { $0 = row.now } }
        gate.open()
        #expect(try await task.value == row.outcome)
        #expect(sent.entries == row.sent)
        #expect(source.refreshed.entries.count == refreshes(row))
        if refreshes(row) == 0 { #expect(source.token() == row.now) }
    }

    @Test(
        "A sign-in during a refresh ends the requests that wait for it, and the new account stays")
    func duringRefresh() async throws {
        let (sent, gate) = (Journal<String?>(), Gate())
        let tokens = MemoryCredentials(
            for: ServerEnvironment.production, AccessToken(.bearer("a"))
        ) { _ in
            await gate.pass()
            return AccessToken(.bearer("refreshed"))
        }
        let open = Gate()
        open.open()
        let transport = refusing(sent, open).authorized(by: tokens)
        let request = try Item.request("POST")
        let task = Task { try await outcome { try await transport.send(request) } }
        await gate.wait(for: 1)
        tokens.signIn(AccessToken(.bearer("b")))
        // The new account doesn't wait for the refresh of the old one.
        #expect(try await transport.send(Item.request("POST")).httpResponse.statusCode == 200)
        gate.open()
        #expect(try await task.value == "account has changed")
        #expect(sent.entries == ["Bearer a", "Bearer b"])
        #expect(tokens.token() == AccessToken(.bearer("b")))
    }

    @Test("A request that is repeated later is sent only for the account with which it began")
    func repeated() async throws {
        for (next, expected) in [
            (AccessToken?.none, "no credentials"),
            (AccessToken(.bearer("b")), "account has changed"),
            (AccessToken(.bearer("a")), "200"),
        ] {
            let tokens = MemoryCredentials(
                for: ServerEnvironment.production, AccessToken(.bearer("a"))
            ) { $0 }
            let sent = Journal<String?>()
            let stub = ClosureTransport { request in
                sent.add(request.urlRequest.value(forHTTPHeaderField: "Authorization"))
                guard sent.entries.count == 1 else { return try .stub(200) }
                tokens.signOut()
                if let next { tokens.signIn(next) }
                return try .stub(503)
            }
            let transport = stub.authorized(by: tokens).retrying(clock: .immediate)
            let request = try Item.request()
            #expect(try await outcome { try await transport.send(request) } == expected)
            #expect(sent.entries.count == (expected == "200" ? 2 : 1))
            // Another request is sent for whoever is signed in now.
            #expect(try await outcome { try await transport.send(Item.request()) } == "200")
        }
    }

    @Test("The refresh of credentials in memory replaces no credentials that came meanwhile")
    func lateRefresh() async throws {
        let cases: [(AccessToken?, String)] = [
            (nil, "no credentials"), (AccessToken(.bearer("t9")), "account has changed"),
        ]
        for (now, expected) in cases {
            let gate = Gate()
            let old = AccessToken(.bearer("t0"))
            let tokens = MemoryCredentials(for: ServerEnvironment.production, old) { _ in
                await gate.pass()
                return AccessToken(.bearer("t1"))
            }
            let refresh = Task { try await tokens.refresh(after: old) }
            await gate.wait(for: 1)
            tokens.signOut()
            if let now { tokens.signIn(now) }
            gate.open()
            let error = await #expect(throws: SignInError.self) { try await refresh.value }
            #expect(error?.accountHasChanged == (expected == "account has changed"))
            #expect(tokens.token() == now)
        }
    }

    @Test("Credentials in memory that were refreshed already are returned, and not refreshed again")
    func secondRefresh() async throws {
        let refreshes = Journal<Void>()
        let old = AccessToken(.bearer("t0"), account: "A")
        let tokens = MemoryCredentials(for: ServerEnvironment.production, old) { _ in
            AccessToken(.bearer("t\(refreshes.add(()))"))
        }
        for _ in 0..<2 {
            let token = try await tokens.refresh(after: old)
            #expect(token == AccessToken(.bearer("t1"), account: "A"))
        }
        #expect(refreshes.entries.count == 1)
    }
}
