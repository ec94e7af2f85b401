import Endpoints
import EndpointsMiddleware
import EndpointsShared
import Foundation
import Testing

@testable import EndpointsDurable

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct CreateNote: FlatRequest, OutboxRequest {
    struct Body: Codable, Equatable { var text: String }

    var note: String?
    var body: Body
    var outboxKey: String? { note }

    init(_ text: String, of note: String? = nil) {
        body = Body(text: text)
        self.note = note
    }

    static let endpoint = Endpoint<Self>(method: .post, path: "notes")
    typealias Response = Void
}

struct DeleteNote: FlatRequest, OutboxRequest {
    let note: String
    var outboxKey: String? { note }
    static let endpoint = Endpoint<Self>(method: .delete, path: "notes/\(path: \.note)")
    typealias Response = Void
}

struct Created: Codable, Equatable, Sendable { let id: Int }

struct AddTag: FlatRequest, OutboxRequest {
    struct Body: Codable { let name: String }
    let body: Body
    var outboxKey: String? { nil }
    static let endpoint = Endpoint<Self>(method: .post, path: "tags")
    typealias Response = Created
}

struct TagNote: FlatRequest, OutboxRequest {
    let own: String
    var outboxKey: String? { nil }
    static let endpoint = Endpoint<Self>(
        method: .post, path: "tagged", headers: [.idempotencyKey: .field(path: \.own)])
    typealias Response = Void
}

/// A folder that is removed with the test.
final class TestFolder: Sendable {
    let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("outbox-\(UUID().uuidString)")

    var journal: URL { url.appendingPathComponent(OutboxJournal.name) }

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// A server that notes what it gets, and responds as a test says.
final class NoteServer: Transport {
    struct Got: Equatable, Sendable {
        var text: String
        var key: String
        var account = ""
    }

    private let state = Locked<[Got]>([])
    private let respond: Locked<@Sendable (String) async throws -> (Int, [String: String])>

    init(_ respond: @escaping @Sendable (String) async throws -> (Int, [String: String])) {
        self.respond = Locked(respond)
    }

    convenience init(_ status: Int = 204, _ headers: [String: String] = [:]) {
        self.init { _ in (status, headers) }
    }

    var got: [Got] { state.withLock { $0 } }
    var texts: [String] { got.map(\.text) }

    func on(_ respond: @escaping @Sendable (String) async throws -> (Int, [String: String])) {
        self.respond.withLock { $0 = respond }
    }

    func on(_ status: Int, _ headers: [String: String] = [:]) { on { _ in (status, headers) } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let url = try #require(request.urlRequest.url)
        let body = request.urlRequest.httpBody.flatMap {
            try? JSONDecoder().decode([String: String].self, from: $0)
        }
        var text = body?.values.first ?? url.lastPathComponent
        if let upload = request.upload {
            var bytes = Data()
            for try await chunk in try upload.chunks() { bytes.append(chunk) }
            text = String(decoding: bytes, as: UTF8.self)
        }
        let headers = request.urlRequest.allHTTPHeaderFields ?? [:]
        let got = Got(
            text: text, key: headers["Idempotency-Key"] ?? "",
            account: headers["Authorization"] ?? "")
        state.withLock { $0.append(got) }
        let (status, fields) = try await respond.withLock { $0 }(got.text)
        let head = try #require(
            HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields))
        let json =
            switch status {
            case 201: #"{"id":7}"#
            case 400: #"{"error":"invalid_grant"}"#
            case 422: #"{"reason":"too short"}"#
            default: ""
            }
        return TransportResponse(Data(json.utf8), head)
    }
}

/// A clock that a test sets, and whose sleepers it wakes.
final class TestClock: Sendable {
    private struct State {
        var now: TimeInterval = 1000
        var sleepers: [(end: TimeInterval, waiter: Waiter<Void>)] = []
    }

    private let state = Locked(State())

    var clock: TransportClock {
        TransportClock(
            date: { Date(timeIntervalSince1970: self.state.withLock(\.now)) },
            uptime: { self.state.withLock(\.now) },
            sleep: { try await self.sleep($0) },
            random: { 1 })
    }

    private func sleep(_ seconds: TimeInterval) async throws {
        guard seconds > 0 else { return }
        let waiter = Waiter<Void>()
        state.withLock { $0.sleepers.append(($0.now + seconds, waiter)) }
        try await waiter.value()
    }

    func advance(by seconds: TimeInterval) {
        let due = state.withLock { state in
            state.now += seconds
            let now = state.now
            defer { state.sleepers.removeAll { $0.end <= now } }
            return state.sleepers.filter { $0.end <= now }
        }
        for (_, waiter) in due { waiter.resume(with: .success(())) }
    }
}

/// An outbox, its server, its folder and its clock.
struct Box {
    var folder = TestFolder()
    var server = NoteServer()
    var clock = TestClock()

    static let environment = ServerEnvironment(
        baseUrl: URL(string: "https://api.example.com") ?? URL(fileURLWithPath: "/"))
    static let types: [OutboxType<ServerEnvironment>] = [
        .type(CreateNote.self), .type(DeleteNote.self), .type(AddTag.self), .type(TagNote.self),
    ]

    /// Opens the outbox, as each process does.
    func open(
        _ types: [OutboxType<ServerEnvironment>] = Box.types,
        policy: OutboxPolicy = OutboxPolicy(), by tokens: MemoryCredentials? = nil,
        migrating: (@Sendable (OutboxStored) throws -> (any OutboxRequest)?)? = nil
    ) throws -> Outbox {
        let client =
            if let tokens {
                EndpointClient(server.authorized(by: tokens), in: Self.environment)
            } else {
                EndpointClient(server, in: Self.environment)
            }
        return try Outbox(
            in: folder.url, sending: client, requests: types, policy: policy,
            migrating: migrating, clock: clock.clock)
    }
}

extension Box {
    /// Credentials with which an account is signed in.
    static func tokens(_ account: String?) -> MemoryCredentials {
        MemoryCredentials(for: environment, account.map(token)) { $0 }
    }

    static func token(_ account: String) -> AccessToken {
        AccessToken(.bearer("t0k3n-\(account)"), account: account)
    }
}
