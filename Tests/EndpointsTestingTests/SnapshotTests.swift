import Endpoints
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
                Twice: the query item "q" is declared twice; remove one, or declare one with \
                several values
                """
            ])
    }
}
