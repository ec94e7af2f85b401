import Endpoints
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Recordings")
struct RecordingTests {
    struct LogIn: FlatRequest {
        let user: String
        let password: String
        let time: Int
        let credentials: Credentials
        static let endpoint = Endpoint<Self>(
            method: .post, path: "login",
            parameters: [
                .query("time", path: \.time), .form("user", path: \.user),
                .form("password", path: \.password),
            ],
            headers: [.authorization: .field(path: \.credentials)])
        struct Response: Codable, Equatable {
            let user: String
            let accessToken: String
        }

        init(_ user: String, time: Int = 0) {
            self.user = user
            self.time = time
            password = "pa55"
            credentials = .bearer("t0k3n")
        }
    }

    struct GetImage: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "image")
        typealias Response = Data
    }

    static let server = ServerEnvironment(
        baseUrl: URL(string: "https://api.example.com") ?? URL(fileURLWithPath: "/"))
    let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("\(UUID().uuidString).har")

    /// Records three loads, one of them in chunks.
    func record() async throws {
        let stub = StubTransport()
        stub.on(LogIn.self) { request in
            .json(
                #"{"user": "\#(request.user)", "accessToken": "s3cret"}"#,
                headers: ["Set-Cookie": "s=s3cret", "X-Served-By": "a"])
        }
        stub.on(
            GetImage.self, .chunks([Data([0xFF]), Data([0])], headers: ["Content-Type": "image/x"]))
        let recorder = try Recorder(stub, to: file)
        _ = try await recorder.response(in: Self.server, with: LogIn("ann"))
        _ = try await recorder.response(in: Self.server, with: LogIn("bee"))
        _ = try await recorder.response(in: Self.server, with: GetImage())
    }

    @Test("What was recorded is replayed, and no secret is in the file")
    func roundTrip() async throws {
        try await record()
        defer { try? FileManager.default.removeItem(at: file) }
        let text = try String(contentsOf: file, encoding: .utf8)
        for secret in ["pa55", "t0k3n", "s3cret"] { #expect(!text.contains(secret)) }

        let replay = try Replay(file, ignoring: ["time"])
        let bee = try await replay.response(in: Self.server, with: LogIn("bee", time: 7))
        #expect(bee == LogIn.Response(user: "bee", accessToken: "masked02"))
        #expect(replay.unused.count == 2)
        let ann = try await replay.response(in: Self.server, with: LogIn("ann"))
        #expect(ann.user == "ann")
        let image = try await replay.response(in: Self.server, with: GetImage())
        #expect(image == Data([0xFF, 0]))
        #expect(replay.unused.isEmpty)
    }

    struct Attach: FlatRequest {
        let title: String
        let password: String
        let file: File
        static let endpoint = Endpoint<Self>(
            method: .post, path: "files",
            parameters: [
                .part("title", path: \.title), .part("password", path: \.password),
                .part("file", path: \.file),
            ])
        typealias Response = String
    }

    @Test("A multipart form is replayed whatever its boundary, and its secrets aren't recorded")
    func multipart() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let stub = StubTransport()
        stub.on(Attach.self, .data(Data("ok".utf8)))
        let recorder = try Recorder(stub, to: file)
        let attachment = File(Data([0xFF, 0, 13, 10]), name: "a.png")
        let attach = Attach(title: "a", password: "pa55", file: attachment)
        _ = try await recorder.response(in: Self.server, with: attach)
        let archive = try String(contentsOf: file, encoding: .utf8)
        let body = try #require(archive.firstMatch(of: /"text" : "([A-Za-z0-9+\/=]{100,})"/)?.1)
        let bytes = try #require(Data(base64Encoded: String(body)))
        #expect(bytes.range(of: Data("pa55".utf8)) == nil)
        #expect(bytes.range(of: Data([0xFF, 0, 13, 10])) != nil)

        let replay = try Replay(file)
        #expect(try await replay.response(in: Self.server, with: attach) == "ok")
        let other = Attach(title: "b", password: "x", file: attachment)
        let error = await #expect(throws: Attach.TaskError.self) {
            try await Replay(file).response(in: Self.server, with: other)
        }
        #expect(error?.description.contains("was `a` and is `b`") == true)
    }

    struct TaggedForm: FlatRequest {
        var tag: String
        var text = "a"
        static let endpoint = Endpoint<Self>(
            method: .post, path: "files", parameters: [.part("text", path: \.text)],
            headers: ["X-Tag": .field(path: \.tag)])
        typealias Response = String
    }

    struct OwnForm: FlatRequest {
        var body: Multipart
        static let endpoint = Endpoint<Self>(method: .post, path: "files")
        typealias Response = String
    }

    @Test("A form is replayed whatever its boundary is called")
    func boundaries() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let stub = StubTransport()
        stub.on(OwnForm.self, .data(Data("ok".utf8)))
        let recorder = try Recorder(stub, to: file)
        for name in ["a", "data", "boundary", "form-data"] {
            let body = Multipart([.text("b", "1")], boundary: name)
            _ = try await recorder.response(in: Self.server, with: OwnForm(body: body))
        }
        let replay = try Replay(file)
        for name in ["form", "multipart", "d", "Boundary"] {
            let body = Multipart([.text("b", "1")], boundary: name)
            let response = try await replay.response(in: Self.server, with: OwnForm(body: body))
            #expect(response == "ok")
        }
    }

    @Test("A request that was not recorded fails with the nearest entry and the difference")
    func missing() async throws {
        try await record()
        defer { try? FileManager.default.removeItem(at: file) }
        let replay = try Replay(file)
        let error = await #expect(throws: LogIn.TaskError.self) {
            try await replay.response(in: Self.server, with: LogIn("bea"))
        }
        #expect(
            error?.description.hasSuffix(
                """
                Compared with the most similar entry, line 4 was `user=bee` and is `user=bea`
                If a query item, form field, part or JSON member of the request changes in each \
                run, add its name to `ignoring:`, without the names of what it is in: `stamp`, \
                not `user.stamp`. If the recorder had `masking:`, pass the same to the replay
                """) == true)
        let elsewhere = await #expect(throws: GetImage.TaskError.self) {
            try await replay.response(
                in: ServerEnvironment(baseUrl: try #require(URL(string: "http://h:8081"))),
                with: GetImage())
        }
        #expect(elsewhere?.description.contains("but to another server; replay with") == true)
        _ = try await replay.response(in: Self.server, with: GetImage())
        let again = await #expect(throws: GetImage.TaskError.self) {
            try await replay.response(in: Self.server, with: GetImage())
        }
        let words = "has this GetImage request only 1 ×, but it was sent again"
        #expect(again?.description.contains(words) == true)
    }

    @Test(
        "A load that failed is replayed as the same URLError",
        arguments: [
            URLError(.timedOut), NSError(domain: NSURLErrorDomain, code: -1001) as any Error,
        ])
    func failure(_ error: any Error) async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let stub = StubTransport()
        stub.on(GetImage.self, .throwing(error), .data(Data([1])))
        let recorder = try Recorder(stub, to: file)
        _ = try? await recorder.response(in: Self.server, with: GetImage())
        _ = try await recorder.response(in: Self.server, with: GetImage())

        let replay = try Replay(file)
        let error = await #expect(throws: GetImage.TaskError.self) {
            try await replay.response(in: Self.server, with: GetImage())
        }
        #expect(error?.errorCode == 21001)
        #expect(try await replay.response(in: Self.server, with: GetImage()) == Data([1]))
    }

    @Test("An entry that was not used is an error with the nearest request that was sent")
    func unused() async throws {
        try await record()
        defer { try? FileManager.default.removeItem(at: file) }
        let replay = try Replay(file)
        _ = try await replay.response(in: Self.server, with: LogIn("ann"))
        let error = #expect(throws: RecordingError.self) { try replay.checkAllUsed() }
        let text =
            "\(file.lastPathComponent) has unused entries (2); send their requests"
        #expect(error?.description.hasPrefix(text) == true)
        #expect(error?.description.hasSuffix("line 4 was `user=bee` and is `user=ann`") == true)
        _ = try await replay.response(in: Self.server, with: LogIn("bee"))
        _ = try await replay.response(in: Self.server, with: GetImage())
        try replay.checkAllUsed()
    }

    @Test("JSON without a secret is recorded byte for byte")
    func bytes() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let text = #"{ "b": 1.0, "a" : "é\u00e9" }"#
        let stub = StubTransport()
        stub.on(GetImage.self, .json(text))
        _ = try await Recorder(stub, to: file).response(in: Self.server, with: GetImage())
        let data = try await Replay(file).response(in: Self.server, with: GetImage())
        #expect(data == Data(text.utf8))
    }

    @Test("Of several entries for a request, the one with the same headers is replayed")
    func headers() async throws {
        try await replayInReverse(Tagged(tag: "a"), Tagged(tag: "b"))
        // A recorded secret equals any other, but not a header that is missing.
        try await replayInReverse(Signed(token: "t"), Signed(token: nil))
        // Each form has a boundary of its own in its Content-Type.
        try await replayInReverse(TaggedForm(tag: "a"), TaggedForm(tag: "b"))
    }

    /// Records requests whose responses differ, and replays the last one first.
    private func replayInReverse<Request: RequestType & Sendable>(
        _ first: Request, _ second: Request
    ) async throws where Request.Response == String, Request.Environment == ServerEnvironment {
        defer { try? FileManager.default.removeItem(at: file) }
        let stub = StubTransport()
        stub.on(Request.self, .data(Data("first".utf8)), .data(Data("second".utf8)))
        let recorder = try Recorder(stub, to: file)
        for request in [first, second] {
            _ = try await recorder.response(in: Self.server, with: request)
        }
        let replay = try Replay(file)
        #expect(try await replay.response(in: Self.server, with: second) == "second")
        #expect(try await replay.response(in: Self.server, with: first) == "first")
    }

    struct Signed: FlatRequest {
        let token: String?
        static let endpoint = Endpoint<Self>(
            method: .get, path: "signed", headers: [.authorization: .field(path: \.token)])
        typealias Response = String
    }

    struct Tagged: FlatRequest {
        let tag: String
        static let endpoint = Endpoint<Self>(
            method: .get, path: "tag", headers: ["X-Tag": .field(path: \.tag)])
        typealias Response = String
    }

    @Test("A file that isn't an HTTP archive is refused by name")
    func unreadable() throws {
        try Data("{}".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let error = #expect(throws: RecordingError.self) { try Replay(file) }
        #expect(error?.description.hasPrefix(file.lastPathComponent) == true)
    }
    @Test("A file that isn't there is refused with the way to make it")
    func missing() {
        let error = #expect(throws: RecordingError.self) { try Replay(file) }
        #expect(
            error?.description == """
                there is no file \(file.path); correct the path, or record the file with a \
                Recorder, or with recorded(at:) and the environment variable ENDPOINTS_RECORD=1
                """)
    }
}
