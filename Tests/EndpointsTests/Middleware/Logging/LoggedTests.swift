import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsMiddleware
@testable import EndpointsStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Logged transports")
struct LoggedTests {
    struct Search: FlatRequest {
        let words: String
        static let endpoint = Endpoint<Self>(
            method: .get, path: "search",
            parameters: [.query("q", path: \.words), .queryValue("api_key", value: "s3cret")])
        typealias Response = Data
    }

    /// A transport that is a closure.
    struct Stub: Transport {
        let respond: @Sendable (TransportRequest) async throws -> TransportResponse
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            try await respond(request)
        }
    }

    /// The lines of a log, without the times.
    actor Lines {
        private(set) var lines: [String] = []

        func add(_ event: LogEvent) {
            lines.append(event.description.replacing(/, [0-9.e-]+ s$/, with: ""))
        }
    }

    /// What is logged of one load.
    func log(
        of respond: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) async -> [String] {
        await Self.lines { Stub(respond: respond).logged($0) }
    }

    /// What is logged of one load by a transport.
    static func lines(
        of makeTransport: (@escaping @Sendable (LogEvent) -> Void) -> any Transport
    ) async -> [String] {
        let (events, continuation) = AsyncStream<LogEvent>.makeStream()
        let transport = makeTransport { continuation.yield($0) }
        _ = try? await transport.response(in: .production, with: Search(words: "a"))
        continuation.finish()
        let lines = Lines()
        for await event in events { await lines.add(event) }
        return await lines.lines
    }

    static let request = "Search GET https://api.example.com/v1/search?q=a&api_key=…"

    static func head(
        _ request: TransportRequest, _ status: Int, _ fields: [String: String]? = nil
    ) throws -> HTTPURLResponse {
        let url = try #require(request.urlRequest.url)
        return try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields))
    }

    @Test("A response is logged with its status and its bytes")
    func response() async {
        let lines = await log {
            TransportResponse(Data("abc".utf8), try Self.head($0, 200))
        }
        #expect(lines == [Self.request, "\(Self.request) -> 200, 3 bytes"])
    }

    @Test("Each attempt is logged with its number, or the whole load once")
    func attempts() async {
        let policy = RetryPolicy(firstDelay: 0)
        let stub = Stub { TransportResponse(Data(), try Self.head($0, $0.attempt < 3 ? 503 : 200)) }
        let inside = await Self.lines { stub.logged($0).retrying(policy) }
        #expect(
            inside == ["", " -> 503, 0 bytes"].map { Self.request + $0 }
                + ["", " -> 503, 0 bytes"].map { "\(Self.request) (attempt 2)\($0)" }
                + ["", " -> 200, 0 bytes"].map { "\(Self.request) (attempt 3)\($0)" })
        let outside = await Self.lines { stub.retrying(policy).logged($0) }
        #expect(outside == ["", " -> 200, 0 bytes"].map { Self.request + $0 })
    }

    /// The events of a transport that reports to a function.
    static func events(
        of send: (@escaping @Sendable (LogEvent) -> Void) async throws -> Void
    ) async throws -> [LogEvent] {
        let events = Locked<[LogEvent]>([])
        try await send { event in events.withLock { $0.append(event) } }
        return events.withLock { $0 }
    }

    @Test("All lines of a load have one id, whatever their attempt and layer")
    func loadID() async throws {
        let stub = Stub { TransportResponse(Data(), try Self.head($0, $0.attempt < 3 ? 503 : 200)) }
        let events = try await Self.events { log in
            let transport = stub.logged(log).retrying(RetryPolicy(firstDelay: 0)).logged(log)
            for _ in 0..<2 {
                _ = try await transport.response(in: .production, with: Search(words: "a"))
            }
        }
        try #require(events.count == 16)
        #expect(Set(events[..<8].map(\.loadID)).count == 1)
        #expect(Set(events[8...].map(\.loadID)).count == 1)
        #expect(events[0].loadID != events[8].loadID)
        #expect(events[..<8].map(\.attempt) == [1, 1, 1, 2, 2, 3, 3, 1])
        #expect(events.allSatisfy { $0.pathTemplate == "/v1/search" })
    }

    struct Headed: FlatRequest {
        let token: String
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a",
            headers: [
                "X-Api-Key": .field(path: \.token), "X-Kind": .fieldValue(value: "a"),
                "Referer": .fieldValue(value: "https://h/?token=s3cr3t-t0k3n"),
            ])
        typealias Response = Data
    }

    @Test("An event has the headers without their secrets, and the response's when it has arrived")
    func headers() async throws {
        let stub = Stub { request in
            let url = try #require(request.urlRequest.url)
            let head = try #require(
                HTTPURLResponse(
                    url: url, statusCode: 200, httpVersion: nil,
                    headerFields: [
                        "Set-Cookie": "a=s3cr3t-t0k3n", "X-Kind": "b",
                        "X-Echo": "you sent s3cr3t-t0k3n, and Bearer inner-t0k3n",
                        "Location": "/next?token=s3cr3t-t0k3n",
                    ]))
            return TransportResponse(Data(), head)
        }
        let inner = Stub { request in
            var request = request
            request.urlRequest.setValue("Bearer inner-t0k3n", forHTTPHeaderField: "Authorization")
            try request.check()
            return try await stub.send(request)
        }
        let events = try await Self.events { log in
            _ = try await inner.logged(log).response(
                in: .production, with: Headed(token: "s3cr3t-t0k3n"))
        }
        try #require(events.count == 2)
        for event in events {
            #expect(event.requestHeaders["X-Api-Key"] == "…")
            #expect(event.requestHeaders["X-Kind"] == "a")
            #expect(event.requestHeaders["Referer"] == "https://h/?token=…")
            #expect(event.requestHeaders["Authorization"] == nil)
        }
        #expect(events[0].responseHeaders == [:])
        #expect(
            events[1].responseHeaders == [
                "Set-Cookie": "…", "X-Kind": "b", "X-Echo": "you sent …, and …",
                "Location": "/next?token=…",
            ])
        var dumped = ""
        dump(events, to: &dumped)
        #expect(!dumped.contains("t0k3n"))
    }

    @Test("An error while the body arrives has the headers of its response")
    func headersOfFailure() async throws {
        let stub = Stub { request in
            let url = try #require(request.urlRequest.url)
            let head = try #require(
                HTTPURLResponse(
                    url: url, statusCode: 200, httpVersion: nil, headerFields: ["X-Kind": "b"]))
            return TransportResponse(
                body: ResponseBody { throw URLError(.networkConnectionLost) }, head)
        }
        let events = try await Self.events { log in
            _ = try? await stub.logged(log).response(in: .production, with: Search(words: "a"))
        }
        #expect(events.map { $0.responseHeaders["X-Kind"] } == [nil, "b"])
    }

    @Test("A response in chunks is logged when its last chunk has been read")
    func chunks() async {
        let lines = await log { request in
            let source = Chunks([Data("ab".utf8), Data("c".utf8)])
            return TransportResponse(
                body: ResponseBody { await source.next() }, try Self.head(request, 404))
        }
        #expect(lines == [Self.request, "\(Self.request) -> 404, 3 bytes"])
    }

    actor Chunks {
        private var rest: ArraySlice<Data>
        init(_ chunks: [Data]) { rest = chunks[...] }
        func next() -> Data? { rest.popFirst() }
    }

    @Test("A body that is not read to its end is logged when it is dropped")
    func dropped() async throws {
        let (events, continuation) = AsyncStream<LogEvent>.makeStream()
        let transport = Stub { request in
            let source = Chunks([Data("ab".utf8), Data("c".utf8)])
            return TransportResponse(
                body: ResponseBody { await source.next() }, try Self.head(request, 200))
        }.logged { continuation.yield($0) }
        let urlRequest = try Search(words: "a").urlRequest(in: .production)
        for try await _ in try await transport.send(
            TransportRequest(urlRequest, requestType: Search.self)
        ).body { break }
        continuation.finish()
        let lines = Lines()
        for await event in events { await lines.add(event) }
        #expect(
            await lines.lines == [
                Self.request, "\(Self.request) -> 200, 2 bytes, not read to the end",
            ])
    }

    @Test(
        "A body of no bytes is whole, although nobody reads it",
        arguments: [
            (204, [:]), (205, [:]), (304, [:]), (200, ["Content-Length": "0"]),
        ] as [(Int, [String: String])])
    func empty(status: Int, fields: [String: String]) async throws {
        let (events, continuation) = AsyncStream<LogEvent>.makeStream()
        let transport = Stub { request in
            TransportResponse(body: ResponseBody { nil }, try Self.head(request, status, fields))
        }.logged { continuation.yield($0) }
        let urlRequest = try Search(words: "a").urlRequest(in: .production)
        _ = try await transport.send(TransportRequest(urlRequest, requestType: Search.self))
        continuation.finish()
        let lines = Lines()
        for await event in events { await lines.add(event) }
        #expect(await lines.lines == [Self.request, "\(Self.request) -> \(status), 0 bytes"])
    }

    struct TwoLines: LocalizedError {
        var errorDescription: String? { "two\r\nlines" }
    }

    @Test(
        "An error is logged in one line, without a secret",
        arguments: [
            (URLError(.timedOut) as any Error, "it took too long (URLError -1001)"),
            (CancellationError(), "the load was cancelled"),
            (URLError(.cancelled), "the load was cancelled (URLError -999)"),
            (TwoLines(), "two lines"),
        ])
    func failure(row: (error: any Error, text: String)) async {
        let lines = await log { _ in throw row.error }
        #expect(lines == [Self.request, "\(Self.request) -> \(row.text)"])
    }

    struct RefreshToken: FlatRequest {
        struct ErrorResponse: Decodable, Sendable, LocalizedError {
            let message: String
            var errorDescription: String? { message }
        }
        static let endpoint = Endpoint<Self>(method: .post, path: "token")
        typealias Response = Data
    }

    static let tokenErrors: [(error: any Error, text: String)] = {
        let head = HTTPURLResponse(
            url: ServerEnvironment.production.baseUrl, statusCode: 400, httpVersion: nil,
            headerFields: nil)
        guard let head else { return [] }
        func response(_ message: String) -> RefreshToken.TaskError {
            let response = RefreshToken.ErrorResponse(message: message)
            return RefreshToken.TaskError.errorResponse(httpResponse: head, response: response)
                .traced(by: TransportRequest(URLRequest(url: url), requestType: RefreshToken.self))
        }
        let url = ServerEnvironment.production.baseUrl
        let unread = EndpointParseError(RefreshToken.self, cause: URLError(.timedOut))
        let unsent = EndpointError(requestType: "APIToken", field: .body, reason: "is too long")
        let failed = "RefreshToken: the server responded with an error, status 400"
        let signIn = "the credentials could not be read or refreshed: "
        return [
            (response("try later"), "\(failed): try later"),
            (SignInError(cause: response("try later")), "\(signIn)\(failed): try later"),
            (
                TransportError(cause: SignInError(cause: response("wait"))),
                "\(signIn)\(failed): wait"
            ),
            (unread, "RefreshToken: it took too long (URLError -1001)"),
            (unsent, "APIToken: the body is too long"),
            (
                SignInError(cause: RefreshToken.TaskError.endpointError(unsent)),
                "\(signIn)APIToken: the body is too long"
            ),
            (response("bad RefreshToken: t0k3n"), "…"),
            (SignInError(cause: response("token=t0k3n")), "…"),
            (TwoWords(), "…"),
        ]
    }()

    struct TwoWords: LocalizedError {
        var errorDescription: String? { "RefreshToken: t0k3n" }
    }

    @Test(
        "The name of a request type in an error isn't taken for that of a secret",
        arguments: tokenErrors)
    func typeName(row: (error: any Error, text: String)) async {
        let lines = await log { _ in throw row.error }
        #expect(lines == [Self.request, "\(Self.request) -> \(row.text)"])
    }

    @Test(
        "A URL is shown without user info and secret values",
        arguments: [
            ("https://h/a?b=c", "https://h/a?b=c"),
            ("https://u:p@h/a?Access-Token=x&b=1#f", "https://h/a?Access-Token=…&b=1"),
            ("https://h/?token", "https://h/?token"),
            ("https://h/?token=", "https://h/?token=…"),
            ("https://h/?%74oken=x&q=a@b", "https://h/?%74oken=…&q=a@b"),
            ("https://h?sig=a/b@c", "https://h?sig=…"),
            ("https://h/?a%5Bpassword%5D=x", "https://h/?a%5Bpassword%5D=…"),
            ("https://u@h?x=1", "https://h?x=1"), ("/a//u@h", "/a//u@h"), ("//u@h/a", "//h/a"),
            ("/r/http://u@h", "/r/http://u@h"), ("x+y-z.1://u@h", "x+y-z.1://h"),
            ("jdbc:postgresql://u:p@h/db", "jdbc:postgresql://h/db"),
        ])
    func masked(url: String, text: String) {
        #expect(SecretNames.usual.masked(URL(string: url)) == text)
    }

    struct Put: FlatRequest {
        let body: File
        static let endpoint = Endpoint<Self>(method: .put, path: "file")
        typealias Response = Data
    }

    @Test("An upload is logged with its length, and one that can't be read without")
    func upload() async throws {
        let file = try TemporaryFile(count: 1000)
        let files = [File(file.url), File(URL(fileURLWithPath: "/nowhere"))]
        let texts = Locked<[String]>([])
        let transport = Stub { TransportResponse(Data(), try Self.head($0, 200)) }
            .logged { event in texts.withLock { $0.append(event.description) } }
        for file in files {
            _ = try await transport.response(in: .production, with: Put(body: file))
        }
        let put = "Put PUT https://api.example.com/v1/file"
        #expect(texts.withLock { [$0[0], $0[2]] } == ["\(put), sends 1000 bytes", put])
    }
}
