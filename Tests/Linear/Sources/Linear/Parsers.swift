import Foundation

@testable import Endpoints
@testable import EndpointsCache
@testable import EndpointsMiddleware
@testable import EndpointsShared
@testable import EndpointsStreams
@testable import EndpointsTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A parser of what a server or a user gives.
struct Parser {
    let name: String
    /// Whether it reads the value of a header, which has no line ends.
    var isOfHeader = false
    /// Makes what it reads. This isn't measured.
    let prepare: (String) throws -> () throws -> Void

    init(
        _ name: String, isOfHeader: Bool = false,
        _ prepare: @escaping (String) throws -> () throws -> Void
    ) {
        self.name = name
        self.isOfHeader = isOfHeader
        self.prepare = prepare
    }

    /// A body whose secrets are hidden.
    private static func masking(_ type: String, _ before: String = "", _ after: String = "")
        -> Parser
    {
        Parser("masking \(type) \(before)") { text in
            let body = Array((before + text + after).utf8)
            return {
                var masking = Masking(
                    .usual, .typed, known: KnownSecrets(["t0k3n1-known", "aaaaaaab"]))
                _ = masking.twice(body, type)
            }
        }
    }

    private static func header(
        _ name: String, _ parse: @escaping (HTTPURLResponse) throws -> Void
    ) -> Parser {
        Parser(name, isOfHeader: true) { text in
            guard let url = URL(string: "https://h/"),
                let response = HTTPURLResponse(
                    url: url, statusCode: 206, httpVersion: nil, headerFields: [name: text])
            else { return {} }
            return { try parse(response) }
        }
    }

    private static func value(_ name: String, _ parse: @escaping (String) throws -> Void) -> Parser
    {
        Parser(name, isOfHeader: true) { text in { try parse(text) } }
    }

    static var all: [Parser] {
        [
            masking(""), masking("application/json", "{\"a\":\"", "\"}"),
            masking("application/json", "["),
            masking("application/x-www-form-urlencoded"), masking("text/event-stream"),
            masking("application/x-ndjson"), masking("multipart/form-data; boundary=b", "--b\r\n"),
            Parser("masked(url)") { text in
                let url = Array("https://h/\(text)?\(text)#\(text)".utf8)
                return {
                    var masking = Masking(.usual)
                    _ = masking.url(url, keepsFragment: true)
                }
            },
            Parser("secret names") { text in { _ = SecretNames.usual.contains(text, in: .query) } },
            value("the secrets of a header") {
                _ = Masking.secrets(inHeader: "Authorization", "Digest \($0)")
            },
            value("the secrets of a cookie") { _ = Masking.secrets(inHeader: "Cookie", $0) },
            value("WWW-Authenticate") {
                var masking = Masking(.usual)
                _ = masking.header($0)
            },
            value("Content-Disposition") {
                _ = Array("--b\r\nContent-Disposition: form-data; \($0)\r\n\r\n".utf8)
                    .multipartParts("multipart/form-data; boundary=b")?.first?
                    .nameAndType(
                        in: Array("--b\r\nContent-Disposition: form-data; \($0)\r\n\r\n".utf8))
            },
            value("Content-Type") { _ = "multipart/mixed; \($0)".multipartBoundary },
            value("a parameter") { _ = $0.parameter("name") },
            header("Link") { _ = $0.links },
            header("RateLimit") { _ = RateLimit($0) },
            header("Content-Range") { _ = $0.length(withRestFrom: 0, of: nil) },
            value("Cache-Control") { _ = CacheDirectives($0) },
            value("Vary") { _ = SelectingFields(vary: $0, of: ["a": "b"]) },
            value("Connection") { text in
                var fields = [ResponseFields.Field(name: "Connection", value: text)]
                for index in 0..<min(text.utf8.count / 100, 20_000) {
                    fields.append(ResponseFields.Field(name: "X-\(index)", value: "1"))
                }
                _ = ResponseFields(fields).storable
            },
            value("a 304's fields") { text in
                let fields = (0..<min(text.utf8.count / 100, 20_000)).map {
                    ResponseFields.Field(name: "X-\($0)", value: "1")
                }
                _ = ResponseFields(fields).updated(by: ResponseFields(fields))
            },
            Parser("server-sent events") { text in
                let data = Data(text.utf8)
                return {
                    var parser = EventStreamParser(limit: 1 << 30)
                    parser.append(data)
                    while try parser.next() != nil {}
                    _ = try parser.finish()
                }
            },
            Parser("an archive") { text in
                let entry: [String: Any] = [
                    "request": [
                        "method": "POST", "url": "https://h/?\(text)", "headers": [] as [String],
                        "postData": ["mimeType": "text/plain", "text": text],
                    ] as [String: Any],
                    "response": ["status": 200, "content": ["text": text]] as [String: Any],
                ]
                let data = try JSONSerialization.data(withJSONObject: ["log": ["entries": [entry]]])
                let file = FileManager.default.temporaryDirectory
                    .appendingPathComponent("\(UUID().uuidString).har")
                return {
                    try data.write(to: file)
                    defer { try? FileManager.default.removeItem(at: file) }
                    _ = try Replay(file)
                }
            },
            Parser("an archive that is broken") { text in
                let file = FileManager.default.temporaryDirectory
                    .appendingPathComponent("\(UUID().uuidString).har")
                return {
                    try Data(text.utf8).write(to: file)
                    defer { try? FileManager.default.removeItem(at: file) }
                    _ = try Replay(file)
                }
            },
            Parser("a recorded URL") { text in { _ = URL(recorded: "https://h/?\(text)") } },
        ]
    }

    /// What a hostile server may repeat.
    static let atoms = [
        "a", "aA", "a-", "a:", "a=", "=&", "\"", "\\", "\\\"", "[", "{", "[[]],", "{\"a\":",
        "\"a\",",
        "%", "%25", "%3D", "%2525", ";", ",", ", ", " ", "\t", "<", "<a>", "&amp;", "eyJ.",
        "eyJhbGciOiJIUzI1NiJ9.", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "token=",
        "token: x, ",
        "\"password\":\"", "t0k3n1", "aaaaaaa", "//u:p@", "a;q=\"", "<https://h>; rel=\"a\", ",
        "a=1, ",
        "a;a=1,", "{\"name\":\"password\",", "é", "\n", "\r\n", "\n\n", "\r", "--b\r\n", "\r\n--b",
        "data: x\n", "data:\n\n", "a: b\r\n", ": \n", "{\"token\": \"x\"}\n",
    ]
}
