import EndpointsTesting
import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsMiddleware

@Suite("The origins of a sign-in, and who shares it", .timeLimit(.minutes(5)))
struct SignInOriginTests {
    static let api = "https://api.example.com/v1/items"
    static let uploads = "https://uploads.example.net/items"

    /// Accepts each token but the first one, and keeps the URLs and the tokens.
    private func server(_ sent: Journal<String>, _ gate: Gate? = nil) -> ClosureTransport {
        ClosureTransport { request in
            let header = request.urlRequest.value(forHTTPHeaderField: "Authorization") ?? "none"
            let address = request.urlRequest.url?.absoluteString ?? ""
            sent.add("\(address) \(header)")
            if header == "Bearer t0" { await gate?.pass() }
            return try .stub(header == "Bearer t0" ? 401 : 200, at: address)
        }
    }

    private func tokens(
        _ refreshes: Journal<Void>, trusting urls: [URL] = []
    ) -> MemoryCredentials {
        MemoryCredentials(
            for: ServerEnvironment.production, trusting: urls, AccessToken(.bearer("t0"))
        ) { _ in AccessToken(.bearer("t\(refreshes.add(()))")) }
    }

    @Test("Several origins share one sign-in and one refresh, and other origins get no token")
    func trusted() async throws {
        let (sent, refreshes, gate) = (Journal<String>(), Journal<Void>(), Gate())
        let tokens = tokens(refreshes, trusting: [url("https://uploads.example.net:443")])
        let transport = server(sent, gate).authorized(by: tokens)
        let requests = try [Self.api, Self.uploads].map { try Item.request("POST", at: $0) }
        let tasks = requests.map { request in
            Task { try await transport.send(request).httpResponse.statusCode }
        }
        await gate.wait(for: 2)
        gate.open()
        for task in tasks { #expect(try await task.value == 200) }
        #expect(refreshes.entries.count == 1)
        _ = try await transport.send(try Item.request(at: "https://other.example.net/"))
        #expect(sent.entries.last == "https://other.example.net/ none")
        #expect(sent.entries.filter { $0.hasSuffix("Bearer t1") }.count == 2)
    }

    @Test("A 401 after a redirect to another origin of the sign-in doesn't refresh the token")
    func redirected() async throws {
        let refreshes = Journal<Void>()
        let tokens = tokens(refreshes, trusting: [url(Self.uploads)])
        let stub = ClosureTransport { _ in try .stub(401, at: Self.uploads) }
        let response = try await stub.authorized(by: tokens).send(try Item.request())
        #expect(response.httpResponse.statusCode == 401)
        #expect(refreshes.entries.isEmpty)
    }

    @Test("Two transports with the same credentials in memory share one refresh")
    func twoTransports() async throws {
        let (sent, refreshes, gate) = (Journal<String>(), Journal<Void>(), Gate())
        let tokens = MemoryCredentials(
            for: ServerEnvironment.production, AccessToken(.bearer("t0"))
        ) { _ in
            refreshes.add(())
            await gate.pass()
            return AccessToken(.bearer("t1"))
        }
        let tasks = (0..<2).map { _ in
            let transport = server(sent).authorized(by: tokens)
            return Task { try await transport.send(Item.request()).httpResponse.statusCode }
        }
        await waiting(2, for: tokens)
        gate.open()
        for task in tasks { #expect(try await task.value == 200) }
        #expect(refreshes.entries.count == 1)
    }

    /// Returns when this many requests wait for a refresh.
    private func waiting(_ count: Int, for tokens: MemoryCredentials) async {
        while tokens.refreshes.withLock({ $0.waiters.count }) < count { await Task.yield() }
    }

    @Test("A task that a refresh has started is no part of it when the refresh has ended")
    func lateTask() async throws {
        let (sent, gate, events) = (Journal<String>(), Gate(), Journal<String>())
        let late = Guarded<Task<Void, any Error>?>(nil)
        let row = Guarded<(any Transport)?>(nil)
        let tokens = MemoryCredentials(
            for: ServerEnvironment.production, AccessToken(.bearer("t0"))
        ) { _ in
            let task = Task {
                await gate.pass()
                _ = try await row.withLock { $0 }?.send(try Item.request("PUT"))
                events.add("late")
            }
            late.withLock { $0 = task }
            return AccessToken(.bearer("t1"))
        }
        let server = server(sent)
        let stub = ClosureTransport { request in
            let response = try await server.send(request)
            guard request.urlRequest.httpMethod == "GET" else { return response }
            return TransportResponse(body: ResponseBody { nil }, response.httpResponse)
        }
        let transport = stub.authorized(by: tokens).limited(perOrigin: 1)
        row.withLock { $0 = transport }
        // The body isn't read, so it keeps the only slot.
        var response: TransportResponse? = try await transport.send(try Item.request())
        gate.open()
        for _ in 0..<100 { await Task.yield() }
        events.add("\(response?.httpResponse.statusCode ?? 0)")
        response = nil
        try await late.withLock { $0 }?.value
        #expect(events.entries == ["200", "late"])
        #expect(sent.entries.last == "\(Self.api) Bearer t1")
        row.withLock { $0 = nil }
    }

    @Test("A cancelled request is forgotten by the refresh that it has waited for")
    func cancelled() async throws {
        let (sent, gate) = (Journal<String>(), Gate())
        let tokens = MemoryCredentials(
            for: ServerEnvironment.production, AccessToken(.bearer("t0"))
        ) { _ in
            await gate.pass()
            return AccessToken(.bearer("t1"))
        }
        let transport = server(sent).authorized(by: tokens)
        let request = try Item.request()
        let tasks = (0..<5).map { _ in Task { try await transport.send(request) } }
        await waiting(5, for: tokens)
        for task in tasks[1...] {
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(tokens.refreshes.withLock { $0.waiters.count } == 1)
        gate.open()
        #expect(try await tasks[0].value.httpResponse.statusCode == 200)
    }

    /// An environment that sends a key of its own.
    struct GetItem: RequestType {
        static let endpoint = Endpoint<GetItem>(method: .get, path: "items")
        typealias Response = Void
    }

    @Test(
        "A 401 to a request that had the header already says so in the error",
        arguments: [true, false])
    func ownHeader(isRefused: Bool) async throws {
        let environment = ServerEnvironment(
            baseUrl: url("https://api.example.com"), headers: ["Authorization": "Key x"])
        let stub = ClosureTransport { _ in try .stub(isRefused ? 401 : 403) }
        let transport = stub.authorized(by: tokens(Journal()))
        let error = await #expect(throws: GetItem.TaskError.self) {
            try await transport.response(in: environment, with: GetItem())
        }
        let hint = """
            the request or its environment had set Authorization, so `authorized(by:)` added no \
            token; remove that header if the token shall be sent
            """
        #expect(error.map { $0.debugDescription.hasSuffix("; \(hint)") } == isRefused)
    }

    @Test(
        "A 401 to a request that got no token says why",
        arguments: [
            ("https://api.example.com", true, "nobody is signed in"),
            ("https://www.example.com", false, "scheme, host and port must be the same"),
        ])
    func noToken(address: String, isSignedOut: Bool, hint: String) async throws {
        let source = MemoryCredentials(
            for: ServerEnvironment(baseUrl: url(address)),
            isSignedOut ? nil : AccessToken(.bearer("t"))
        ) { $0 }
        let transport = ClosureTransport { _ in try .stub(401) }.authorized(by: source)
        let environment = ServerEnvironment(baseUrl: url("https://api.example.com"))
        let error = await #expect(throws: GetItem.TaskError.self) {
            try await transport.response(in: environment, with: GetItem())
        }
        #expect(error?.debugDescription.hasSuffix(hint) == true)
    }
}
