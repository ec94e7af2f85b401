import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Headers at a server", .needsServers)
struct ServerHeaderTests {
    struct Record: FlatRequest {
        var text: String? = nil
        var number = 3
        var date = Date(timeIntervalSince1970: 0)
        var moreHeaders: [Headers: String] = [:]
        static let endpoint = Endpoint<Record>(
            method: .get, path: "headers",
            headers: HeaderList(
                [
                    "X-Text": .field(path: \.text),
                    "X-NUMBER": .field(path: \.number),
                    "X-Date": .field(path: \.date),
                    "X-Day": .field(path: \.date, format: .iso8601.year().month().day()),
                    .keepAlive: .fieldValue(value: "timeout=5, max=1000"),
                    .accept: .fieldValue(value: MIMEType.csv),
                    .userAgent: .fieldValue(value: "Tests/1.0 (é)"),
                ], contentsOf: \.moreHeaders))
        typealias Response = Recorded
    }

    static let values: [(text: String, sent: String)] = [
        ("a", "a"), ("", ""), (" \t", ""), (" a b\t ", "a b"), ("a\tb", "a\tb"),
        ("café 日本 🍕", "café 日本 🍕"), ("cafe\u{301}", "cafe\u{301}"),
        ("\u{A0}a\u{A0}", "\u{A0}a\u{A0}"), (#"W/"1", "2"; q=0.5"#, #"W/"1", "2"; q=0.5"#),
        (";", ";"), (":", ":"), ("a;", "a;"), ("%0D%0A", "%0D%0A"),
        ("\u{85}\u{2028}", "\u{85}\u{2028}"),
        (
            String(repeating: "0123456789", count: 1000),
            String(repeating: "0123456789", count: 1000)
        ),
    ]

    @Test("A header's value arrives byte for byte, without the blanks around it", arguments: values)
    func value(row: (text: String, sent: String)) async throws {
        let recorded = try await Server.recorder.response(
            to: Record(text: row.text, moreHeaders: ["X-Extra": row.text]))
        for name in ["X-Text", "X-Extra"] {
            let values = recorded.values(of: name)
            #expect(values.map { Array($0.utf8) } == [Array(row.sent.utf8)], "\(name)")
        }
    }

    @Test(
        "Declared headers arrive as text, nil is left out, and one known at run time wins"
    )
    func declared() async throws {
        let recorded = try await Server.recorder.response(
            to: Record(moreHeaders: ["x-number": "4", "X-Late": "yes"]))
        let expected = [
            "X-Text": [], "X-Number": ["4"], "X-Date": ["1970-01-01T00:00:00Z"],
            "X-Day": ["1970-01-01"], "Keep-Alive": ["timeout=5, max=1000"], "Accept": ["text/csv"],
            "User-Agent": ["Tests/1.0 (é)"], "X-Late": ["yes"],
        ]
        for (name, values) in expected { #expect(recorded.values(of: name) == values, "\(name)") }
    }

    static let credentials: [(credentials: Credentials, sent: String)] = [
        (
            .basic(username: "Aladdin", password: "open sesame"),
            "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
        ),
        (.basic(username: "test", password: "123\u{A3}"), "Basic dGVzdDoxMjPCow=="),
        (.basic(username: "", password: "a:b"), "Basic OmE6Yg=="),
        (.bearer("t0k3n.-_~+/="), "Bearer t0k3n.-_~+/="),
    ]

    struct LogIn: FlatRequest {
        let credentials: Credentials?
        var path = "headers"
        static let endpoint = Endpoint<LogIn>(
            method: .get, path: "\(segments: \.segments)",
            headers: [.authorization: .field(path: \.credentials)])
        var segments: [String] { path.split(separator: "/").map(String.init) }
        typealias Response = Data
    }

    @Test(
        "Credentials arrive in the Authorization header",
        .notReplayed(as: "credentials are not recorded"), arguments: credentials)
    func authorization(row: (credentials: Credentials, sent: String)) async throws {
        let data = try await Server.recorder.response(to: LogIn(credentials: row.credentials))
        let recorded = try JSONDecoder().decode(Recorded.self, from: data)
        #expect(recorded.values(of: "Authorization") == [row.sent])
    }

    static let logIns: [(path: String, credentials: Credentials?, expected: String)] = [
        ("basic-auth/ann/a b", .basic(username: "ann", password: "a b"), "ok"),
        ("basic-auth/ann/é", .basic(username: "ann", password: "é"), "ok"),
        ("basic-auth/ann/right", .basic(username: "ann", password: "wrong"), "status 401"),
        ("basic-auth/ann/right", nil, "status 401"),
        ("hidden-basic-auth/ann/right", .basic(username: "ann", password: "wrong"), "status 404"),
        ("bearer", .bearer("t0k3n"), "ok"), ("bearer", nil, "status 401"),
        ("bearer", .basic(username: "ann", password: "right"), "status 401"),
    ]

    @Test(
        "The right credentials log in, and wrong ones get the server's refusal",
        .notReplayed(as: "credentials are not recorded"), arguments: logIns)
    func logIn(row: (path: String, credentials: Credentials?, expected: String)) async throws {
        let request = LogIn(credentials: row.credentials, path: row.path)
        let outcome: String
        do {
            let data = try await Server.httpbin.response(to: request)
            outcome =
                String(decoding: data, as: UTF8.self).contains("true") ? "ok" : "not logged in"
        } catch let LogIn.TaskError.errorResponse(httpResponse, _) {
            outcome = "status \(httpResponse.statusCode)"
        }
        #expect(outcome == row.expected)
    }
}
