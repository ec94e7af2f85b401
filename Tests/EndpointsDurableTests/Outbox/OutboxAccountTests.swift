import Endpoints
import EndpointsAuth
import EndpointsMiddleware
import Foundation
import Testing

@testable import EndpointsDurable

@Suite("Outbox: accounts")
struct OutboxAccountTests {
    @Test("An entry waits while another account, or none, is signed in", arguments: ["ben", nil])
    func waits(other: String?) async throws {
        let box = Box()
        let tokens = Box.tokens("ann")
        let outbox = try box.open(by: tokens)
        try await outbox.send(CreateNote("1", of: "k"))
        try await outbox.send(CreateNote("2", of: "k"))
        try await outbox.send(CreateNote("3"))
        if let other { tokens.signIn(Box.token(other)) } else { tokens.signOut() }
        #expect(try await outbox.sendAll() == 3)
        try await outbox.send(CreateNote("other", of: "k"))
        #expect(try await outbox.sendAll() == 3)
        let states = outbox.currentEntries.map(\.state)
        #expect(states == [.waitingForAccount, .waiting, .waitingForAccount])
        #expect(box.server.texts == ["other"])

        // Another process, in which the account is signed in again.
        let next = try box.open(by: Box.tokens("ann"))
        #expect(try await next.sendAll() == 0)
        #expect(Set(box.server.got.dropFirst().map(\.account)) == ["Bearer t0k3n-ann"])
        let texts = box.server.texts.dropFirst()
        #expect(texts.sorted() == ["1", "2", "3"])
        #expect(texts.filter { $0 != "3" } == ["1", "2"])
    }

    @Test("An entry that was added while nobody was signed in is never sent for an account")
    func signedOut() async throws {
        let box = Box()
        let tokens = Box.tokens(nil)
        let outbox = try box.open(by: tokens)
        try await outbox.send(CreateNote("a"))
        tokens.signIn(Box.token("ann"))
        #expect(try await outbox.sendAll() == 1)
        #expect(outbox.currentEntries.map(\.state) == [.waitingForAccount])
        tokens.signOut()
        #expect(try await outbox.sendAll() == 0)
        #expect(box.server.got.map(\.account) == [""])
    }

    @Test("A sign-out keeps an account's entries, or drops them on the disk, as the policy says")
    func signOut() async throws {
        for isDropped in [false, true] {
            let box = Box()
            let tokens = Box.tokens("ann")
            let policy = OutboxPolicy(whenSignedOut: isDropped ? .drop : .keep)
            let outbox = try box.open(policy: policy, by: tokens)
            for text in ["1", "2"] { try await outbox.send(CreateNote(text, of: "k")) }
            tokens.signIn(Box.token("ben"))
            try await outbox.send(CreateNote("3", of: "k"))
            tokens.signIn(Box.token("ann"))
            let left = isDropped ? 0 : 3
            #expect(outbox.currentEntries.count == left)
            #expect(try box.open().currentEntries.count == left)
            try await outbox.sendAll()
            #expect(box.server.texts == (isDropped ? [] : ["1", "2"]))
        }
    }

    @Test("A request for which the account changes before it is sent isn't sent")
    func changes() async throws {
        let box = Box()
        let tokens = Box.tokens("ann")
        box.server.on { text in
            if text == "1" { tokens.signIn(Box.token("ben")) }
            return (204, [:])
        }
        let outbox = try box.open(policy: OutboxPolicy(requestsAtOnce: 1), by: tokens)
        for text in ["1", "2", "3"] { try await outbox.send(CreateNote(text)) }
        #expect(try await outbox.sendAll() == 2)
        #expect(box.server.texts == ["1"])
    }

    @Test("While run() runs, an account's entries are sent soon after it has signed in again")
    func signIn() async throws {
        let box = Box()
        let tokens = Box.tokens("ann")
        let outbox = try box.open(by: tokens)
        for number in 0..<20 { try await outbox.send(CreateNote("\(number)")) }
        tokens.signIn(Box.token("ben"))
        let run = Task { try await outbox.run() }
        while outbox.currentEntries.contains(where: { $0.state == .waiting }) {
            if outbox.currentEntries[0].state == .waitingForAccount { break }
            await Task.yield()
        }
        tokens.signIn(Box.token("ann"))
        while !outbox.currentEntries.isEmpty {
            box.clock.advance(by: 1)
            await Task.yield()
        }
        run.cancel()
        try await run.value
        #expect(Set(box.server.got.map(\.account)) == ["Bearer t0k3n-ann"])
        #expect(box.server.got.count == 20)
    }

    @Test("A server that refuses the account's credentials is asked again, as that is no refusal")
    func refusedCredentials() async throws {
        let box = Box(server: NoteServer(401))
        let outbox = try box.open(policy: OutboxPolicy(setAsideAfter: 1), by: Box.tokens("ann"))
        try await outbox.send(CreateNote("a"))
        for _ in 0..<3 {
            #expect(try await outbox.sendAll() == 1)
            #expect(outbox.currentEntries.map(\.state) == [.waitingForAccount])
            box.clock.advance(by: 100)
        }
        box.server.on(204)
        #expect(try await outbox.sendAll() == 0)
    }
}

extension OutboxAccountTests {
    @Test("After the server has ended a sign-in, a request is kept for its account")
    func endedSignIn() async throws {
        let box = Box()
        let oAuthServer = NoteServer(400)
        let time = box.clock.clock
        let store = MemoryOAuthStore(
            OAuthTokens(
                accessToken: "t0k3n-ann", expires: time.date(), refreshToken: "r3fr3sh",
                account: "ann"))
        let tokens = OAuthCredentials(
            for: Box.environment,
            server: OAuthServer(tokenURL: URL(string: "https://login.example.com/token")),
            client: OAuthClient("notes"), store: store, transport: oAuthServer, clock: time)
        let outbox = try Outbox(
            in: box.folder.url,
            sending: EndpointClient(box.server.authorized(by: tokens), in: Box.environment),
            requests: Box.types, clock: time)
        // The server's answer is `{"error": "invalid_grant"}`.
        _ = try? await tokens.refresh(after: try #require(try await tokens.token()))
        #expect(try await !tokens.isSignedIn)
        await #expect(throws: SignInError.self) { try await tokens.token() }
        try await outbox.send(CreateNote("a"))
        #expect(try await outbox.sendAll() == 1)
        #expect(outbox.currentEntries.map(\.state) == [.waitingForAccount])
        #expect(box.server.got.isEmpty)
        let next = try box.open(by: Box.tokens("ann"))
        #expect(try await next.sendAll() == 0)
        #expect(box.server.got.map(\.account) == ["Bearer t0k3n-ann"])
    }

    @Test("What was added while nobody was signed in can be told, and added again for an account")
    func addedBefore() async throws {
        let box = Box()
        let tokens = Box.tokens(nil)
        let outbox = try box.open(by: tokens)
        try await outbox.send(CreateNote("a"))
        tokens.signIn(Box.token("ann"))
        try await outbox.send(CreateNote("b"))
        #expect(outbox.currentEntries.map(\.hasAccount) == [false, true])
        for entry in outbox.currentEntries where !entry.hasAccount {
            let request = try outbox.request(of: entry.id, as: CreateNote.self)
            try await outbox.send(try #require(request))
            try await outbox.cancel(entry.id)
        }
        #expect(try await outbox.sendAll() == 0)
        #expect(Set(box.server.got.map(\.account)) == ["Bearer t0k3n-ann"])
    }

    @Test("A request of an account without a name is refused, as nobody would know it later")
    func unnamed() async throws {
        let box = Box()
        let tokens = MemoryCredentials(for: Box.environment, AccessToken(.bearer("t0k3n"))) { $0 }
        let error = await #expect(throws: OutboxError.self) {
            try await box.open(by: tokens).send(CreateNote("a"))
        }
        #expect(
            error?.description == """
                the request isn't kept: its account has no name, so that a later sign-in can't be \
                known to be of the same one; give each `AccessToken` the name of its account, or \
                `OAuthCredentials.signIn` or `AWSSigner` its `account:`
                """)
    }

    @Test("While an account's credentials are refused, one of its entries is tried, less and less")
    func refusedAccount() async throws {
        let box = Box(server: NoteServer(401))
        let outbox = try box.open(by: Box.tokens("ann"))
        for number in 0..<20 { try await outbox.send(CreateNote("\(number)")) }
        try await outbox.sendAll()
        // Four are sent at the same time, and the sign-in may send one of them twice.
        #expect(box.server.got.count <= 8)
        #expect(outbox.currentEntries.allSatisfy { $0.refusals == 0 })
        box.server.on(204)
        #expect(try await outbox.sendAll() == 0)
    }
}
