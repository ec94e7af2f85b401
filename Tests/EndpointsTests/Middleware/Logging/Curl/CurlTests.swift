import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Curl commands", .needsServers)
struct CurlTests {
    struct Ask: FlatRequest {
        var id = "1"
        var words: String?
        var tags: [String] = []
        var token: String?
        var credentials: Credentials?
        static let endpoint = Endpoint<Self>(
            method: .get, path: "things/\(path: \.id)",
            parameters: [.query("q", path: \.words), .query("t", path: \.tags, style: .brackets)],
            headers: [
                "X-Token": .field(path: \.token), .authorization: .field(path: \.credentials),
            ])
        typealias Response = Recorded
    }

    struct Send<Body: Encodable>: FlatRequest {
        let body: Body
        static var endpoint: Endpoint<Self> { Endpoint(method: .post, path: "things") }
        typealias Response = Recorded
    }

    struct Fill: FlatRequest {
        let text: String
        static let endpoint = Endpoint<Self>(
            method: .put, path: "form", parameters: [.form("text", path: \.text)])
        typealias Response = Recorded
    }

    struct Attach: FlatRequest {
        let text: String
        let files: [File]
        static let endpoint = Endpoint<Self>(
            method: .post, path: "form",
            parameters: [.part("text", path: \.text), .part("file", path: \.files)])
        typealias Response = Recorded
    }

    /// An upload without a media type.
    struct Bare: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .post, path: "bare")
        typealias Response = Recorded

        func prepare(_ request: inout URLRequest) {
            request.upload = Upload([.data(Data("a=b".utf8))])
        }
    }

    struct Look: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .head, path: "form")
        typealias Response = Void
    }

    /// Runs a shell command and returns what it prints.
    static func run(_ command: String) throws -> Data {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command.replacingOccurrences(of: "curl ", with: "curl -sS ")]
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(command)")
        return data
    }

    /// What the recorder says of a request that curl sends, beside one that URLSession sends.
    func compare<Request: RequestType>(_ request: Request) async throws
    where Request.Response == Recorded, Request.Environment == ServerEnvironment {
        let server = try Server.recorder.environment
        let sent = try await URLSession.shared.response(in: server, with: request)
        let command = try request.curl(in: server, showsCredentials: true)
        let pasted = try JSONDecoder().decode(Recorded.self, from: try Self.run(command))
        #expect(pasted.method == sent.method)
        #expect(pasted.target == sent.target)
        #expect(pasted.bytes == sent.bytes)
        let names = try request.urlRequest(in: server).allHTTPHeaderFields ?? [:]
        for name in names.keys {
            #expect(pasted.values(of: name) == sent.values(of: name), "\(name): \(command)")
        }
        #expect(pasted.values(of: "Content-Type") == sent.values(of: "Content-Type"))
    }

    @Test(
        "A pasted curl command sends the bytes of the request, whatever its text",
        arguments: Texts.all)
    func texts(text: String) async throws {
        let isHeader = !text.utf8.contains { ($0 < 32 && $0 != 9) || $0 == 127 }
        let isSegment = !["", ".", ".."].contains(text)
        try await compare(
            Ask(
                id: isSegment ? text : "1", words: text, tags: [text, ""],
                token: isHeader ? text : nil))
        try await compare(Send(body: text))
        try await compare(Send(body: [text: text]))
        try await compare(Fill(text: text))
    }

    @Test("A pasted curl command sends bytes that aren't text")
    func bytes() async throws {
        try await compare(Send(body: Data((0...255).map { UInt8($0) })))
        try await compare(Send(body: Data([0])))
        try await compare(Send(body: Data()))
        try await compare(Ask(credentials: .basic(username: "a'b", password: "$c \"d\"")))
    }

    @Test("A pasted curl command sends the bytes of a file and of a multipart body")
    func uploads() async throws {
        let files = try ["a b.txt", "it's $1 %s.bin", "empty"].enumerated().map { index, name in
            try TemporaryFile(count: index == 2 ? 0 : 1000 * index + 300, name: name)
        }
        for file in files { try await compare(Send(body: File(file.url))) }
        try await compare(Send(body: File(Data("a'b\\n%d\u{0}\n1".utf8))))
        try await compare(
            Send(
                body: Multipart(
                    [.text("é'\"", "100% \\x\r\n")]
                        + files.map { file in
                            .file("f", File(file.url))
                        })))
        try await compare(Bare())
        // Its boundary is another one in each request.
        let attach = Attach(text: "a", files: files.map { File($0.url) })
        let command = try attach.curl(in: Server.recorder.environment)
        let pasted = try JSONDecoder().decode(Recorded.self, from: try Self.run(command))
        let sent = try await Server.recorder.response(to: attach)
        #expect(pasted.bytes?.count == sent.bytes?.count)
        let type = try #require(pasted.values(of: "Content-Type").first)
        let boundary = try #require(type.split(separator: "boundary=").last)
        let end = Data("--\(boundary)--\r\n".utf8)
        #expect(pasted.bytes?.suffix(end.count) == end)
    }

    @Test("A curl command has shell variables for credentials, unless they are requested")
    func credentials() throws {
        let command = try Ask(credentials: .bearer("t0k3n")).curl(in: .production)
        #expect(!command.contains("t0k3n"))
        #expect(command.contains(#"--header "Authorization: $AUTHORIZATION""#))
        let open = try Ask(credentials: .bearer("t0k3n"))
            .curl(in: .production, showsCredentials: true)
        #expect(open.contains("--header 'Authorization: Bearer t0k3n'"))
    }

    @Test("With its variables set, a curl command sends the credentials that it doesn't show")
    func variables() async throws {
        var server = try Server.recorder.environment
        var address = URLComponents(url: server.baseUrl, resolvingAgainstBaseURL: true)
        address?.user = "ann"
        address?.password = "r1ght"
        server.baseUrl = try #require(address?.url)
        let signed = try Ask(credentials: .bearer("t0k3n")).curl(in: server)
        let command = "AUTHORIZATION='Bearer t0k3n' USER_INFO=ann:r1ght\n" + signed
        let pasted = try JSONDecoder().decode(Recorded.self, from: try Self.run(command))
        #expect(pasted.values(of: "Authorization") == ["Bearer t0k3n"])
        let open = "USER_INFO=ann:r1ght\n" + (try Ask().curl(in: server))
        let basic = try JSONDecoder().decode(Recorded.self, from: try Self.run(open))
        #expect(basic.values(of: "Authorization") == ["Basic YW5uOnIxZ2h0"])
    }

    @Test("A curl command sends HEAD, and a request that can't be made throws")
    func methods() throws {
        #expect(
            try Look().curl(in: .production).hasPrefix(
                "curl --head \\\n  --globoff --path-as-is \\\n  --url 'https://"))
        #expect(throws: EndpointError.self) { try Ask(id: "..").curl(in: .production) }
    }
}
