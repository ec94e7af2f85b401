import Endpoints
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Secrets of recordings")
struct RecordingSecretTests {
    /// The recording of one test.
    private let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("\(UUID().uuidString).har")

    struct Send: FlatRequest {
        struct Content: Encodable {
            var pin = "s3cr3t-body"
            var password = ["s3cr3t-list"]
            var shown = "shown-body"
        }
        var body = Content()
        var pin = "s3cr3t-query"
        var apiKey = "s3cr3t-key"
        var shown = "shown-query"
        static let endpoint = Endpoint<Self>(
            method: .post, path: "send",
            parameters: [
                .query("pin", path: \.pin), .query("api_key", path: \.apiKey),
                .query("shown", path: \.shown),
            ],
            headers: [
                .authorization: .fieldValue(value: Credentials.bearer("s3cr3t-token")),
                .cookie: "id=s3cr3t-cookie", "X-Pin": "s3cr3t-header", "X-Own": "s3cr3t-own",
                "X-API-Key": "s3cr3t-api", "X-User-Token": "s3cr3t-user",
                "X-Shown": "shown-header",
            ])
        static let loadPolicy = LoadPolicy(sensitiveHeaders: ["X-Own"])
        typealias Response = Data
    }

    @Test("Secrets in headers, the query and JSON are not recorded, nor are names that a user adds")
    func names() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let stub = StubTransport()
        stub.on(
            Send.self,
            .json(
                #"{"user": {"pin": "s3cr3t-response", "name": "shown-response"}}"#,
                headers: [
                    "Set-Cookie": "s3cr3t-set", "X-Pin": "s3cr3t-sent",
                    "Location": "/next?pin=s3cr3t-location&page=shown-location#top",
                    "Referer": "#/a?x/y!access_token=s3cr3t-only",
                    "Content-Location": "/cb#access_token=s3cr3t-fragment&state=shown-state",
                ]))
        let recorder = try Recorder(
            stub, to: file, masking: ["pin"], headers: ["X-Pin"])
        let sent = try await recorder.response(in: server, with: Send())
        #expect(String(decoding: sent, as: UTF8.self).contains("s3cr3t-response"))

        let archive = try String(contentsOf: file, encoding: .utf8)
        #expect(archive.matches(of: /s3cr3t-\w+/).map { String($0.0) } == [])
        let shown = Set(archive.matches(of: /shown-\w+/).map { String($0.0) })
        #expect(
            shown == [
                "shown-body", "shown-query", "shown-header", "shown-response", "shown-location",
                "shown-state",
            ])
    }

    struct Get: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "thing")
        typealias Response = Data
    }

    struct Remove: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .delete, path: "thing")
        typealias Response = Data
    }

    @Test("A request is found by its method too, and bytes that aren't text are kept in base64")
    func method() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let stub = StubTransport()
        stub.on(Get.self, .data(Data([0xFF, 0xFE])))
        _ = try await Recorder(stub, to: file).response(in: server, with: Get())
        let archive = try String(contentsOf: file, encoding: .utf8)
        #expect(archive.contains("base64") && archive.contains("//4="))

        let replay = try Replay(file)
        let error = await #expect(throws: Remove.TaskError.self) {
            try await replay.response(in: server, with: Remove())
        }
        #expect(
            error?.description.contains(
                "line 1 was `GET https://api.example.com/thing` and is "
                    + "`DELETE https://api.example.com/thing`") == true)
        #expect(try await replay.response(in: server, with: Get()) == Data([0xFF, 0xFE]))
    }

    struct LogIn: FlatRequest {
        struct Session: Decodable, Equatable {
            struct Token: Decodable, Equatable {
                let value: String
                let seconds: Int
                let scopes: [String]?
                let isAdmin: Bool
                let isGuest: Bool
            }
            let token: Token
            let code: Int
        }
        struct Body: Encodable, Sendable {
            var code = 7
            var session = ["otp": 987_654]
        }
        var body = Body()
        static let endpoint = Endpoint<Self>(method: .post, path: "log-in")
        typealias Response = Session
    }

    @Test("Secrets of a recorded response keep their JSON types, so that it is replayed as before")
    func types() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let stub = StubTransport()
        stub.on(
            LogIn.self,
            .json(
                #"""
                {"token": {"value": "s3cr3t", "seconds": 3600, "scopes": ["s3cr3t"], \#
                "isAdmin": true, "isGuest": false}, "code": 7}
                """#))
        _ = try await Recorder(stub, to: file).response(in: server, with: LogIn())
        let archive = try String(contentsOf: file, encoding: .utf8)
        for secret in ["s3cr3t", "987654", "3600"] { #expect(!archive.contains(secret)) }
        let replayed = try await Replay(file).response(in: server, with: LogIn())
        let token = LogIn.Session.Token(
            value: "masked02", seconds: 3, scopes: ["masked02"], isAdmin: true, isGuest: false)
        #expect(replayed == LogIn.Session(token: token, code: 7))
    }

    @Test("The secrets of JSON lines are not recorded")
    func lines() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let stub = StubTransport()
        stub.on(
            Get.self,
            .data(
                Data("{\"token\": \"s3cr3t\"}\n{\"id\": \"shown\"}\n".utf8),
                headers: ["Content-Type": "application/jsonl"]))
        _ = try await Recorder(stub, to: file).response(in: server, with: Get())
        let archive = try String(contentsOf: file, encoding: .utf8)
        #expect(!archive.contains("s3cr3t") && archive.contains("shown"))
    }

    /// Multipart bodies with the boundary `b`, a secret part and a part that is shown.
    static let multiparts: [Data] = {
        let secret = "--b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\ns3cr3t\r\n"
        let shown = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nshown"
        let inner = (secret + shown).replacingOccurrences(of: "--b", with: "--c")
        let outer = "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n\(inner)\r\n--c--\r\n"
        let whole = secret + shown + "\r\n--b--\r\n"
        return [
            Data(whole.utf8), Data((secret + shown).utf8), Data((secret + "--b").utf8),
            Data((secret + "--b\r\nContent-Disp").utf8), Data(("--b\r\nA: b\r\n" + whole).utf8),
            Data(whole.replacingOccurrences(of: "\r\n", with: "\n").utf8),
            Data(("before\r\n" + whole + "after").utf8), Data(("--b\r\n\r\nhi\r\n" + whole).utf8),
            Data((secret + shown + "\r\nsee --b\nhere\r\n--b--").utf8),
            Data(("see --b\n" + whole + "see --b\n").utf8),
            Data(
                whole.replacingOccurrences(of: "\r\n", with: "\n")
                    .replacingOccurrences(of: "--b\n", with: "--b \n").utf8),
            Data(
                whole.replacingOccurrences(of: "--b\r\n", with: "--b\n")
                    .replacingOccurrences(of: "\r\n--b", with: "\n--b").utf8),
            Data((outer + "--b--").utf8), Data((outer + shown).utf8) + [0xFF],
            Data((secret + "--b\r\nContent-Type: image/png\r\n\r\n").utf8) + Data([0xFF])
                + Data(("\r\n" + shown + "\r\n--b--").utf8),
        ]
    }()

    @Test(
        "A secret part is not recorded, even of a form that is cut off or inside another part",
        arguments: multiparts)
    func multipart(body: Data) async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let stub = StubTransport()
        stub.on(
            Get.self, .data(body, headers: ["Content-Type": "multipart/form-data; boundary=b"]))
        _ = try await Recorder(stub, to: file).response(in: server, with: Get())
        let replayed = try await Replay(file).response(in: server, with: Get())
        #expect(replayed == Self.replacing("s3cr3t", with: "masked01", in: body))
    }

    private static func replacing(_ text: String, with other: String, in body: Data) -> Data {
        guard let range = body.range(of: Data(text.utf8)) else { return body }
        return replacing(
            text, with: other,
            in: body[..<range.lowerBound] + Data(other.utf8) + body[range.upperBound...])
    }

    @Test(
        "A recording at a URL that isn't a file URL is refused",
        arguments: ["http://h/x.har", "https://ann:s3cret@h/x.har", "x.har", "data:,a"])
    func notAFile(address: String) throws {
        let url = try #require(URL(string: address))
        let shown = address.replacingOccurrences(of: "ann:s3cret@", with: "")
        let text =
            "\(shown) is not a file URL, so there is no recording; "
            + "write URL(fileURLWithPath: path)"
        let stub = StubTransport()
        for make in [
            { _ = try Recorder(stub, to: url) }, { _ = try Replay(url) },
            { _ = try stub.recorded(at: url) },
        ] as [() throws -> Void] {
            #expect(#expect(throws: RecordingError.self) { try make() }?.description == text)
        }
    }

    @Test("A recording that can't be read or written is an error that says what to do")
    func unusable() throws {
        let folder = FileManager.default.temporaryDirectory
        let unreadable = #expect(throws: RecordingError.self) { try Replay(folder) }
        #expect(
            unreadable?.description == """
                \(folder.path) can't be read; check that it is a file, and that the program has \
                permission to read it
                """)
        let noFile = #expect(throws: RecordingError.self) {
            try Recorder(StubTransport(), to: folder)
        }
        #expect(
            noFile?.description == """
                the recording \(folder.path) can't be written, because that isn't a file; record \
                to another path
                """)
        let missing = folder.appendingPathComponent("missing/a.har")
        let unwritable = #expect(throws: RecordingError.self) {
            try Recorder(StubTransport(), to: missing)
        }
        #expect(
            unwritable?.description == """
                the recording \(missing.path) can't be written; create its directory, give the \
                program permission to write there, or free some space on the disk
                """)
    }
}
