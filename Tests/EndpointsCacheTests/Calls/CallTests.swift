import Endpoints
import EndpointsCache
import EndpointsMiddleware
import EndpointsStreams
import Foundation
import Testing

@Suite("Typed calls")
struct CallTests {
    let server = OriginServer()
    let api: EndpointClient<ServerEnvironment>

    init() {
        api = EndpointClient(
            server.cached(in: .memory(megabytes: 1)).coalesced().retrying().limited(perOrigin: 9)
                .paced().logged { _ in }, in: .example)
        server.set(200, ["Cache-Control": "max-age=600"], "old")
    }

    private func load(_ policy: CachePolicy) async throws -> String {
        let response = try await api.response(to: GetItem(), cachePolicy: policy)
        return "\(response.value) \(response.source)"
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let policy: CachePolicy
        let name: String
        /// The directives of what is stored; `nil` for nothing. It was stored 15 seconds ago.
        let stored: String?
        let came: String?
        var testDescription: String { "\(name), \(stored ?? "nothing")" }
    }

    static let rows: [Row] = [
        Row(policy: .standard, name: "standard", stored: nil, came: "new server"),
        Row(policy: .standard, name: "standard", stored: "max-age=60", came: "old cache"),
        Row(policy: .standard, name: "standard", stored: "max-age=0", came: "new server"),
        Row(policy: .reload, name: "reload", stored: "max-age=60", came: "new server"),
        Row(policy: .reload, name: "reload", stored: "max-age=60, immutable", came: "new server"),
        Row(policy: .storedOnly, name: "storedOnly", stored: nil, came: nil),
        Row(policy: .storedOnly, name: "storedOnly", stored: "max-age=0", came: "old cache"),
        Row(policy: .storedOnly, name: "storedOnly", stored: "no-cache", came: nil),
        Row(
            policy: .storedOnly, name: "storedOnly", stored: "max-age=0, must-revalidate",
            came: nil),
        Row(policy: .storedOrLoad, name: "storedOrLoad", stored: nil, came: "new server"),
        Row(policy: .storedOrLoad, name: "storedOrLoad", stored: "max-age=0", came: "old cache"),
        Row(
            policy: .storedOrLoad, name: "storedOrLoad", stored: "no-cache", came: "new server"),
    ]

    @Test("A call's policy says what is used", arguments: rows)
    func policies(_ row: Row) async throws {
        if let stored = row.stored {
            server.set(200, ["Cache-Control": stored], "old")
            _ = try await api(GetItem())
        }
        server.set(200, [:], "new")
        let count = server.count
        do {
            #expect(try await load(row.policy) == row.came)
        } catch GetItem.TaskError.transportError(let error) {
            #expect(row.came == nil && error.cause is NotStoredError)
        }
        #expect(server.count == count + (row.came == "new server" ? 1 : 0))
    }

    @Test("A reload asks the caches on the way as well, and stores its response")
    func reload() async throws {
        _ = try await api(GetItem())
        server.set(200, ["Cache-Control": "max-age=600"], "new")
        #expect(try await load(.reload) == "new server")
        #expect(server.last?.value(forHTTPHeaderField: "Cache-Control") == "no-cache")
        #expect(try await load(.standard) == "new cache")
    }

    @Test("`stored` gives what is stored, and sends nothing")
    func stored() async throws {
        #expect(try await api.stored(GetItem()) == nil)
        _ = try await api(GetItem())
        #expect(try await api.stored(GetItem())?.value == "old")
        #expect(try await api.stored(GetItem(id: 2)) == nil)
        #expect(server.count == 1)
    }

    @Test("`forget` drops a request, or all of a type")
    func forget() async throws {
        for id in 1...3 { _ = try await api(GetItem(id: id)) }
        try await api.forget(GetItem(id: 1))
        #expect(try await api.stored(GetItem(id: 1)) == nil)
        #expect(try await api.stored(GetItem(id: 2)) != nil)
        try await api.forget(Watch.self)
        #expect(try await api.stored(GetItem(id: 2)) != nil)
        try await api.forget(GetItem.self)
        #expect(try await api.stored(GetItem(id: 2)) == nil)
        #expect(try await api.stored(GetItem(id: 3)) == nil)
    }

    @Test("`updates` gives what is stored, and then what the server says")
    func updates() async throws {
        server.set(200, ["ETag": "\"1\""], "old")
        var values: [String] = []
        for try await item in api.updates(of: GetItem()) {
            values.append("\(item.value) \(item.source)")
        }
        server.set(304, [:], "")
        for try await item in api.updates(of: GetItem()) {
            values.append("\(item.value) \(item.source)")
        }
        server.set(200, [:], "new")
        for try await item in api.updates(of: GetItem()) {
            values.append("\(item.value) \(item.source)")
        }
        #expect(
            values == [
                "old server", "old cache", "old validatedCache", "old cache", "new server",
            ])
    }

    @Test("`updates` throws the server's error after what is stored")
    func failedUpdates() async throws {
        _ = try await api(GetItem())
        server.fail(.badServerResponse)
        var updates = api.updates(of: GetItem()).makeAsyncIterator()
        #expect(try await updates.next()?.value == "old")
        await #expect(throws: GetItem.TaskError.self) { try await updates.next() }
        #expect(try await updates.next() == nil)
    }

    struct Watch: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "watch")
        typealias Response = Lines
    }

    @Test("Without a cache, and for a stream, a call says what to do")
    func refused() async throws {
        let bare = EndpointClient(server, in: .example)
        let error = await #expect(throws: EndpointError.self) {
            try await bare.forget(GetItem.self)
        }
        #expect(
            error?.description == """
                GetItem: the response can't be stored: the client's transport has no cache that can \
                be found; write `.cached(in:)` around it, or around a transport of your own
                """)
        do {
            _ = try await bare.stored(GetItem())
            Issue.record("nothing was thrown")
        } catch { #expect("\(error)".contains("has no cache")) }
        do {
            _ = try await api.response(to: Watch(), cachePolicy: .storedOnly)
            Issue.record("nothing was thrown")
        } catch { #expect("\(error)".contains("is a stream, which no cache stores")) }
        #expect(server.count == 0)
    }

    @Test("A folder that can't be made is an error that names it")
    func noFolder() async throws {
        let folder = URL(fileURLWithPath: "/dev/null/cache")
        let api = EndpointClient(
            server.cached(in: .disk(folder, megabytes: 1)), in: .example)
        do {
            _ = try await api(GetItem())
            Issue.record("nothing was thrown")
        } catch {
            #expect("\(error)".contains("can't be stored in /dev/null/cache"))
        }
    }
}
