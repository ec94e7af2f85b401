import Endpoints
import EndpointsCache
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Where calls meet several layers.
@Suite("Calls through several layers")
struct MeetingTests {
    let server = OriginServer()

    struct Save: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .post, path: "items/1")
        typealias Response = WithHTTPResponse<String>
    }

    struct GetPart: FlatRequest {
        static let endpoint = Endpoint<Self>(
            method: .get, path: "items/1", headers: [.range: .fieldValue(value: "bytes=0-1")])
        typealias Response = WithHTTPResponse<String>
    }

    @Test("With `.storedOnly`, no request is sent, also none of which nothing is ever stored")
    func storedOnly() async throws {
        server.set()
        let api = EndpointClient(server.cached(in: .memory(megabytes: 1)), in: .example)
        await #expect(throws: Save.TaskError.self) {
            try await api.response(to: Save(), cachePolicy: .storedOnly)
        }
        await #expect(throws: GetPart.TaskError.self) {
            try await api.response(to: GetPart(), cachePolicy: .storedOnly)
        }
        #expect(server.count == 0)
    }

    @Test("`forget`, `stored` and `.storedOnly` reach each of several caches")
    func twoCaches() async throws {
        server.set(200, ["Cache-Control": "max-age=60"], "old")
        let inner = CacheStorage.memory(megabytes: 1)
        let first = EndpointClient(server.cached(in: inner), in: .example)
        let api = EndpointClient(
            server.cached(in: inner).cached(in: .memory(megabytes: 1)), in: .example)
        _ = try await first(GetItem())
        #expect(try await api.stored(GetItem())?.value == "old")
        let item = try await api.response(to: GetItem(), cachePolicy: .storedOnly)
        #expect(item.value == "old" && server.count == 1)
        server.set(200, ["Cache-Control": "max-age=60"], "new")
        try await api.forget(GetItem())
        #expect(try await api(GetItem()).value == "new")
        server.set(200, ["Cache-Control": "max-age=60"], "newer")
        try await api.forget(GetItem.self)
        #expect(try await api(GetItem()).value == "newer")
    }

    @Test("Callers that share a validation all get what is stored, by one request")
    func sharedValidation() async throws {
        let tokens = MemoryCredentials(
            for: ServerEnvironment.example, AccessToken(.bearer("a"), account: "a")
        ) { $0 }
        let api = EndpointClient(
            server.authorized(by: tokens).coalesced().cached(in: .memory(megabytes: 1)),
            in: .example)
        server.set(200, ["ETag": "\"1\"", "Cache-Control": "max-age=0"], "a")
        _ = try await api(GetItem())
        let (arrived, mayRespond) = (AsyncStream.makeStream(of: Void.self), Locked(false))
        server.during.withLock {
            $0 = { _ in
                arrived.continuation.yield()
                while !mayRespond.withLock({ $0 }) { await Task.yield() }
            }
        }
        server.set(304, ["ETag": "\"1\""], "")
        let tasks = (0..<8).map { _ in Task { try await api(GetItem()).source } }
        for await _ in arrived.stream { break }
        for _ in 0..<1000 { await Task.yield() }
        mayRespond.withLock { $0 = true }
        for task in tasks { #expect(try await task.value == .validatedCache) }
        #expect(server.count == 2)
    }

    /// A source whose token takes 3 seconds.
    struct SlowSource: CredentialSource {
        let baseUrl = ServerEnvironment.example.baseUrl
        let now: Locked<TimeInterval>

        func token() -> AccessToken? {
            now.withLock { $0 += 3 }
            return AccessToken(.bearer("a"), account: "a")
        }

        func refresh(after refused: AccessToken) -> AccessToken { refused }
    }

    @Test("A call's time limit is also for asking the sign-in whose the stored response is")
    func timeLimit() async throws {
        let now = Locked<TimeInterval>(0)
        let clock = TransportClock(
            date: { Date() }, uptime: { now.withLock { $0 } },
            sleep: { _ in try await Task.sleep(nanoseconds: 1 << 60) }, random: { 1 })
        let limit = Locked<TimeInterval?>(nil)
        server.set()
        server.during.withLock { $0 = { call in limit.withLock { $0 = call.policy.timeLimit } } }
        let transport = server.authorized(by: SlowSource(now: now), clock: clock)
            .cached(in: .memory(megabytes: 1), clock: clock)
        _ = try await transport.send(
            TransportRequest(
                GetItem().urlRequest(in: .example), policy: LoadPolicy(timeLimit: 10),
                requestType: GetItem.self))
        #expect(limit.withLock { $0 } == 4)
    }

    @Test("The head in an error says where its response came from")
    func errorSource() async throws {
        server.set(404, ["Cache-Control": "max-age=60"], "gone")
        let api = EndpointClient(server.cached(in: .memory(megabytes: 1)), in: .example)
        for source in [ResponseSource.server, .cache] {
            do throws(GetItem.TaskError) {
                _ = try await api(GetItem())
                Issue.record("nothing was thrown")
            } catch {
                guard case .errorResponse(let head, _) = error
                else { throw error }
                #expect(head.source == source)
            }
        }
    }

    /// A request whose `URLRequest` has a cache policy.
    struct GetPrepared: FlatRequest {
        var policy = URLRequest.CachePolicy.useProtocolCachePolicy
        static let endpoint = Endpoint<Self>(method: .get, path: "items/1")
        typealias Response = WithHTTPResponse<String>

        func prepare(_ urlRequest: inout URLRequest) { urlRequest.cachePolicy = policy }
    }

    struct PolicyRow: Sendable {
        let policy: URLRequest.CachePolicy
        /// What comes if nothing is stored, if it is fresh, and if it is stale.
        let came: [ResponseSource?]
    }

    @Test(
        "The policy of a `URLRequest` is heeded",
        arguments: [
            PolicyRow(policy: .useProtocolCachePolicy, came: [.server, .cache, .server]),
            PolicyRow(policy: .reloadIgnoringLocalCacheData, came: [.server, .server, .server]),
            PolicyRow(policy: .returnCacheDataElseLoad, came: [.server, .cache, .cache]),
            PolicyRow(policy: .returnCacheDataDontLoad, came: [nil, .cache, .cache]),
        ])
    func urlRequestPolicy(_ row: PolicyRow) async throws {
        for (stored, came) in zip([nil, "max-age=60", "max-age=0"], row.came) {
            let api = EndpointClient(server.cached(in: .memory(megabytes: 1)), in: .example)
            server.set(200, ["Cache-Control": stored ?? ""])
            if stored != nil { _ = try await api(GetItem()) }
            let response = try? await api(GetPrepared(policy: row.policy))
            #expect(response?.source == came, "\(stored ?? "nothing")")
        }
    }
}
