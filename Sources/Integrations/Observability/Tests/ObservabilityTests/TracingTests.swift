import Endpoints
import EndpointsMiddleware
import EndpointsTesting
import EndpointsTracing
import Foundation
import HTTPConventions
import InMemoryTracing
import Testing
import Tracing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Traces by swift-distributed-tracing")
struct TracingTests {
    /// The spans of what a function does.
    static func spans(
        of load: nonisolated(nonsending) () async -> Void
    ) async -> [FinishedInMemorySpan] {
        let tracer = InMemoryTracer()
        await withTracer(tracer) { await load() }
        return tracer.finishedSpans
    }

    static func spans<Request: RequestType>(
        of request: Request, _ transport: any Transport, in server: Request.Environment
    ) async -> [FinishedInMemorySpan] {
        await spans { _ = try? await transport.response(in: server, with: request) }
    }

    @Test("A request is a client span with HTTP's attributes, and takes its context along")
    func span() async throws {
        let stub = StubTransport()
        stub.on(GetUser.self, .throwing(URLError(.networkConnectionLost)), .status(404))
        let spans = await Self.spans(
            of: GetUser(id: 42), stub.traced().retrying(RetryPolicy(firstDelay: 0)), in: server)
        try #require(spans.count == 2)
        #expect(spans.map(\.operationName) == ["GET /users/{id}", "GET /users/{id}"])
        #expect(spans.map(\.kind) == [.client, .client])
        for span in spans {
            #expect(
                span.attributes.get("url.full")
                    == .string("https://api.example.com/users/42?token=…"))
            #expect(span.attributes.get("url.template") == .string("/users/{id}"))
            #expect(span.attributes.get("server.address") == .string("api.example.com"))
            #expect(span.attributes.get("server.port") == .int64(443))
            #expect(span.attributes.get("http.request.method_original") == nil)
            #expect(span.status?.code == .error)
            #expect(span.errors.isEmpty)
        }
        #expect(spans[0].attributes.get("http.request.resend_count") == nil)
        #expect(spans[0].attributes.get("error.type") == .string("URLError.networkConnectionLost"))
        #expect(spans[1].attributes.get("http.request.resend_count") == .int64(1))
        #expect(spans[1].attributes.get("http.response.status_code") == .int64(404))
        #expect(spans[1].attributes.get("error.type") == .string("404"))
        let key = InMemoryTracer.spanIDKey
        #expect(
            stub.sent.map { $0.urlRequest.value(forHTTPHeaderField: key) } == spans.map(\.spanID))
    }

    static let names: [(request: any RequestType & Sendable, base: String, name: String)] = [
        (GetUser(id: 42), "https://h", "GET /users/{id}"),
        (GetUser(id: 42), "https://h/v1/", "GET /v1/users/{id}"),
        (Lock(), "https://h", "HTTP /file"),
        (Hook(token: Secret("s3cr3t")), "https://h", "GET /hooks/{token}"),
    ]

    @Test("A span is named by the method and the declared path", arguments: names)
    func name(row: (request: any RequestType & Sendable, base: String, name: String)) async throws {
        let server = ServerEnvironment(baseUrl: try #require(URL(string: row.base)))
        func spans<R: RequestType>(_ request: R) async throws -> [FinishedInMemorySpan] {
            await Self.spans(
                of: request, Answer().traced(), in: try #require(server as? R.Environment))
        }
        let all = try await spans(row.request)
        #expect(all.map(\.operationName) == [row.name])
        for span in all { #expect(!"\(span)".contains("s3cr3t")) }
    }

    @Test("A request without a declared path is named by its method alone")
    func noTemplate() async throws {
        let location = try #require(URL(string: "https://api.example.com/users/42"))
        let spans = await Self.spans {
            let traced = Answer().traced()
            _ = try? await traced.response(in: server, with: GetBytes(), at: location)
            _ = try? await traced.send(
                TransportRequest(URLRequest(url: location), requestType: GetBytes.self))
        }
        #expect(spans.map(\.operationName) == ["GET", "GET"])
        #expect(spans.allSatisfy { $0.attributes.get("url.template") == nil })
    }

    @Test("A method that isn't known is `_OTHER`, and is kept as it was sent")
    func otherMethod() async throws {
        let span = try #require(await Self.spans(of: Lock(), Answer().traced(), in: server).first)
        #expect(span.attributes.get("http.request.method") == .string("_OTHER"))
        #expect(span.attributes.get("http.request.method_original") == .string("LOCK"))
    }

    @Test(
        "The known methods are HTTP's, or those of the variable alone",
        arguments: [
            (nil, "QUERY", true), (nil, "LOCK", false), (nil, "get", false),
            ("LOCK, GET", "LOCK", true), ("LOCK, GET", "GET", true), ("LOCK, GET", "PUT", false),
            ("", "GET", false),
        ] as [(String?, String, Bool)])
    func knownMethods(variable: String?, method: String, isKnown: Bool) {
        #expect(ClientRequest.knownMethods(in: variable).contains(method) == isKnown)
    }

    @Test(
        "The port is that of the URL, or of its scheme",
        arguments: [
            ("https://h", "h", 443), ("http://h", "h", 80), ("http://h:8080/a", "h", 8080),
            ("https://u:p@h:1", "h", 1), ("http://127.0.0.1", "127.0.0.1", 80),
            ("http://[::1]:8080", "::1", 8080),
        ])
    func port(base: String, address: String, port: Int64) async throws {
        let server = ServerEnvironment(baseUrl: try #require(URL(string: base)))
        let span = try #require(
            await Self.spans(of: GetBytes(), Answer().traced(), in: server).first)
        #expect(span.attributes.get("server.address") == .string(address))
        #expect(span.attributes.get("server.port") == .int64(port))
        #expect(!"\(span.attributes)".contains("u:p"))
    }

    @Test(
        "The query items that the conventions call secret are hidden",
        arguments: [
            "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "AWSAccessKeyId",
            "Signature", "sig", "X-Goog-Signature",
        ])
    func secretNames(name: String) async throws {
        let server = ServerEnvironment(
            baseUrl: try #require(URL(string: "https://h?\(name)=s3cr3t")))
        let span = try #require(
            await Self.spans(of: GetBytes(), Answer().traced(), in: server).first)
        #expect(span.attributes.get("url.full") == .string("https://h/bytes?\(name)=…"))
    }

    @Test(
        "An error is told by its kind, without its text, and a cancelled load isn't one",
        arguments: [
            (URLError(.timedOut, userInfo: ["token": "t0k3n"]) as any Error, "URLError.timedOut"),
            (NSError(domain: NSURLErrorDomain, code: -1001), "URLError.timedOut"),
            (NSError(domain: NSURLErrorDomain, code: -4711), "URLError -4711"),
            (NSError(domain: "Own", code: 7), "Own 7"),
            (TransportError(cause: URLError(.cannotFindHost)), "URLError.cannotFindHost"),
            (OwnError(token: "t0k3n"), "ObservabilityTests.OwnError"),
            (URLError(.cancelled), nil), (CancellationError(), nil),
            (TransportError(cause: CancellationError()), nil),
        ] as [(any Error, String?)])
    func errors(error: any Error, type: String?) async throws {
        let span = try #require(
            await Self.spans(of: GetBytes(), Answer(throwing: error).traced(), in: server).first)
        #expect(span.attributes.get("error.type") == type.map { .string($0) })
        #expect(span.status?.code == (type == nil ? nil : .error))
        #expect(span.status?.message == nil)
        #expect(span.errors.isEmpty)
    }

    @Test("The name of an error that is declared in a function has no address")
    func localError() {
        struct Local: Error {}
        #expect(Local().httpErrorType == "Local")
    }

    @Test(
        "The bytes of a body are those that were transferred",
        arguments: [
            ("abc", [:], 3), ("abc", ["Content-Encoding": "gzip", "Content-Length": "20"], 20),
            ("abc", ["Content-Encoding": "gzip"], nil),
            ("abc", ["Content-Encoding": "Identity"], 3),
            ("", ["Content-Length": "500"], 0),
        ] as [(String, [String: String], Int64?)])
    func sizes(body: String, headers: [String: String], size: Int64?) async throws {
        let span = try #require(
            await Self.spans(
                of: AddUser(body: "äb"), Answer(200, body, headers).traced(), in: server
            ).first)
        #expect(span.attributes.get("http.request.body.size") == .int64(3))
        #expect(span.attributes.get("http.response.body.size") == size.map { .int64($0) })
    }

    @Test("A span ends with the head of a response that is read while it arrives")
    func stream() async throws {
        let tracer = InMemoryTracer()
        try await withTracer(tracer) {
            let urlRequest = try GetBytes().urlRequest(in: server)
            let response = try await Answer(["ab", "c"]).traced().send(
                TransportRequest(urlRequest, requestType: GetBytes.self))
            #expect(tracer.finishedSpans.count == 1)
            #expect(try await response.body.data(upTo: 10) == Data("abc".utf8))
        }
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.attributes.get("http.response.status_code") == .int64(200))
        #expect(span.attributes.get("http.response.body.size") == nil)
    }

    @Test(
        "Outside of `retrying`, a span has all attempts, and written twice it is within another")
    func order() async throws {
        let failing = Answer { request in
            TransportResponse(Data(), try Answer.head(request, request.attempt < 3 ? 503 : 200))
        }
        let policy = RetryPolicy(firstDelay: 0)
        let outside = await Self.spans(
            of: GetBytes(), failing.retrying(policy).traced(), in: server)
        #expect(outside.map { $0.attributes.get("http.response.status_code") } == [.int64(200)])
        let inside = await Self.spans(
            of: GetBytes(), failing.traced().retrying(policy), in: server)
        #expect(
            inside.map { $0.attributes.get("http.request.resend_count") }
                == [nil, .int64(1), .int64(2)])
        let both = await Self.spans(
            of: GetBytes(), failing.traced().retrying(policy).traced(), in: server)
        try #require(both.count == 4)
        #expect(both[..<3].map(\.parentSpanID) == [both[3].spanID, both[3].spanID, both[3].spanID])
    }
}
