import Endpoints
import EndpointsStreams
import EndpointsTesting
import Foundation
import Testing

@Suite("Snapshots of requests")
struct SnapshotTests {
    struct Send<Body: Encodable>: FlatRequest {
        var token: String?
        let body: Body
        static var endpoint: Endpoint<Self> {
            Endpoint(
                method: .post, path: "things",
                parameters: [.query("access_token", path: \.token)],
                headers: [.authorization: .field(path: \.token)])
        }
        typealias Response = Void
    }

    struct Fill: FlatRequest {
        let name: String
        let password: String
        static let endpoint = Endpoint<Self>(
            method: .put, path: "form",
            parameters: [.form("name", path: \.name), .form("password", path: \.password)])
        typealias Response = Void
    }

    static let server = ServerEnvironment(
        baseUrl: URL(string: "https://u:p@api.example.com") ?? URL(fileURLWithPath: "/"))

    @Test("In a snapshot, JSON is indented, its keys are sorted and its secrets are hidden")
    func json() throws {
        let body: [String: [String: String]] = ["b": ["z": "1", "token": "s3cret"], "a": [:]]
        #expect(
            try Send(token: "t0k3n", body: body).snapshot(in: Self.server) == """
                POST https://api.example.com/things?access_token=…
                Authorization: …
                Content-Type: application/json

                {
                  "a" : {

                  },
                  "b" : {
                    "token" : "…",
                    "z" : "1"
                  }
                }
                """)
    }

    struct Import: FlatRequest {
        let body: Data
        static let endpoint = Endpoint<Self>(
            method: .post, path: "import", headers: [.contentType: "application/x-ndjson"])
        typealias Response = Void
    }

    @Test("In a snapshot, JSON Lines have a line for each value, and their secrets are hidden")
    func lines() throws {
        let lines = """
            {"z": 1, "a": 2}
            {"token": "s3cret"}
            no JSON

            """
        let shown = """
            {"a":2,"z":1}
            {"token":"…"}
            no JSON

            """
        let snapshot = try Import(body: Data(lines.utf8)).snapshot(in: Self.server)
        #expect(snapshot.hasSuffix("\n\n" + shown))
        let windows = lines.replacingOccurrences(of: "\n", with: "\r\n")
        #expect(
            try !Import(body: Data(windows.utf8)).snapshot(in: Self.server).contains("s3cret"))
    }

    struct Raw: FlatRequest {
        let body: String
        static let endpoint = Endpoint<Self>(
            method: .post, path: "raw",
            headers: [.contentType: "multipart/form-data; Boundary=\"b\""])
        typealias Response = Void
    }

    @Test(
        "In a snapshot, a secret part is hidden, whether or not its name has quotes",
        arguments: [
            #"form-data; name="password""#, "form-data; name=password",
            #"form-data; filename="a.txt"; Name="password""#,
        ])
    func part(disposition: String) throws {
        let body =
            "--b\r\nContent-Type: text/plain; name=\"x\"\r\n"
            + "Content-Disposition: \(disposition)\r\n\r\ns3cret\r\n--b--\r\n"
        let snapshot = try Raw(body: body).snapshot(in: Self.server)
        #expect(!snapshot.contains("s3cret"))
    }

    @Test("In a snapshot, a form has a line for each field, and its secrets are hidden")
    func form() throws {
        #expect(
            try Fill(name: "a b", password: "s3cret").snapshot(in: Self.server) == """
                PUT https://api.example.com/form
                Content-Type: application/x-www-form-urlencoded

                name=a+b
                password=…
                """)
    }

    struct Attach: FlatRequest {
        let title: String
        let password: String
        let meta: [String: [String: Int]]
        let files: [File]
        static let endpoint = Endpoint<Self>(
            method: .post, path: "form",
            parameters: [
                .part("title", path: \.title), .part("user[password]", path: \.password),
                .part("meta", path: \.meta, encoding: .json), .part("file", path: \.files),
            ])
        typealias Response = Void
    }

    @Test("A snapshot of a multipart form has its parts, without boundary and secrets")
    func multipart() throws {
        let attach = Attach(
            title: "a\r\nb", password: "s3cret", meta: ["a": ["token": 1]],
            files: [File(Data([0xFF, 0]), name: "a.png"), File(Data("x".utf8), name: "b.txt")])
        #expect(
            try attach.snapshot(in: Self.server) == """
                POST https://api.example.com/form
                Content-Type: multipart/form-data; boundary=…

                --…
                Content-Disposition: form-data; name="title"

                a\r\nb
                --…
                Content-Disposition: form-data; name="user[password]"

                …
                --…
                Content-Disposition: form-data; name="meta"
                Content-Type: application/json

                {
                  "a" : {
                    "token" : "…"
                  }
                }
                --…
                Content-Disposition: form-data; name="file"; filename="a.png"
                Content-Type: image/png

                /wA=
                --…
                Content-Disposition: form-data; name="file"; filename="b.txt"
                Content-Type: text/plain

                x
                --…--
                """)
        #expect(try attach.snapshot(in: Self.server) == attach.snapshot(in: Self.server))
    }

    @Test("A snapshot of a file has its bytes, and one that can't be read is an error")
    func file() throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("snapshot-\(UUID().uuidString).txt")
        try Data("on disk".utf8).write(to: file)
        #expect(
            try Send(body: File(file)).snapshot(in: Self.server).hasSuffix(
                "Content-Type: text/plain\n\non disk"))
        try FileManager.default.removeItem(at: file)
        let error = #expect(throws: EndpointError.self) {
            try Send(body: File(file)).snapshot(in: Self.server)
        }
        #expect(
            error?.reason
                == "can't be read: there is no such file, or its directory is missing; check the file's URL"
        )
    }

    @Test("A snapshot shows text as it is, and other bytes as base64")
    func raw() throws {
        #expect(try Send(body: "a\nb").snapshot(in: Self.server).hasSuffix("\n\na\nb"))
        #expect(try Send(body: Data([0xFF, 0])).snapshot(in: Self.server).hasSuffix("\n\n/wA="))
    }

    @Test(
        "The difference of two snapshots names the first line that is not the same",
        arguments: [
            ("a\nb", "a\nb", nil), ("a\nb", "a\nc", "line 2 was `b` and is `c`"),
            ("a", "a\nb", "line 2, `b`, is new"), ("a\nb", "a", "line 2, `b`, is missing"),
            ("é", "e\u{301}", "line 1 was `é` and is `e\u{301}`"),
        ])
    func difference(old: String, new: String, text: String?) {
        #expect(EndpointsTesting.difference(from: old, to: new) == text)
    }

    struct Twice: FlatRequest {
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a",
            parameters: [.queryValue("q", value: 1), .queryValue("q", value: 2)])
        typealias Response = Void
    }

    @Test("The problems of several declarations are found by one call")
    func problems() {
        #expect(EndpointsTesting.problems(of: Fill.self, GetUser.self).isEmpty)
        #expect(
            EndpointsTesting.problems(of: Fill.self, Twice.self).map(\.description) == [
                """
                Twice: the query item "q" is declared twice; remove one, or declare one that \
                sends an array
                """
            ])
    }
}
