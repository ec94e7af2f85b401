import Endpoints
import EndpointsStreams
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A body that a recording doesn't have, because it can't be read and has the name of a secret.
@Suite("Replays of bodies that weren't recorded")
struct UnrecordedBodyTests {
    /// Reads what a CSV file has, whatever it is.
    struct GetRows: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "key")
        typealias Response = [String]
        static func response(data: Data, httpResponse: HTTPURLResponse) throws -> [String] {
            String(decoding: data, as: UTF8.self).components(separatedBy: ",")
        }
    }

    struct GetText: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "key")
        typealias Response = String
        typealias ErrorResponse = String
    }

    struct GetData: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "key")
        typealias Response = Data
    }

    struct GetOptional: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "key")
        typealias Response = String?
    }

    struct GetWithHead: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "key")
        typealias Response = WithHTTPResponse<String>
    }

    struct GetNumbers: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "key")
        typealias Response = [Int]
    }

    struct GetLines: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "key")
        typealias Response = Lines
    }

    struct GetBytes: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "key")
        typealias Response = ByteStream
    }

    struct Touch: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "key")
        typealias Response = Void
    }

    struct TouchWithHead: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "key")
        typealias Response = WithHTTPResponse<Void>
    }

    private static let text = "<Key>dir/token.txt</Key>"

    /// An archive with responses to the same request.
    private static func recording(_ responses: StubResponse<GetData>...) async throws
        -> ArchiveOnDisk
    {
        let disk = try ArchiveOnDisk("")
        let stub = StubTransport()
        let recorder = try Recorder(stub, to: disk.file)
        for response in responses {
            stub.on(GetData.self, response)
            _ = try? await recorder.response(in: server, with: GetData())
        }
        return disk
    }

    private static func xml(_ status: Int = 200) -> StubResponse<GetData> {
        .data(
            Data(text.utf8), status: status,
            headers: [.contentType: "application/xml", "Content-Length": "\(text.utf8.count)"])
    }

    typealias Row = (name: String, load: @Sendable (Replay) async throws -> Void)

    static let rows: [Row] = [
        ("GetText", { _ = try await $0.response(in: server, with: GetText()) }),
        ("GetData", { _ = try await $0.response(in: server, with: GetData()) }),
        ("GetOptional", { _ = try await $0.response(in: server, with: GetOptional()) }),
        ("GetWithHead", { _ = try await $0.response(in: server, with: GetWithHead()) }),
        ("GetRows", { _ = try await $0.response(in: server, with: GetRows()) }),
        ("GetNumbers", { _ = try await $0.response(in: server, with: GetNumbers()) }),
        (
            "GetLines",
            { for try await _ in try await $0.response(in: server, with: GetLines()) {} }
        ),
        (
            "GetBytes",
            { for try await _ in try await $0.response(in: server, with: GetBytes()) {} }
        ),
        (
            "GetBytes",
            { replay in
                let file = FileManager.default.temporaryDirectory
                    .appendingPathComponent(UUID().uuidString)
                defer { try? FileManager.default.removeItem(at: file) }
                try await replay.response(in: server, with: GetBytes()).save(to: file)
            }
        ),
    ]

    @Test(
        "A load whose body wasn't recorded fails with the comment of its entry, and uses no other",
        arguments: rows)
    func fails(row: Row) async throws {
        let disk = try await Self.recording(Self.xml(), Self.xml())
        let replay = try Replay(disk.file)
        let error = await #expect(throws: (any Error).self) { try await row.load(replay) }
        let text = error.map { "\($0)" } ?? ""
        #expect(
            text.hasPrefix(
                """
                \(row.name): the load failed: the response to this \(row.name) request was \
                recorded without its body; a.har says: Secrets are masked. Not recorded, as it \
                can't be read and has the name of a secret: the response's body (application/xml, \
                24 bytes). To record it as it is, set `showsUnparsedBodies: true`
                """), "\(text)")
        #expect(replay.unused.count == 1)
    }

    static let partly: [(type: String, body: String, part: String)] = [
        ("application/jsonl", "[1]\ntoken=t0k3n\n", "a line"),
        ("text/event-stream", "data: your token: t0k3n\n\n", "a line"),
        (
            "multipart/mixed; boundary=b",
            "--b\r\nContent-Type: text/csv\r\n\r\nid,token\r\n--b--\r\n",
            "a part (text/csv, 8 bytes)"
        ),
    ]

    @Test(
        """
        A load whose body was recorded without a line or a part fails, unless it reads no body, or \
        the comment doesn't name it anymore
        """, arguments: partly)
    func failsPartly(row: (type: String, body: String, part: String)) async throws {
        let response = StubResponse<GetData>.data(
            Data(row.body.utf8), headers: ["Content-Type": row.type])
        let disk = try await Self.recording(response, response, response)
        let replay = try Replay(disk.file)
        for load in [Self.rows[1].load, Self.rows[7].load] {
            let error = await #expect(throws: (any Error).self) { try await load(replay) }
            let text = error.map { "\($0)" } ?? ""
            let what = "was recorded without a part of its body; a.har says: "
            #expect(text.contains(what), "\(text)")
            #expect(text.contains("the name of a secret: \(row.part) of the response's body. To"))
        }
        try await replay.response(in: server, with: Touch())
        let text = try String(contentsOf: disk.file, encoding: .utf8)
        try Data(text.replacing("\(row.part) of the response's body", with: "").utf8)
            .write(to: disk.file)
        _ = try await Replay(disk.file).response(in: server, with: GetData())
    }

    @Test("A load that reads no body succeeds without one, and an error response has its status")
    func unread() async throws {
        let disk = try await Self.recording(Self.xml(), Self.xml(), Self.xml(404))
        let replay = try Replay(disk.file)
        try await replay.response(in: server, with: Touch())
        let head = try await replay.response(in: server, with: TouchWithHead()).httpResponse
        #expect(head.statusCode == 200)
        let error = await #expect(throws: GetText.TaskError.self) {
            try await replay.response(in: server, with: GetText())
        }
        guard case .errorResponse(let response, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(response.statusCode == 404)
        #expect(error?.debugDescription.contains("a.har says: Secrets are masked.") == true)
    }

    @Test("A body that somebody has put into the archive is the response")
    func completed() async throws {
        let disk = try await Self.recording(Self.xml())
        let text = try String(contentsOf: disk.file, encoding: .utf8)
        let completed = text.replacing(#""application/xml, 24 bytes""#, with: #""<Key/>""#)
        #expect(completed != text)
        try Data(completed.utf8).write(to: disk.file)
        let response = try await Replay(disk.file).response(in: server, with: GetText())
        #expect(response == "<Key/>")
    }

    @Test("A masked body is saved, although a mask is longer or shorter than the secret")
    func masked() async throws {
        for secret in ["t0", "t0k3n-t0k3n-t0k3n"] {
            let json = #"{"token": "\#(secret)"}"#
            let disk = try await Self.recording(
                .json(json, headers: ["content-length": "\(json.utf8.count)"]))
            let file = disk.folder.appendingPathComponent("saved")
            let bytes = try await Replay(disk.file).response(in: server, with: GetBytes())
            try await bytes.save(to: file)
            #expect(
                try String(contentsOf: file, encoding: .utf8) == #"{"token": "masked01"}"#)
        }
    }
}
