import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

@testable import EndpointsTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Secrets in paths, and in headers that transports add")
struct PathSecretTests {
    struct SendMessage: FlatRequest {
        let bot: Secret
        var text = "hi"
        static let endpoint = Endpoint<Self>(
            method: .get, path: "bot\(secret: \.bot, includesSlash: false)/send",
            parameters: [.query("text", path: \.text)])
        typealias Response = String
    }

    struct Other: FlatRequest {
        let bot: Secret
        static let endpoint = Endpoint<Self>(method: .get, path: "hooks/\(secret: \.bot)/other")
        typealias Response = String
    }

    private static let secret = Secret("b0t-s3cr3t/1")

    @Test(
        "A replay finds a request with a secret in its path, also if the secret is another one",
        arguments: ["b0t-s3cr3t/1", "an0ther-s3cr3t"])
    func replayed(secret: String) async throws {
        let disk = try ArchiveOnDisk("")
        let stub = StubTransport()
        stub.on(SendMessage.self, .data(Data("ok".utf8)))
        let recorder = try Recorder(stub, to: disk.file)
        let first = SendMessage(bot: Self.secret)
        _ = try await recorder.response(in: server, with: first)
        let archive = try String(contentsOf: disk.file, encoding: .utf8)
        #expect(!archive.contains("b0t-s3cr3t"))
        let replay = try Replay(disk.file)
        let again = SendMessage(bot: Secret(secret))
        #expect(try await replay.response(in: server, with: again) == "ok")
        #expect(replay.unused.isEmpty)
    }

    @Test("A replay finds a request with a secret in its path in an archive that wasn't masked")
    func foreign() async throws {
        let disk = try Self.unmasked()
        let replay = try Replay(disk.file)
        let request = SendMessage(bot: Self.secret)
        #expect(try await replay.response(in: server, with: request) == "ok")
        #expect(!replay.unused.joined().contains("b0t-s3cr3t"), "\(replay.unused)")
        let error = #expect(throws: RecordingError.self) { try replay.checkAllUsed() }
        #expect(error?.description.contains("b0t-s3cr3t") == false)
    }

    /// An archive of a browser, with two requests with the same secret.
    private static func unmasked() throws -> ArchiveOnDisk {
        try ArchiveOnDisk(
            entries: ["/botb0t-s3cr3t%2F1/send?text=hi", "/hooks/b0t-s3cr3t%2F1/rest"].map {
                #"{"request": {"method": "GET", "url": "https://api.example.com\#($0)"}, "#
                    + #""response": {"status": 200, "content": {"text": "ok"}}}"#
            })
    }

    /// What happens, and the texts that then are printed.
    typealias Attempt = (what: String, texts: @Sendable () async throws -> [String])

    static let attempts: [Attempt] = [
        (
            "a missing entry",
            {
                let disk = try unmasked()
                return try await texts(Replay(disk.file), Other(bot: secret))
            }
        ),
        (
            "a missing entry with another query",
            {
                let disk = try unmasked()
                return try await texts(Replay(disk.file), SendMessage(bot: secret, text: "other"))
            }
        ),
        (
            "an entry that is used up",
            {
                let disk = try unmasked()
                let replay = try Replay(disk.file)
                _ = try await replay.response(in: server, with: SendMessage(bot: secret))
                return try await texts(replay, SendMessage(bot: secret))
            }
        ),
        ("a missing stub", { try await texts(StubTransport(), Other(bot: secret)) }),
        (
            "a snapshot",
            {
                [
                    try Other(bot: secret).snapshot(in: server),
                    try Other(bot: secret).curl(in: server),
                ]
            }
        ),
        (
            "the requests of a stub",
            {
                let stub = StubTransport()
                stub.on(Other.self, .data(Data("ok".utf8)))
                _ = try await stub.response(in: server, with: Other(bot: secret))
                return ["\(stub.sent)", "\(stub.sent(Other.self))", "\(stub)", "\(stub.unused)"]
            }
        ),
        ("problems", { Other(bot: secret).problems.map(\.description) }),
    ]

    private static func texts<Request: RequestType & Sendable>(
        _ transport: any Transport, _ request: Request
    ) async throws -> [String] where Request.Environment == ServerEnvironment {
        do {
            _ = try await transport.response(in: server, with: request)
            return ["no error"]
        } catch {
            var dumped = ""
            dump(error, to: &dumped)
            let bridged = error as NSError
            return [
                error.description, error.debugDescription, error.localizedDescription, dumped,
                "\(bridged.userInfo)",
            ]
        }
    }

    @Test("No text shows the secret in a path", arguments: attempts)
    func texts(_ attempt: Attempt) async throws {
        for text in try await attempt.texts() {
            #expect(!text.contains("b0t-s3cr3t") && text != "no error", "\(attempt.what): \(text)")
        }
    }

    // MARK: Secrets that a transport adds

    struct Sign: Transport {
        let base: any Transport
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            var request = request
            request.urlRequest.setValue("Bearer s1gned-t0k3n", forHTTPHeaderField: "Authorization")
            request.urlRequest.setValue("s1gned-own", forHTTPHeaderField: "X-Own")
            request.policy.sensitiveHeaders.insert("X-Own")
            return try await base.send(request)
        }
    }

    struct Get: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "a")
        typealias Response = [String: Int]
    }

    static let echo = #"{"message": "unknown: s1gned-t0k3n and s1gned-own"}"#

    @Test(
        "What a transport adds in a secret header is hidden outside of it, if a server repeats it",
        arguments: [200, 401])
    func added(status: Int) async throws {
        let disk = try ArchiveOnDisk("")
        let stub = StubTransport()
        stub.on(Get.self, .json(Self.echo, status: status))
        let lines = Locked<[String]>([])
        let recorder = try Recorder(Sign(base: stub), to: disk.file)
        let transport = recorder.retrying().logged { event in
            lines.withLock { $0.append("\(event)") }
        }
        let texts = try await Self.texts(transport, Get())
        let archive = try String(contentsOf: disk.file, encoding: .utf8)
        #expect(archive.contains("unknown: masked"))
        for text in texts + [archive] + lines.withLock({ $0 }) {
            #expect(!text.contains("s1gned"), "\(text)")
        }
    }

    @Test("A replay hides what a transport adds, too")
    func addedToReplay() async throws {
        let disk = try ArchiveOnDisk(entries: [
            #"{"request": {"method": "GET", "url": "https://api.example.com/a"}, "response": "#
                + #"{"status": 401, "content": {"text": "no s1gned-t0k3n"}}}"#
        ])
        for text in try await Self.texts(Sign(base: try Replay(disk.file)), Get()) {
            #expect(!text.contains("s1gned"), "\(text)")
        }
    }
}
