import Endpoints
import Foundation
import Testing

@testable import EndpointsTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Masks of recordings, and archives with unusual values")
struct MaskedRecordingTests {
    struct Account: FlatRequest {
        struct Response: Codable, Equatable {
            let id: Int
            let token: UUID
            let refreshToken: String
            let webhookSecret: URL
            let privateKey: Data
            let otp: String
            let password: Date
            let cvc: Int
            let secret: Bool?
            let copies: [String]
        }
        static let endpoint = Endpoint<Self>(method: .get, path: "account")
        static let responseDecoder: JSONDecoder = {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return decoder
        }()
    }

    static let text = """
        {"id": 7, "token": "A8098C1A-F86E-11DA-BD1A-00112444BE1E", "refreshToken": "r3fr3sh!", \
        "webhookSecret": "https://hooks.example.com/T0/B0/XX", "privateKey": "c2VjcmV0", \
        "otp": "123456", "password": "2026-03-01T00:00:00Z", "cvc": 737, "secret": null, \
        "copies": ["r3fr3sh!", "is r3fr3sh!", "x"]}
        """

    @Test("What is masked decodes as before, equal values stay equal, and the archive says so")
    func typed() async throws {
        let disk = try ArchiveOnDisk("")
        let stub = StubTransport()
        stub.on(Account.self, .json(Self.text))
        let recorder = try Recorder(stub, to: disk.file)
        _ = try await recorder.response(in: server, with: Account())
        _ = try await recorder.response(in: server, with: Account())
        let names = [
            "cvc", "otp", "password", "privateKey", "refreshToken", "token", "webhookSecret",
        ]
        #expect(recorder.masked == names)
        let archive = try String(contentsOf: disk.file, encoding: .utf8)
        // The archive has other numbers too, such as the milliseconds of each load.
        let secrets = [
            "A8098C1A", "r3fr3sh", "T0/B0", "c2VjcmV0", #"\"123456"#, #"\"2026-03-01T"#,
            #"cvc\": 737"#,
        ]
        for secret in secrets {
            #expect(!archive.contains(secret), "\(secret)")
        }
        let replay = try Replay(disk.file)
        let first = try await replay.response(in: server, with: Account())
        #expect(try await replay.response(in: server, with: Account()) == first)
        #expect(first.id == 7 && first.secret == nil)
        #expect(first.copies == [first.refreshToken, "is \(first.refreshToken)", "x"])
        let comment = try HTTPArchive(contentsOf: disk.file).entries.first?.comment
        #expect(
            comment == """
                Secrets are masked: the values of \(names.joined(separator: ", ")). To record cvc \
                as it is, pass `masking: SecretNames().subtracting(["cvc"])`
                """)
    }

    @Test("A name that a recorder leaves out is recorded as it is")
    func except() async throws {
        let disk = try ArchiveOnDisk("")
        let stub = StubTransport()
        stub.on(Account.self, .json(Self.text))
        let recorder = try Recorder(
            stub, to: disk.file, masking: SecretNames().subtracting(["cvc", "otp"]))
        _ = try await recorder.response(in: server, with: Account())
        let replayed = try await Replay(disk.file).response(in: server, with: Account())
        #expect(replayed.cvc == 737 && replayed.otp == "123456")
    }

    struct Strict: FlatRequest {
        enum Kind: String, Decodable { case one }
        struct Response: Decodable { let token: Kind }
        static let endpoint = Endpoint<Self>(method: .get, path: "strict")
    }

    @Test("A replay that can't decode a masked value says what was masked")
    func hint() async throws {
        let disk = try ArchiveOnDisk("")
        let stub = StubTransport()
        stub.on(Strict.self, .json(#"{"token": "one"}"#))
        _ = try await Recorder(stub, to: disk.file).response(in: server, with: Strict())
        let error = await #expect(throws: Strict.TaskError.self) {
            try await Replay(disk.file).response(in: server, with: Strict())
        }
        #expect(
            error?.debugDescription.contains(
                #"""
                a.har says: Secrets are masked: the values of token. To record token as it is, \#
                pass `masking: SecretNames().subtracting(["token"])`
                """#) == true)
    }

    @Test("Only its owner may read a recording, also if the file was there before")
    func mode() throws {
        let disk = try ArchiveOnDisk("{}")
        let other = disk.folder.appendingPathComponent("b.har")
        for file in [disk.file, other] {
            _ = try Recorder(StubTransport(), to: file)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("What isn't a file, such as a pipe or a device, is refused and keeps its permissions")
    func pipe() throws {
        let disk = try ArchiveOnDisk("{}")
        let pipe = disk.folder.appendingPathComponent("pipe")
        #expect(mkfifo(pipe.path, 0o644) == 0)
        #expect(chmod(pipe.path, 0o644) == 0)
        #expect(throws: RecordingError.self) { try Recorder(StubTransport(), to: pipe) }
        let attributes = try FileManager.default.attributesOfItem(atPath: pipe.path)
        #expect(attributes[.posixPermissions] as? Int == 0o644)
    }

    struct Find: FlatRequest {
        var cursor = "a/b="
        var at = "12:30/1"
        static let endpoint = Endpoint<Self>(
            method: .get, path: "find",
            parameters: [.query("page[cursor]", path: \.cursor), .query("at", path: \.at)])
        typealias Response = Data
    }

    @Test(
        "A recorded URL matches with raw brackets, and with `:`, `/` and `=` escaped or not",
        arguments: [
            "https://api.example.com/find?page[cursor]=a%2Fb%3D&at=12:30/1",
            "https://api.example.com/find?page%5Bcursor%5D=a/b%3d&at=12%3A30%2F1",
            "https://api.example.com/find?page%5bcursor%5d=a%2fb%3D&at=12%3a30/1",
            "https://api.example.com/find?page[cursor]=a/b=&at=12:30/1",
            "https://api.example.com:443/find?page[cursor]=a/b=&at=12:30/1",
            "HTTPS://API.example.com/find?page%5Bcursor%5D=a/b=&at=12%3A30/1",
        ])
    func urls(url: String) async throws {
        let disk = try ArchiveOnDisk(entries: [
            #"{"request": {"method": "GET", "url": "\#(url)"}, "#
                + #""response": {"status": 200, "content": {"text": "ok"}}}"#
        ])
        let data = try await Replay(disk.file).response(in: server, with: Find())
        #expect(data == Data("ok".utf8))
    }

    @Test(
        "An entry whose values can't be used is skipped, and the reason names them",
        arguments: [
            (#""status": 1.5"#, "the value at `response.status` is not valid"),
            (#""status": 1e300"#, "the value at `response.status` is not valid"),
            (#""status": -1"#, "the value at `response.status` is not valid"),
            (#""status": 1000"#, "the value at `response.status` is not valid"),
            (#""status": 1"#, "the value at `response.status` is not valid"),
            (#""status": 99"#, "the value at `response.status` is not valid"),
            (
                #""status": 200, "content": {"text": "!!!!", "encoding": "BASE64"}"#,
                "the value at `response.content.text` is not valid"
            ),
            (
                #""status": 200, "content": {"text": "!!!!", "encoding": "base64"}"#,
                "the value at `response.content.text` is not valid"
            ),
            (
                #""status": 200, "content": {"text": "YQ==!", "encoding": "base64"}"#,
                "the value at `response.content.text` is not valid"
            ),
        ])
    func unusable(response: String, reason: String) throws {
        let good =
            #"{"request": {"method": "GET", "url": "https://h/"}, "response": {"status": 200}}"#
        let disk = try ArchiveOnDisk(entries: [
            #"{"request": {"method": "GET", "url": "https://h/"}, "response": {\#(response)}}"#,
            good,
        ])
        let skipped = try Replay(disk.file).skipped
        #expect(skipped.count == 1 && skipped[0].contains("response."), "\(skipped)")
        #expect(skipped.first?.hasSuffix("is not valid") == true, "\(skipped)")
    }

    @Test("A body in a file that is a link out of the archive's folder isn't read")
    func link() async throws {
        let outside = try ArchiveOnDisk("secret of another folder")
        let disk = try ArchiveOnDisk(entries: [
            #"{"request": {"method": "GET", "url": "https://api.example.com/find?page%5Bcursor%5D=a&at=b"}, "#
                + #""response": {"status": 200, "content": {"_file": "link"}}}"#
        ])
        let link = disk.folder.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: outside.file)
        let error = await #expect(throws: Find.TaskError.self) {
            try await Replay(disk.file).response(in: server, with: Find(cursor: "a", at: "b"))
        }
        #expect(error?.description.contains("is a link to a file outside of the archive's") == true)
        try FileManager.default.removeItem(at: link)
        let inside = disk.folder.appendingPathComponent("inside")
        try Data("here".utf8).write(to: inside)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: inside)
        let data = try await Replay(disk.file).response(
            in: server, with: Find(cursor: "a", at: "b"))
        #expect(data == Data("here".utf8))
    }
}
