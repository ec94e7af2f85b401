import Endpoints
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An archive in a folder of its own, which is removed with this value.
struct ArchiveOnDisk: ~Copyable {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    var file: URL { folder.appendingPathComponent("a.har") }

    init(_ text: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// An archive of entries.
    init(entries: [String]) throws {
        try self.init(#"{"log": {"entries": [\#(entries.joined(separator: ", "))]}}"#)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}

@Suite("Archives of other programs")
struct ForeignArchiveTests {
    struct GetItem: FlatRequest {
        var policy = LoadPolicy()
        static let endpoint = Endpoint<Self>(method: .get, path: "item")
        struct Response: Decodable, Equatable { let n: Int }
        var loadPolicy: LoadPolicy { policy }
    }

    struct SendForm: FlatRequest {
        let city: String
        static let endpoint = Endpoint<Self>(
            method: .post, path: "form", parameters: [.form("city", path: \.city)])
        typealias Response = Void
    }

    static func entry(
        _ request: String = #""method": "GET", "url": "https://api.example.com/item""#,
        _ response: String = #""status": 200, "content": {"text": "{\"n\": 1}"}"#
    ) -> String {
        "{\"request\": {\(request)}, \"response\": {\(response)}}"
    }

    @Test("An archive is read whatever its program leaves out", arguments: ForeignArchives.all)
    func programs(archive: (program: String, text: String)) async throws {
        let disk = try ArchiveOnDisk(archive.text)
        let replay = try Replay(disk.file)
        let api = EndpointClient(replay, in: server)
        #expect(replay.skipped.isEmpty)
        #expect(try await api(GetItem()) == GetItem.Response(n: 1))
        try await api(SendForm(city: "Köln & Bonn"))
        try replay.checkAllUsed()
    }

    @Test(
        "The params of a form are unescaped, also those with a percent sign, or are as they were sent",
        arguments: [
            ("a b", "a b", true), ("100%", "100%", true), ("a+b", "a+b", true), ("é", "é", true),
            ("a+b", "a b", true), ("%C3%A9", "é", true), ("a b", "a+b", false), ("é", "e", false),
        ])
    func params(recorded: String, sent: String, matches: Bool) async throws {
        let disk = try ArchiveOnDisk(entries: [
            Self.entry(
                """
                "method": "POST", "url": "https://api.example.com/form", "postData": {"mimeType":
                "application/x-www-form-urlencoded", "params": [{"name": "city", "value": \
                "\(recorded)"}]}
                """, #""status": 204"#)
        ])
        let replay = try Replay(disk.file)
        do {
            try await replay.response(in: server, with: SendForm(city: sent))
            #expect(matches)
        } catch { #expect(!matches, "\(error)") }
    }

    @Test(
        "A bad entry is skipped and named, and the others are replayed",
        arguments: [
            (
                entry(#""url": "https://api.example.com/b?token=t0k3n""#),
                "entry 1 (https://api.example.com/b?token=…): the value at `request.method` is missing"
            ),
            (
                entry(#""method": "GET", "url": null"#),
                "entry 1 (GET): the value at `request.url` is null or missing"
            ),
            ("7", "entry 1: the value at `log.entries[0]` is not an object"),
            (
                entry(#""method": "GET", "url": "https://h/""#, #""status": "200""#),
                "entry 1 (GET https://h/): the value at `response.status` is not of type Int"
            ),
            (
                entry(
                    #""method": "GET", "url": "https://h/""#,
                    #""status": 200, "content": {"text": "ü", "encoding": "base64"}"#),
                "entry 1 (GET https://h/): the value at `response.content.text` is not valid"
            ),
        ])
    func skipped(entry: String, reason: String) async throws {
        let disk = try ArchiveOnDisk(entries: [entry, Self.entry()])
        let replay = try Replay(disk.file)
        #expect(
            replay.skipped.map { $0.replacing("log.entries[0].", with: "") } == [reason])
        #expect(try await replay.response(in: server, with: GetItem()).n == 1)
        let error = await #expect(throws: GetItem.TaskError.self) {
            try await Replay(disk.file).response(in: server, with: SendForm(city: "a"))
        }
        #expect(
            error?.description.contains("has entries that can't be read (1). The first is entry 1")
                == true)
    }

    @Test("An archive without an entry that can be read is refused with the reason")
    func allBad() throws {
        let disk = try ArchiveOnDisk(entries: ["{}"])
        let error = #expect(throws: RecordingError.self) { try Replay(disk.file) }
        #expect(
            error?.description == """
                a.har can't be read as an HTTP archive: it has no entry that can be read: entry 1: \
                the value at `log.entries[0].request` is missing. Check the file, or record it again
                """)
        let empty = try ArchiveOnDisk(entries: [])
        #expect(try Replay(empty.file).unused.isEmpty)
    }

    @Test("A body in a file beside the archive is read")
    func files() async throws {
        let disk = try ArchiveOnDisk(entries: [
            Self.entry(
                #""method": "GET", "url": "https://api.example.com/item""#,
                #""status": 200, "content": {"_file": "item.json"}"#),
            Self.entry(
                """
                "method": "POST", "url": "https://api.example.com/form", "postData": {"mimeType":
                "application/x-www-form-urlencoded", "text": "", "_file": "form"}
                """, #""status": 204"#),
        ])
        try Data(#"{"n": 7}"#.utf8).write(to: disk.folder.appendingPathComponent("item.json"))
        try Data("city=a".utf8).write(to: disk.folder.appendingPathComponent("form"))
        let replay = try Replay(disk.file)
        #expect(try await replay.response(in: server, with: GetItem()).n == 7)
        try await replay.response(in: server, with: SendForm(city: "a"))
        try replay.checkAllUsed()
    }

    @Test(
        "A file of a body that isn't there, or isn't in the archive's folder, is refused",
        arguments: [
            ("none.json", "can't be read; put the file into the folder of the archive, "),
            (".", "can't be read; put"), ("../a.har", "isn't in the archive's folder"),
            ("/etc/hostname", "isn't in the archive's folder"),
        ])
    func refusedFiles(name: String, reason: String) async throws {
        let file = #""_file": "\#(name)""#
        let disk = try ArchiveOnDisk(entries: [
            Self.entry(
                #""method": "GET", "url": "https://api.example.com/item""#,
                #""status": 200, "content": {\#(file)}"#),
            Self.entry(#""method": "POST", "url": "https://h/", "postData": {\#(file)}"#),
        ])
        let replay = try Replay(disk.file)
        #expect(
            replay.skipped.map {
                $0.hasPrefix("POST https://h/: the archive's `_file` \(name) \(reason)")
            }
                == [true])
        let error = await #expect(throws: GetItem.TaskError.self) {
            try await replay.response(in: server, with: GetItem())
        }
        #expect(
            error?.description.contains("the archive's `_file` \(name) \(reason)") == true)
    }

    static let redirect = #""status": 302, "headers": [{"name": "location", "value": "/b?x=1"}]"#
    static let toB = #""method": "GET", "url": "https://api.example.com/b?x=1""#

    @Test(
        "A recorded redirect is followed to its entry",
        arguments: [redirect, #""status": 307, "redirectURL": "https://api.example.com/b?x=1""#])
    func redirects(_ redirect: String) async throws {
        let first = #""method": "GET", "url": "https://api.example.com/item""#
        let disk = try ArchiveOnDisk(entries: [Self.entry(first, redirect), Self.entry(Self.toB)])
        let replay = try Replay(disk.file)
        #expect(try await replay.response(in: server, with: GetItem()).n == 1)
        try replay.checkAllUsed()

        let unfollowed = GetItem(policy: LoadPolicy(redirects: .doNotFollow))
        let error = await #expect(throws: GetItem.TaskError.self) {
            try await Replay(disk.file).response(in: server, with: unfollowed)
        }
        #expect([70302, 70307].contains(error?.errorCode))
    }

    @Test(
        "A redirect that can't be followed, or whose entry is missing, ends the load with the reason"
    )
    func badRedirects() async throws {
        let first = #""method": "GET", "url": "https://api.example.com/item""#
        let bad = #""status": 302, "headers": [{"name": "Location", "value": "ftp://h/"}]"#
        for (response, reason) in [
            (bad, "URLError -1002"), (Self.redirect, "GET https://api.example.com/b?x=1"),
        ] {
            let disk = try ArchiveOnDisk(entries: [Self.entry(first, response)])
            let error = await #expect(throws: GetItem.TaskError.self) {
                try await Replay(disk.file).response(in: server, with: GetItem())
            }
            #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
        }
    }
}
