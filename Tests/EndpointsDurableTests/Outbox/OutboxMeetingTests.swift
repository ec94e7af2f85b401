import Endpoints
import EndpointsAuth
import EndpointsCache
import EndpointsMiddleware
import Foundation
import Testing

@testable import EndpointsDurable

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An outbox whose requests pass through several layers.
@Suite("Outbox: meetings")
struct OutboxMeetingTests {
    struct SetTitle: FlatRequest, OutboxRequest {
        struct Body: Codable { let title: String }
        let body: Body
        var outboxKey: String? { "note" }
        static let endpoint = Endpoint<Self>(method: .put, path: "title")
        static let loadPolicy = LoadPolicy(timeLimit: 60)
        typealias Response = Void
    }

    /// Signs for the one who is signed in.
    struct UserSigner: RequestSigner {
        let user: Locked<String>
        /// Who signs in before the next signature.
        let next: Locked<String?>

        func account() -> String { user.withLock(\.self) }

        func sign(_ request: inout TransportRequest, at date: Date) {
            if let name = next.withLock({ $0.take() }) { user.withLock { $0 = name } }
            request.urlRequest.setValue(account(), forHTTPHeaderField: "X-Signature")
        }
    }

    @Test("A request isn't sent with the signature of another account that signs in meanwhile")
    func swapped() async throws {
        let (server, folder) = (EffectServer(), TestFolder())
        server.round.withLock { $0 = .accepted }
        let signer = UserSigner(user: Locked("ann"), next: Locked("ben"))
        let outbox = try open(folder, server.signed(by: signer).retrying())
        try await outbox.send(SetTitle(body: .init(title: "1")))
        #expect(try await outbox.sendAll() == 1)
        #expect(server.got.isEmpty)
        #expect(outbox.currentEntries.map(\.state) == [.waitingForAccount])
        signer.user.withLock { $0 = "ann" }
        #expect(try await outbox.sendAll() == 0)
        #expect(server.got.map(\.signature) == ["ann"])
    }

    @Test(
        "Through each pair of layers, a request has one effect, one key and ever new signatures",
        arguments: Layering.pairs)
    func pair(_ layering: Layering) async throws {
        let server = EffectServer()
        let folder = TestFolder()
        let ids = Locked<[UUID]>([])
        // Each round is a process of its own.
        for round in EffectServer.Round.allCases {
            server.round.withLock { $0 = round }
            let outbox = try open(folder, layering.around(server))
            if round == .lost {
                for title in ["1", "2"] {
                    let id = try await outbox.send(SetTitle(body: .init(title: title)))
                    ids.withLock { $0.append(id) }
                }
            }
            #expect(outbox.currentEntries.map(\.id) == ids.withLock(\.self))
            #expect(try await outbox.sendAll() == (round == .accepted ? 0 : 2))
        }
        let got = server.got
        let keys = ids.withLock { $0.map(\.uuidString) }
        #expect(got.map(\.key).filter { !keys.contains($0) } == [])
        #expect(server.effects == ["1", "2"])
        // At least one attempt in each round, and the second request only after the first one.
        #expect(got.filter { $0.key == keys[0] }.count >= 3)
        #expect(got.filter { $0.key == keys[1] }.count == 1)
        #expect(got.last?.key == keys[1])
        #expect(got.allSatisfy { $0.timeLimit.map { $0 <= 60 } ?? false })
        let signatures = got.compactMap(\.signature)
        #expect(signatures.count == (layering.has("signed") ? got.count : 0))
        #expect(Set(signatures).count == signatures.count)
        let tokens = Set(got.map(\.token))
        #expect(tokens == (layering.has("authorized") ? ["Bearer t0k3n-ann"] : [nil]))
        #expect(try open(folder, server).currentEntries.isEmpty)
    }

    @Test(
        "A request isn't kept whose signature would be made too early",
        arguments: Layering.misplaced)
    func misplaced(_ layering: Layering) async throws {
        let server = EffectServer()
        let outbox = try open(TestFolder(), layering.around(server))
        let error = await #expect(throws: OutboxError.self) {
            try await outbox.send(SetTitle(body: .init(title: "1")))
        }
        #expect(error?.description.contains("write `signed(by:)` next to the session") == true)
        #expect(outbox.currentEntries.isEmpty)
    }

    @Test(
        "Through each pair with a sign-in or a signer, a request is sent for its own account only",
        arguments: Layering.pairs.filter { $0.has("authorized") || $0.has("signed") })
    func accounts(_ layering: Layering) async throws {
        let server = EffectServer()
        server.round.withLock { $0 = .accepted }
        let folder = TestFolder()
        let ann = try open(folder, layering.around(server))
        try await ann.send(SetTitle(body: .init(title: "1")))
        let ben = try open(folder, layering.around(server, of: "ben"))
        #expect(try await ben.sendAll() == 1)
        #expect(ben.currentEntries.map(\.state) == [.waitingForAccount])
        #expect(server.got.isEmpty)
        #expect(try await ann.sendAll() == 0)
        #expect(server.effects == ["1"])
    }

    @Test("What is added with temporary keys of AWS is sent with the next ones of the same name")
    func temporaryKeys() async throws {
        let server = EffectServer()
        let folder = TestFolder()
        func outbox(_ key: String, of account: String?) throws -> Outbox {
            let signer = AWSSigner(service: "s3", region: "eu-central-1", account: account) {
                AWSCredentials(
                    accessKeyID: key, secretAccessKey: "s3cr3t", sessionToken: "t0k3n",
                    expires: Date(timeIntervalSince1970: 5000))
            }
            return try open(folder, server.signed(by: signer, clock: .immediate))
        }
        try await outbox("ASIA1", of: "backup").send(SetTitle(body: .init(title: "1")))
        server.round.withLock { $0 = .accepted }
        #expect(try await outbox("ASIA1", of: "other").sendAll() == 1)
        #expect(try await outbox("ASIA2", of: "backup").sendAll() == 0)
        #expect(server.effects == ["1"])
        #expect(server.got.map { $0.token?.contains("=ASIA2/") } == [true])
        // Without a name, it would wait for keys that don't come again.
        let error = await #expect(throws: OutboxError.self) {
            try await outbox("ASIA1", of: nil).send(SetTitle(body: .init(title: "2")))
        }
        #expect(error?.description.contains("or `AWSSigner` its `account:`") == true)
        // Lasting keys are their own name.
        let keys = AWSCredentials(accessKeyID: "AKIA1", secretAccessKey: "s3cr3t")
        let signer = AWSSigner(service: "s3", region: "eu-central-1", credentials: keys)
        let lasting = try open(folder, server.signed(by: signer, clock: .immediate))
        try await lasting.send(SetTitle(body: .init(title: "3")))
        #expect(try await lasting.sendAll() == 0)
        #expect(server.effects == ["1", "3"])
    }

    private func open(_ folder: TestFolder, _ transport: any Transport) throws -> Outbox {
        try Outbox(
            in: folder.url, sending: EndpointClient(transport, in: Box.environment),
            requests: [.type(SetTitle.self)], clock: .immediate)
    }
}

/// Layers around a server, from the innermost one.
struct Layering: Sendable, CustomTestStringConvertible {
    typealias Layer = @Sendable (any Transport, _ account: String) -> any Transport

    static let layers: [(name: String, layer: Layer)] = [
        ("authorized", { $0.authorized(by: Box.tokens($1), clock: .immediate) }),
        ("limited", { base, _ in base.limited(perOrigin: 1, clock: .immediate) }),
        ("retrying", { base, _ in base.retrying(clock: .immediate) }),
        ("cached", { base, _ in base.cached(in: .memory(megabytes: 1), clock: .immediate) }),
        ("coalesced", { base, _ in base.coalesced(clock: .immediate) }),
        ("signed", { $0.signed(by: NumberSigner(name: $1), clock: .immediate) }),
        ("monitored", { base, _ in base.monitored(clock: .immediate) { _ in } }),
        ("logged", { base, _ in base.logged { _ in } }),
    ]

    let places: [Int]

    var testDescription: String { places.map { Self.layers[$0].name }.joined(separator: ".") }

    func has(_ name: String) -> Bool { places.contains { Self.layers[$0].name == name } }

    func around(_ server: any Transport, of account: String = "ann") -> any Transport {
        places.reduce(server) { Self.layers[$1].layer($0, account) }
    }

    /// Whether a signature is made before a layer that may send the request later, or several
    /// times.
    private var isMisplaced: Bool {
        let names = places.map { Self.layers[$0].name }
        return names.prefix { $0 != "signed" }.contains { !["monitored", "logged"].contains($0) }
            && has("signed")
    }

    private static let all = layers.indices.flatMap { first in
        layers.indices.filter { $0 != first }.map { Layering(places: [first, $0]) }
    }

    static let pairs =
        all.filter { !$0.isMisplaced }
        + [
            Layering(places: [5, 1, 0, 2, 4, 3, 6, 7]), Layering(places: [7, 6, 5, 3, 4, 2, 0, 1]),
        ]
    static let misplaced = all.filter(\.isMisplaced)
}

/// Carries out each key once, and notes what it gets.
final class EffectServer: Transport {
    /// What becomes of the requests of a process.
    enum Round: CaseIterable {
        /// They are carried out, and the responses are lost.
        case lost
        case unavailable
        case accepted
    }

    struct Got: Sendable {
        let key: String
        let signature: String?
        let token: String?
        let timeLimit: TimeInterval?
    }

    let round = Locked(Round.lost)
    private let state = Locked<(got: [Got], keys: Set<String>, effects: [String])>(([], [], []))

    var got: [Got] { state.withLock(\.got) }
    var effects: [String] { state.withLock(\.effects) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let (message, round) = (request.urlRequest, round.withLock(\.self))
        let headers = message.allHTTPHeaderFields ?? [:]
        let body = try JSONDecoder().decode(
            [String: String].self, from: try #require(message.httpBody))
        state.withLock { state in
            let key = headers["Idempotency-Key"] ?? ""
            state.got.append(
                Got(
                    key: key, signature: headers["X-Signature"], token: headers["Authorization"],
                    timeLimit: request.policy.timeLimit))
            guard round != .unavailable, state.keys.insert(key).inserted else { return }
            state.effects += body.values
        }
        if round == .lost { throw URLError(.networkConnectionLost) }
        let url = try #require(message.url)
        let head = try #require(
            HTTPURLResponse(
                url: url, statusCode: round == .accepted ? 204 : 503,
                httpVersion: "HTTP/1.1", headerFields: [:]))
        return TransportResponse(Data(), head)
    }
}

/// Signs with a number that grows, and the body's digest.
struct NumberSigner: RequestSigner {
    let name: String
    private static let number = Locked(0)

    func account() -> String { name }

    func sign(_ request: inout TransportRequest, at date: Date) async throws {
        let digest = try await request.bodyDigest().base64EncodedString()
        let number = Self.number.withLock { number in
            number += 1
            return number
        }
        request.urlRequest.setValue(
            "\(name) \(number) \(digest)", forHTTPHeaderField: "X-Signature")
    }
}

extension TransportClock {
    /// A clock whose waits are over at once, though its time has passed.
    static var immediate: TransportClock {
        let now = Locked<TimeInterval>(1000)
        return TransportClock(
            date: { Date(timeIntervalSince1970: now.withLock(\.self)) },
            uptime: { now.withLock(\.self) },
            sleep: { seconds in
                try Task.checkCancellation()
                // What waits without end, such as for a time limit, waits until it is cancelled.
                guard seconds < 50 else {
                    return try await Task.sleep(nanoseconds: 1_000_000_000_000)
                }
                now.withLock { $0 += seconds }
            }, random: { 0 })
    }
}
