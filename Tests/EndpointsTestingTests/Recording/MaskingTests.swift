import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

@testable import EndpointsTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Changes to the secret names, and bodies that can't be read")
struct MaskingTests {
    struct LogIn: FlatRequest {
        var policy = LoadPolicy()
        var loadPolicy: LoadPolicy { policy }
        static let endpoint = Endpoint<Self>(
            method: .post, path: "log-in",
            parameters: [
                .queryValue("password", value: "s3cret-password"),
                .queryValue("access", value: "s3cret-access"),
                .queryValue("cvc", value: "s3cret-cvc"),
            ])
        typealias Response = Data
    }

    static let changes: [(names: SecretNames, shown: [String])] = [
        ([], ["access"]),
        (SecretNames(), ["access"]),
        (["access"], []),
        (.usual, ["access"]),
        (.usual.union(["access"]), []),
        (SecretNames().subtracting(["cvc"]), ["access", "cvc"]),
        (.usual.subtracting(["cvc"]), ["access", "cvc"]),
        ((["access"] as SecretNames).subtracting(["cvc"]), ["cvc"]),
        (.nothing, ["access", "cvc", "password"]),
        (.nothing.union(["cvc"]), ["access", "password"]),
        ((["access"] as SecretNames).union(.nothing), ["access", "cvc", "password"]),
    ]

    typealias Wrong = (text: String, make: @Sendable (URL) async throws -> Void)

    private static func listed(_ setting: String, _ end: String = "") -> String {
        #"\#(setting) ["…,…"]\#(end)`, which can't be meant; write each name as a text of its own"#
    }

    static let wrong: [Wrong] = [
        (
            #"the Recorder has `masking: [""]`, which can't be meant; write names, such as `stamp`"#,
            { _ = try Recorder(StubTransport(), to: $0, masking: [""]) }
        ),
        (
            #"the Recorder has `headers: ["bad name"]`, which can't be meant; use letters, "#
                + "digits and `-`",
            { _ = try Recorder(StubTransport(), to: $0, headers: ["X-A", "bad name"]) }
        ),
        (
            #"the Recorder has `headers: [""]`, which can't be meant; use letters, digits and `-`"#,
            { _ = try Recorder(StubTransport(), to: $0, headers: [""]) }
        ),
        (
            #"the Replay has `ignoring: [""]`, which can't be meant; write names, such as `stamp`"#,
            { _ = try Replay($0, ignoring: ["stamp", ""]) }
        ),
        (
            #"the Replay has `masking: [""]`, which can't be meant; write names, such as `stamp`"#,
            { _ = try Replay($0, masking: ["-"]) }
        ),
        (
            #"the Replay has `ignoring: [""]`, which can't be meant; write names, such as `stamp`"#,
            { _ = try StubTransport().recorded(at: $0, ignoring: [""]) }
        ),
        (
            listed("the Recorder has `masking:"),
            { _ = try Recorder(StubTransport(), to: $0, masking: ["access, name"]) }
        ),
        (listed("the Replay has `ignoring:"), { _ = try Replay($0, ignoring: ["a", "b|c"]) }),
        (listed("the Replay has `masking:"), { _ = try Replay($0, masking: ["access;name"]) }),
        (
            listed("LogIn: the call has `snapshot(masking:", ")"),
            { _ in _ = try LogIn().snapshot(in: server, masking: ["access|stamp"]) }
        ),
        (
            listed("LogIn: the transport has `logged(masking:", ")"),
            { _ in
                let logged = StubTransport().logged(masking: ["access,"]) { _ in }
                _ = try await logged.response(in: server, with: LogIn())
            }
        ),
        (
            #"LogIn: the call has `snapshot(masking: [""])`, which can't be meant; write names, "#
                + "such as `stamp`",
            { _ in _ = try LogIn().snapshot(in: server, masking: [""]) }
        ),
        (
            #"LogIn: the transport has `logged(masking: [""])`, which can't be meant; write "#
                + "names, such as `token`",
            { _ in
                let logged = StubTransport().logged(masking: [""]) { _ in }
                _ = try await logged.response(in: server, with: LogIn())
            }
        ),
    ]

    @Test("A name that names nothing is refused", arguments: wrong.indices)
    func wrongName(_ index: Int) async throws {
        let row = Self.wrong[index]
        let disk = try ArchiveOnDisk(#"{"log": {"entries": []}}"#)
        let error = await #expect(throws: (any Error).self) { try await row.make(disk.file) }
        #expect(error.map { "\($0)" } == row.text)
    }

    /// The names whose values are in a text.
    private func shown(in text: String) -> [String] {
        Set(text.matches(of: /s3cret-(\w+)/).map { String($0.1) }).sorted()
    }

    @Test(
        "Names given to a policy, a recorder, a log and a snapshot are changes to the usual ones",
        arguments: changes)
    func names(row: (names: SecretNames, shown: [String])) async throws {
        let disk = try ArchiveOnDisk("")
        let (stub, lines) = (StubTransport(), Locked<[String]>([]))
        stub.on(LogIn.self, .status(200))
        let recorder = try Recorder(stub, to: disk.file, masking: row.names)
        let logged = recorder.logged(masking: row.names) { event in
            lines.withLock { $0.append("\(event)") }
        }
        _ = try await logged.response(in: server, with: LogIn())
        let texts = [
            try String(contentsOf: disk.file, encoding: .utf8),
            lines.withLock { $0.joined(separator: "\n") },
            try LogIn().snapshot(in: server, masking: row.names),
            try LogIn(policy: LoadPolicy(secretNames: row.names)).snapshot(in: server),
        ]
        #expect(texts.map(shown) == Array(repeating: row.shown, count: 4))
        let replay = try Replay(disk.file, masking: row.names)
        _ = try await replay.response(in: server, with: LogIn())
    }

    @Test(
        "A policy hides a header by the usual names with changes",
        arguments: [
            ([], true, false), (["X-Badge"], true, true),
            (SecretNames().subtracting(["X-Api-Key"]), false, false), (.nothing, false, false),
        ] as [(SecretNames, Bool, Bool)])
    func headers(_ names: SecretNames, hidesKey: Bool, hidesBadge: Bool) {
        for policy in [LoadPolicy(), LoadPolicy(secretNames: names)] {
            #expect(policy.hides("X-Api-Key", masking: names) == hidesKey)
            #expect(policy.hides("X-Badge", masking: names) == hidesBadge)
            #expect(policy.hides("Authorization", masking: names))
        }
    }

    struct Load: FlatRequest {
        var body: Data
        var policy = LoadPolicy()
        var loadPolicy: LoadPolicy { policy }
        static let endpoint = Endpoint<Self>(
            method: .post, path: "load", headers: [.contentType: "application/xml"])
        typealias Response = [Int]
    }

    static let bodies: [(type: String, body: String, what: String)] = [
        ("text/html", "<form><input name=csrf_token>", "the response's body (text/html, 29 bytes)"),
        (
            "application/xml; charset=utf-8", "<Key>dir/token.txt</Key>",
            "the response's body (application/xml, 24 bytes)"
        ),
        ("text/csv", "id,token\n1,x\n", "the response's body (text/csv, 13 bytes)"),
        ("", "# How to get a token", "the response's body (20 bytes)"),
        ("application/jsonl", "{\"a\": 1}\ntoken=t0k3n\n", "a line of the response's body"),
        (
            "multipart/mixed; boundary=b",
            "--b\r\nContent-Type: text/csv\r\n\r\nid,token\r\n--b--\r\n",
            "a part (text/csv, 8 bytes) of the response's body"
        ),
    ]

    @Test(
        "A body that isn't recorded is named by the recorder, the entry and the replay's error",
        arguments: bodies)
    func unread(row: (type: String, body: String, what: String)) async throws {
        let disk = try ArchiveOnDisk("")
        let stub = StubTransport()
        stub.on(
            Load.self, .data(Data(row.body.utf8), headers: ["Content-Type": row.type]))
        let request = Load(body: Data("<token>t0k3n</token>".utf8))
        let recorder = try Recorder(stub, to: disk.file)
        _ = try? await recorder.response(in: server, with: request)
        let whats = ["the request's body (application/xml, 20 bytes)", row.what]
        #expect(recorder.masked == whats.map { "\($0) of Load" }.sorted())
        let comment = """
            Secrets are masked. Not recorded, as it can't be read and has the name of a secret: \
            \(whats.joined(separator: ", ")). To record it as it is, set \
            `showsUnparsedBodies: true` in the LoadPolicy of Load
            """
        #expect(try HTTPArchive(contentsOf: disk.file).entries.map(\.comment) == [comment])
        let replay = try Replay(disk.file)
        let error = await #expect(throws: Load.TaskError.self) {
            try await replay.response(in: server, with: request)
        }
        #expect(error?.description.hasSuffix("a.har says: \(comment)") == true)

        let open = Load(body: request.body, policy: LoadPolicy(showsUnparsedBodies: true))
        let other = try ArchiveOnDisk("")
        let whole = try Recorder(stub, to: other.file)
        _ = try? await whole.response(in: server, with: open)
        #expect(whole.masked == [])
    }
}
