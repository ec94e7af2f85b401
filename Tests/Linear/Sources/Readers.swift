import Endpoints
import EndpointsCache
import EndpointsMiddleware
import EndpointsStreams
import EndpointsTesting
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What reads something that a server or a user gives, and is fed a long text.
struct Reader: Sendable {
    let name: String
    /// Whether it reads the value of a header, which has no line ends.
    var isOfHeader = false
    /// Makes what it reads, which isn't measured.
    let prepare: @Sendable (String) throws -> @Sendable () async throws -> Void
}

private struct Get: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "a")
    typealias Response = Data
}

private struct GetBytes: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "a")
    typealias Response = ByteStream
}

private struct GetEvents: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "a")
    typealias Response = EventStream<String>
}

private struct GetLines: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "a")
    typealias Response = Lines
}

/// A transport with one response for each request, of which the last is repeated.
private final class Answers: Transport, @unchecked Sendable {
    private let lock = NSLock()
    private var answers: [(status: Int, fields: [String: String], body: Data, isCut: Bool)]

    init(_ answers: (status: Int, fields: [String: String], body: Data, isCut: Bool)...) {
        self.answers = answers
    }

    convenience init(_ fields: [String: String], _ body: Data = Data("a".utf8)) {
        self.init((200, fields, body, false))
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let answer = lock.withLock { answers.count > 1 ? answers.removeFirst() : answers[0] }
        guard let url = request.urlRequest.url,
            let head = HTTPURLResponse(
                url: url, statusCode: answer.status, httpVersion: nil, headerFields: answer.fields)
        else { throw URLError(.badURL) }
        guard answer.isCut else { return TransportResponse(answer.body, head) }
        let body = Cut(body: answer.body)
        return TransportResponse(body: ResponseBody { try body.next() }, head)
    }
}

/// A body whose connection is lost after its first bytes.
private final class Cut: @unchecked Sendable {
    private let lock = NSLock()
    private var body: Data?

    init(body: Data) { self.body = body }

    func next() throws -> Data {
        try lock.withLock {
            guard let next = body else { throw URLError(.networkConnectionLost) }
            body = nil
            return next
        }
    }
}

private let server = ServerEnvironment(baseUrl: URL(string: "https://h")!)

private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("linear-\(ProcessInfo.processInfo.processIdentifier)")

private func file() throws -> URL {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appendingPathComponent("a")
}

private let immediate = TransportClock(
    date: { Date() }, uptime: { 0 }, sleep: { _ in }, random: { 0 })

extension Reader {
    /// A body, whose secrets are masked in a recording.
    private static func body(_ type: String, _ before: String = "", _ after: String = "") -> Reader
    {
        Reader(name: "a recorded body, \(type) \(before)") { text in
            let answers = Answers(["Content-Type": type], Data((before + text + after).utf8))
            return {
                let recorder = try Recorder(answers, to: file())
                _ = try await recorder.response(in: server, with: Get())
            }
        }
    }

    /// The headers of a request, whose secrets are hidden in a snapshot.
    private static func sent(_ name: String, _ before: String = "") -> Reader {
        Reader(name: "\(name) of a request", isOfHeader: true) { text in
            let value = before + text
            let server = ServerEnvironment(baseUrl: server.baseUrl) {
                $0.setValue(value, forHTTPHeaderField: name)
            }
            return { _ = try Get().snapshot(in: server) }
        }
    }

    /// The head of a response.
    private static func head(
        _ name: String, _ before: String = "",
        _ read: @escaping @Sendable (HTTPURLResponse) throws -> Void
    ) -> Reader {
        Reader(name: name, isOfHeader: true) { text in
            let head = HTTPURLResponse(
                url: server.baseUrl, statusCode: 200, httpVersion: nil,
                headerFields: [name: before + text])
            return { try head.map(read) }
        }
    }

    /// A response that is stored, given out, and asked for again.
    private static func stored(_ name: String, _ before: String = "") -> Reader {
        Reader(name: "\(name) of a stored response", isOfHeader: true) { text in
            // As many other headers as bytes by the hundred, as a server may send.
            var fields = ["Cache-Control": "max-age=60", "ETag": "\"a\"", "Vary": "A"]
            for index in 0..<text.utf8.count / 400 { fields["X-\(index)"] = "1" }
            let again = fields
            fields[name] = before + text
            return { [fields] in
                let answers = Answers(
                    (200, fields, Data("a".utf8), false), (304, again, Data(), false))
                let cache = answers.cached(in: .memory(megabytes: 100))
                _ = try await cache.response(in: server, with: Get())
                _ = try? await cache.response(in: server, with: Get())
            }
        }
    }

    static let all: [Reader] = [
        body(""), body("application/json", "{\"a\":\"", "\"}"), body("application/json", "["),
        body("application/x-www-form-urlencoded"), body("text/event-stream"),
        body("application/x-ndjson"), body("multipart/form-data; boundary=b", "--b\r\n"),
        Reader(name: "a URL that is masked") { text in
            let text = text.third
            let url = URL(recordable: "https://h/\(text)?\(text)#\(text)")
            return { _ = SecretNames.usual.masked(url) }
        },
        Reader(name: "a name") { text in
            return { _ = SecretNames.usual.contains(text, in: .query) }
        },
        sent("Authorization", "Digest "), sent("Cookie"), sent("X-Debug"), sent("Content-Type"),
        Reader(name: "the headers of a part", isOfHeader: true) { text in
            let part = "--b\r\nContent-Disposition: form-data; \(text)\r\n\r\na\r\n--b--"
            let answers = Answers(
                ["Content-Type": "multipart/form-data; boundary=b"], Data(part.utf8))
            return {
                let recorder = try Recorder(answers, to: file())
                _ = try await recorder.response(in: server, with: Get())
            }
        },
        Reader(name: "WWW-Authenticate of a recorded response", isOfHeader: true) { text in
            let answers = Answers(["WWW-Authenticate": "Digest \(text)"])
            return {
                let recorder = try Recorder(answers, to: file())
                _ = try await recorder.response(in: server, with: Get())
            }
        },
        head("Link") { _ = $0.links }, head("RateLimit") { _ = RateLimit($0) },
        head("Retry-After") { _ = RateLimit($0) },
        stored("Cache-Control"), stored("Vary"), stored("Connection"),
        Reader(name: "Content-Range", isOfHeader: true) { text in
            let range = ["Content-Range": "bytes 1-\(text)", "ETag": "\"a\""]
            return {
                let answers = Answers(
                    (200, ["ETag": "\"a\"", "Content-Length": "9"], Data("a".utf8), true),
                    (206, range, Data("b".utf8), false))
                let target = try file()
                let bytes = try await answers.response(in: server, with: GetBytes())
                try? await bytes.save(to: target, ifExists: .replace, clock: immediate)
            }
        },
        Reader(name: "server-sent events") { text in
            return {
                let answers = Answers(
                    (200, ["Content-Type": "text/event-stream"], Data(text.utf8), false),
                    (204, [:], Data(), false))
                let events = try await answers.response(in: server, with: GetEvents())
                for try await _ in events.reconnecting(atMost: 1, clock: immediate) {}
            }
        },
        Reader(name: "lines") { text in
            let answers = Answers([:], Data(text.utf8))
            return {
                for try await _ in try await answers.response(in: server, with: GetLines()) {}
            }
        },
        Reader(name: "an archive") { text in
            let text = text.third
            let entry: [String: Any] = [
                "request": [
                    "method": "POST", "url": "https://h/?\(text)", "headers": [] as [String],
                    "postData": ["mimeType": "text/plain", "text": text],
                ] as [String: Any],
                "response": ["status": 200, "content": ["text": text]] as [String: Any],
            ]
            let data = try JSONSerialization.data(withJSONObject: ["log": ["entries": [entry]]])
            try data.write(to: try file())
            return { _ = try Replay(file()) }
        },
        Reader(name: "an archive that is broken") { text in
            try Data(text.utf8).write(to: try file())
            return { _ = try? Replay(file()) }
        },
    ]

    /// What a hostile server may repeat.
    static let atoms = [
        "a", "a-", "a:", "a=", "=&", "\"", "\\", "[", "{\"a\":", "\"a\",", "%", "%2525", ";", ", ",
        " ", "<a>", "eyJhbGciOiJIUzI1NiJ9.", "-----BEGIN PRIVATE KEY-----", "token: x, ",
        "\"password\":\"", "aaaaaaa", "//u:p@", "<https://h>; rel=\"a\", ", "a;a=1,",
        "{\"name\":\"password\",", "é", "\n", "\r", "--b\r\n", "data: x\n",
    ]
}

extension String {
    /// The first third, of something that has the text three times.
    fileprivate var third: String {
        String(decoding: utf8.prefix(utf8.count / 3), as: UTF8.self)
    }
}

extension URL {
    /// A URL of any text, with an escape for each character that isn't legal in a URL.
    fileprivate init?(recordable text: String) {
        let escapes = (UInt8.min...UInt8.max).map { byte -> [UInt8] in
            let isLegal =
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'()*+,-./:;=?@_~".utf8.contains(byte)
                }
            let digits = String(byte, radix: 16, uppercase: true)
            return isLegal ? [byte] : Array("%\(digits.count < 2 ? "0" : "")\(digits)".utf8)
        }
        var escaped: [UInt8] = []
        for byte in text.utf8 { escaped += escapes[Int(byte)] }
        self.init(string: String(decoding: escaped, as: UTF8.self))
    }
}
