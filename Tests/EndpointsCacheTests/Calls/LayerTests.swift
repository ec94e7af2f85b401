import Endpoints
import EndpointsCache
import EndpointsMiddleware
import EndpointsShared
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Where a stored response meets the middleware around the cache.
@Suite("Stored responses and middleware")
struct LayerTests {
    /// A clock that a test moves, and that a wait moves.
    private final class Time: Sendable {
        private let seconds = Locked(0.0)
        let waits = Locked<[TimeInterval]>([])

        var clock: TransportClock {
            TransportClock(
                date: { self.date }, uptime: { self.seconds.withLock { $0 } },
                sleep: { wait in
                    self.waits.withLock { $0.append(wait) }
                    self.pass(wait)
                }, random: { 1 })
        }
        private var date: Date {
            Date(timeIntervalSince1970: 1_700_000_000 + seconds.withLock { $0 })
        }
        func pass(_ wait: TimeInterval) { seconds.withLock { $0 += wait } }
    }

    static let limits: [[String: String]] = [
        ["RateLimit": "\"a\";r=0;t=30"],
        ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"],
        ["RateLimit-Remaining": "0", "RateLimit-Reset": "30"],
    ]

    @Test("What a stored response says of the rate limit lets no request wait", arguments: limits)
    func storedLimit(_ limit: [String: String]) async throws {
        let (time, server) = (Time(), RedirectingServer())
        let transport = server.cached(in: .memory(megabytes: 1), clock: time.clock)
            .paced(clock: time.clock)
        server.set("/a", 200, limit.merging(["Cache-Control": "max-age=600"]) { $1 })
        _ = try await transport.text("GET", "/a")
        time.pass(31)
        #expect(try await transport.text("GET", "/a") == "a cache")
        _ = try await transport.text("GET", "/b")
        #expect(time.waits.withLock { $0 } == [])
    }

    @Test("A response from the store doesn't count as one of the requests that a server allows")
    func storedCount() async throws {
        let (time, server) = (Time(), RedirectingServer())
        let transport = server.cached(in: .memory(megabytes: 1), clock: time.clock)
            .paced(clock: time.clock)
        server.set("/a", 200, ["RateLimit": "\"a\";r=2;t=30", "Cache-Control": "max-age=600"])
        for _ in 0..<5 { _ = try await transport.text("GET", "/a") }
        _ = try await transport.text("GET", "/b")
        #expect(time.waits.withLock { $0 } == [])
        #expect(server.asked.count == 2)
    }

    @Test("After a 304, only what that says of the rate limit counts", arguments: [true, false])
    func validatedLimit(is304Limited: Bool) async throws {
        let (time, server) = (Time(), RedirectingServer())
        let transport = server.cached(in: .memory(megabytes: 1), clock: time.clock)
            .paced(clock: time.clock)
        let limit = ["RateLimit": "\"a\";r=0;t=30"]
        let fields = ["Cache-Control": "max-age=0", "ETag": "\"1\""]
        server.set("/a", 200, fields.merging(is304Limited ? [:] : limit) { $1 })
        _ = try await transport.text("GET", "/a")
        time.pass(31)
        server.set(
            "/a", .init(fields: fields.merging(is304Limited ? limit : [:]) { $1 }, tag: "\"1\""))
        #expect(try await transport.text("GET", "/a") == "a validatedCache")
        _ = try await transport.text("GET", "/b")
        #expect(time.waits.withLock { $0 } == (is304Limited ? [30] : []))
    }

    @Test("A failure that is stored isn't tried again", arguments: [502, 503])
    func storedFailure(status: Int) async throws {
        let (time, server) = (Time(), RedirectingServer())
        let transport = server.cached(in: .memory(megabytes: 1), clock: time.clock)
            .retrying(RetryPolicy(attempts: 1), clock: time.clock)
        server.set("/a", status, ["Cache-Control": "max-age=600", "Retry-After": "5"])
        _ = try await transport.text("GET", "/a")
        let retrying = server.cached(in: .memory(megabytes: 1), clock: time.clock)
            .retrying(RetryPolicy(attempts: 3), clock: time.clock)
        #expect(try await retrying.text("GET", "/a") == "a cache")
        #expect(server.asked.count == 2)
    }

    // MARK: Stale responses after a loss of the server

    /// A server that never responds once it is lost.
    private struct Losing: Transport {
        let server: RedirectingServer
        let isLost = Locked(false)

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            if isLost.withLock({ $0 }) { try await Task.sleep(nanoseconds: 1 << 60) }
            return try await server.send(request)
        }
    }

    enum Outside: CaseIterable {
        case coalesced, limited, coalescedAndLimited, retryingInside
    }

    @Test(
        "A call whose time is over in a layer outside of the cache gets the stale response",
        arguments: Outside.allCases)
    func timedOut(_ outside: Outside) async throws {
        let server = Losing(server: RedirectingServer())
        server.server.set("/a", 200, ["Cache-Control": "max-age=0, stale-if-error=60"], "stale")
        server.server.set("/b", 200, ["Cache-Control": "max-age=0"], "b")
        let storage = CacheStorage.memory(megabytes: 1)
        let transport: any Transport =
            switch outside {
            case .coalesced: server.cached(in: storage).coalesced()
            case .limited: server.cached(in: storage).limited(perOrigin: 1)
            case .coalescedAndLimited:
                server.cached(in: storage).limited(perOrigin: 1).coalesced()
            case .retryingInside: server.retrying().cached(in: storage).coalesced()
            }
        for url in ["/a", "/b"] { _ = try await transport.text("GET", url) }
        server.isLost.withLock { $0 = true }
        // Takes the slot of `limited`.
        let other = Task { try await transport.text("GET", "/c") }
        await Task.yield()
        let policy = LoadPolicy(timeLimit: 0.05)
        #expect(try await transport.text("GET", "/a", policy: policy) == "stale cache")
        await #expect(throws: URLError.self) {
            try await transport.text("GET", "/b", policy: policy)
        }
        other.cancel()
        _ = try? await other.value
    }

    @Test("A call that is cancelled in a layer outside of the cache gets no stale response")
    func cancelled() async throws {
        let server = Losing(server: RedirectingServer())
        server.server.set("/a", 200, ["Cache-Control": "max-age=0, stale-if-error=60"], "stale")
        let transport = server.cached(in: .memory(megabytes: 1)).coalesced()
        _ = try await transport.text("GET", "/a")
        server.isLost.withLock { $0 = true }
        let task = Task { try await transport.text("GET", "/a") }
        for _ in 0..<100 { await Task.yield() }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
    }

    struct Refresh: Sendable, CustomTestStringConvertible {
        let error: any Error
        let isLoss: Bool
        var testDescription: String { "\(error)" }
    }

    struct Revoked: Error {}

    static let refreshes: [Refresh] = [
        Refresh(error: URLError(.notConnectedToInternet), isLoss: true),
        Refresh(error: URLError(.timedOut), isLoss: true),
        Refresh(
            error: NSError(
                domain: NSURLErrorDomain, code: URLError.Code.cannotFindHost.rawValue),
            isLoss: true),
        Refresh(
            error: GetItem.TaskError.internetConnectionOffline(URLError(.notConnectedToInternet)),
            isLoss: true),
        Refresh(error: URLError(.serverCertificateUntrusted), isLoss: false),
        Refresh(error: Revoked(), isLoss: false),
        Refresh(error: SignInError(), isLoss: false),
    ]

    @Test(
        "A refresh that fails for lack of a network is a lost network, on either side of a cache",
        arguments: refreshes, AccountTests.Order.allCases)
    func refresh(_ row: Refresh, _ order: AccountTests.Order) async throws {
        let server = RedirectingServer()
        let time = Time()
        let tokens = MemoryCredentials(
            for: ServerEnvironment.example,
            AccessToken(.bearer("a"), expires: Date(timeIntervalSince1970: 1_700_000_060))
        ) { _ in throw row.error }
        let storage = CacheStorage.memory(megabytes: 1)
        let transport: any Transport =
            order == .signInInside
            ? server.authorized(by: tokens, clock: time.clock)
                .retrying(clock: time.clock).cached(in: storage, clock: time.clock)
            : server.cached(in: storage, clock: time.clock)
                .authorized(by: tokens, clock: time.clock)
        server.set("/a", 200, ["Cache-Control": "max-age=0, stale-if-error=600"], "stale")
        server.set("/b", 200, ["Cache-Control": "max-age=0"], "b")
        for url in ["/a", "/b"] { _ = try await transport.text("GET", url) }
        time.pass(61)
        if row.isLoss {
            #expect(try await transport.text("GET", "/a") == "stale cache")
        } else {
            await #expect(throws: SignInError.self) { try await transport.text("GET", "/a") }
        }
        await #expect(throws: SignInError.self) { try await transport.text("GET", "/b") }
        await #expect(throws: SignInError.self) { try await transport.text("GET", "/c") }
        #expect(server.asked.count == 2)
    }

    @Test("Nobody's stale response isn't given out for an account, nor another account's")
    func othersStale() async throws {
        let server = RedirectingServer()
        let time = Time()
        let tokens = MemoryCredentials(for: ServerEnvironment.example) { _ in
            throw URLError(.notConnectedToInternet)
        }
        let transport = server.cached(in: .memory(megabytes: 1), clock: time.clock)
            .authorized(by: tokens, clock: time.clock)
        server.set("/a", 200, ["Cache-Control": "max-age=0, stale-if-error=600"], "nobody's")
        _ = try await transport.text("GET", "/a")
        tokens.signIn(
            AccessToken(.bearer("a"), expires: Date(timeIntervalSince1970: 1_600_000_000)))
        await #expect(throws: SignInError.self) { try await transport.text("GET", "/a") }
    }
}
