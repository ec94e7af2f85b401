import Endpoints
import EndpointsCache
import EndpointsMiddleware
import Foundation
import Testing

/// Whose stored responses a request gets, with the sign-in on either side of the cache.
@Suite("Accounts")
struct AccountTests {
    enum Order: CaseIterable {
        case signInInside, signInOutside
    }

    struct Fixture {
        let server = OriginServer()
        let tokens: MemoryCredentials
        let api: EndpointClient<ServerEnvironment>

        init(_ order: Order, _ storage: CacheStorage = .memory(megabytes: 1)) {
            tokens = MemoryCredentials(for: ServerEnvironment.example) { old in
                AccessToken(.bearer("refreshed"), account: old.account)
            }
            let server = server
            api =
                switch order {
                case .signInInside:
                    EndpointClient(
                        server.authorized(by: tokens).cached(in: storage), in: .example)
                case .signInOutside:
                    EndpointClient(
                        server.cached(in: storage).authorized(by: tokens), in: .example)
                }
            server.set(200, ["Cache-Control": "max-age=600"], "nobody's")
        }

        func signIn(_ account: String, name: Bool = true) {
            tokens.signIn(AccessToken(.bearer(account), account: name ? account : nil))
            server.set(200, ["Cache-Control": "max-age=600"], account)
        }

        func load() async throws -> String {
            let response = try await api(GetItem())
            return "\(response.value) \(response.source)"
        }
    }

    @Test("A request gets what its account has stored", arguments: Order.allCases, [true, false])
    func own(_ order: Order, isNamed: Bool) async throws {
        let fixture = Fixture(order)
        #expect(try await fixture.load() == "nobody's server")
        fixture.signIn("a", name: isNamed)
        #expect(try await fixture.load() == "a server")
        #expect(try await fixture.load() == "a cache")
        fixture.signIn("b", name: isNamed)
        #expect(try await fixture.load() == "b server")
        #expect(try await fixture.load() == "b cache")
        fixture.tokens.signOut()
        #expect(try await fixture.load() == "nobody's cache")
    }

    @Test("A sign-out drops what the account has stored", arguments: Order.allCases)
    func signOut(_ order: Order) async throws {
        let folder = TemporaryFolder()
        let fixture = Fixture(order, .disk(folder.url, megabytes: 1))
        fixture.signIn("a")
        #expect(try await fixture.load() == "a server")
        #expect(folder.files.count == 1)
        fixture.tokens.signOut()
        #expect(folder.files.isEmpty)
        fixture.signIn("a")
        #expect(try await fixture.load() == "a server")
    }

    @Test(
        "Another account's sign-in drops at once what the first one stored in an earlier launch",
        arguments: Order.allCases)
    func otherSignInAfterLaunch(_ order: Order) async throws {
        let folder = TemporaryFolder()
        let first = Fixture(order, .disk(folder.url, megabytes: 1))
        first.signIn("a")
        #expect(try await first.load() == "a server")
        let second = Fixture(order, .disk(folder.url, megabytes: 1))
        second.signIn("a")
        #expect(folder.files.count == 1)
        second.signIn("b")
        #expect(folder.files.isEmpty)
    }

    @Test(
        "Another account's sign-in drops what the first one has stored", arguments: Order.allCases)
    func otherSignIn(_ order: Order) async throws {
        let fixture = Fixture(order)
        fixture.signIn("a")
        _ = try await fixture.load()
        fixture.signIn("b")
        _ = try await fixture.load()
        fixture.signIn("a")
        #expect(try await fixture.load() == "a server")
    }

    @Test("A refresh keeps what is stored", arguments: Order.allCases, [true, false])
    func refresh(_ order: Order, isNamed: Bool) async throws {
        let fixture = Fixture(order)
        fixture.signIn("a", name: isNamed)
        _ = try await fixture.load()
        fixture.server.during.withLock {
            $0 = { request in
                let header = request.urlRequest.value(forHTTPHeaderField: "Authorization")
                fixture.server.set(header == "Bearer refreshed" ? 200 : 401, [:], "new")
            }
        }
        _ = try? await fixture.api(GetItem(id: 2))
        _ = try? await fixture.api(GetItem(id: 2))
        #expect(
            fixture.server.last?.value(forHTTPHeaderField: "Authorization") == "Bearer refreshed")
        #expect(try await fixture.load() == "a cache")
    }

    @Test("What is stored survives a launch if the account has a name", arguments: Order.allCases)
    func launch(_ order: Order) async throws {
        let folder = TemporaryFolder()
        let first = Fixture(order, .disk(folder.url, megabytes: 1))
        first.signIn("a")
        _ = try await first.load()
        let second = Fixture(order, .disk(folder.url, megabytes: 1))
        second.tokens.signIn(AccessToken(.bearer("later"), account: "a"))
        #expect(try await second.load() == "a cache")
        second.signIn("b")
        #expect(try await second.load() == "b server")
    }

    @Test("If the account changes while a request is under way, its response isn't stored")
    func changesMeanwhile() async throws {
        let fixture = Fixture(.signInInside)
        fixture.signIn("a")
        fixture.server.during.withLock {
            $0 = { _ in
                fixture.tokens.signOut()
                fixture.server.during.withLock { $0 = { _ in } }
            }
        }
        #expect(try await fixture.load() == "a server")
        fixture.signIn("a")
        #expect(try await fixture.load() == "a server")
    }

    @Test(
        "A request that waited while the account changed gets nothing of the next account",
        arguments: Order.allCases)
    func waited(_ order: Order) async throws {
        let fixture = Fixture(order)
        fixture.signIn("a")
        let waiting = TransportRequest(
            try GetItem().urlRequest(in: .example), requestType: GetItem.self)
        fixture.signIn("b")
        #expect(try await fixture.load() == "b server")
        await #expect(throws: SignInError.self) {
            try await fixture.api.transport.send(waiting)
        }
        #expect(try await fixture.load() == "b cache")
        #expect(fixture.server.count == 1)
    }

    @Test(
        "`updates` gives what one account has, though another signs in", arguments: Order.allCases)
    func updates(_ order: Order) async throws {
        let fixture = Fixture(order)
        fixture.signIn("a")
        #expect(try await fixture.load() == "a server")
        var updates = fixture.api.updates(of: GetItem()).makeAsyncIterator()
        #expect(try await updates.next()?.value == "a")
        fixture.signIn("b")
        do {
            let next = try await updates.next()
            Issue.record("b's: \(String(describing: next?.value))")
        } catch {
            #expect("\(error)".contains("account"))
        }
        #expect(fixture.server.count == 1)
    }

    /// A request for what everybody may read.
    struct GetNews: FlatRequest {
        static let endpoint = Endpoint<GetNews>(
            method: .get, path: "news", headers: [.authorization: nil])
        typealias Response = WithHTTPResponse<String>
    }

    @Test(
        "A response to a request that declares no token is everybody's", arguments: Order.allCases)
    func everybodys(_ order: Order) async throws {
        let fixture = Fixture(order)
        fixture.signIn("a")
        #expect(try await fixture.api(GetNews()).source == .server)
        fixture.signIn("b")
        #expect(try await fixture.api(GetNews()).source == .cache)
        #expect(fixture.server.last?.value(forHTTPHeaderField: "Authorization") == nil)
    }

    @Test("A response to the credentials of two sign-ins isn't stored", arguments: [true, false])
    func twoSignIns(isOneOutside: Bool) async throws {
        let server = OriginServer()
        server.set(200, ["Cache-Control": "max-age=600"], "a")
        let folder = TemporaryFolder()
        let storage = CacheStorage.disk(folder.url, megabytes: 1)
        let (app, user) = (credentials(of: "app"), credentials(of: "a"))
        let inner = server.authorized(by: app, header: "X-App-Token")
        let api =
            isOneOutside
            ? EndpointClient(inner.cached(in: storage).authorized(by: user), in: .example)
            : EndpointClient(inner.authorized(by: user).cached(in: storage), in: .example)
        for _ in 1...2 { #expect(try await api(GetItem()).source == .server) }
        #expect(folder.files.isEmpty)
        #expect(server.last?.value(forHTTPHeaderField: "X-App-Token") == "Bearer app")
        #expect(server.last?.value(forHTTPHeaderField: "Authorization") == "Bearer a")
    }

    private func credentials(of account: String) -> MemoryCredentials {
        MemoryCredentials(
            for: ServerEnvironment.example, AccessToken(.bearer(account), account: account)
        ) { $0 }
    }

    /// A transport of a user's, which the cache can't look through.
    struct Own: Transport {
        let base: any Transport

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            try await base.send(request)
        }
    }

    @Test("A response to a token that a transport of one's own hides isn't stored")
    func hidden() async throws {
        let tokens = MemoryCredentials(
            for: ServerEnvironment.example, AccessToken(.bearer("a"), account: "a")
        ) { $0 }
        let cache = TestCache(around: { Own(base: $0.authorized(by: tokens)) })
        cache.server.set(200, ["Cache-Control": "max-age=60"], "a")
        try await cache.load()
        tokens.signOut()
        #expect(try await cache.load().source == .server)
    }
}
