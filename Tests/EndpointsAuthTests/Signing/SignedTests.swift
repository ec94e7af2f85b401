import Endpoints
import EndpointsAuth
import EndpointsCache
import EndpointsMiddleware
import EndpointsShared
import EndpointsStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct SignedTests {
    typealias Reply = SigningServer.Reply

    private static func redirect(_ status: Int, _ location: String) -> Reply {
        Reply(status: status, fields: ["Location": location])
    }

    /// What the server does, and what it gets.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = "POST"
        var policy = LoadPolicy.default
        let replies: [String: [Reply]]
        let asked: [String]
    }

    static let redirects: [Row] = [
        Row(
            testDescription: "307 to the same origin",
            replies: ["/x": [redirect(307, "/y")]],
            asked: ["POST /x right", "POST /y right"]),
        Row(
            testDescription: "303 to the same origin",
            replies: ["/x": [redirect(303, "/y?q=1")]],
            asked: ["POST /x right", "GET /y right"]),
        Row(
            testDescription: "Three redirects to the same origin",
            replies: [
                "/x": [redirect(308, "y")], "/y": [redirect(302, "https://a.test/z")],
                "/z": [redirect(301, "//a.test:443/end")],
            ],
            asked: ["POST /x right", "POST /y right", "GET /z right", "GET /end right"]),
        Row(
            testDescription: "307 to another host",
            replies: ["/x": [redirect(307, "https://b.test/y")]],
            asked: ["POST /x right", "POST b.test/y none"]),
        Row(
            testDescription: "307 to another port",
            replies: ["/x": [redirect(307, "https://a.test:444/y")]],
            asked: ["POST /x right", "POST /y none"]),
        Row(
            testDescription: "Away and back",
            replies: [
                "/x": [redirect(307, "https://b.test/y")],
                "b.test/y": [redirect(307, "https://a.test/z")],
                "/z": [redirect(307, "/end")],
            ],
            asked: ["POST /x right", "POST b.test/y none", "POST /z none", "POST /end none"]),
        Row(
            testDescription: "To http, which the policy allows", method: "GET",
            policy: LoadPolicy(allowsInsecureRedirects: true),
            replies: ["/x": [redirect(302, "http://a.test/y")]],
            asked: ["GET /x right", "GET /y none"]),
        Row(
            testDescription: "A policy that follows none",
            policy: LoadPolicy(redirects: .doNotFollow),
            replies: ["/x": [redirect(307, "/y")]], asked: ["POST /x right"]),
        Row(
            testDescription: "A policy that follows to the same origin",
            policy: LoadPolicy(redirects: .followSameOrigin),
            replies: ["/x": [redirect(307, "/y")], "/y": [redirect(307, "https://b.test/z")]],
            asked: ["POST /x right", "POST /y right"]),
    ]

    @Test(arguments: redirects)
    func `Each request of a redirect to the same origin has a signature of its own`(
        _ row: Row
    ) async throws {
        let server = SigningServer(row.replies)
        let transport = server.signed(by: KeySigner(), clock: tickingClock())
        var urlRequest = URLRequest(url: try #require(URL(string: "https://a.test/x")))
        urlRequest.httpMethod = row.method
        urlRequest.httpBody = row.method == "POST" ? Data("b0dy".utf8) : nil
        _ = try await transport.send(
            TransportRequest(urlRequest, policy: row.policy, requestType: Post.self))
        #expect(server.asked == row.asked)
        let signatures = server.received.compactMap { $0.fields["X-Signature"] }
        #expect(Set(signatures).count == signatures.count)
        #expect(server.received.allSatisfy { !$0.isFollowing })
        for received in server.received where received.signature == "none" {
            #expect(received.fields["X-Signed-At"] == nil)
            // A session then doesn't add its own secrets.
            #expect(received.leavesOrigin)
        }
    }

    @Test func `A redirect limit ends the load`() async {
        let server = SigningServer(["/x": [Self.redirect(307, "/x")]])
        let client = EndpointClient(server.signed(by: KeySigner()), in: .a)
        await #expect(throws: Get.TaskError.self) { try await client(Get()) }
        #expect(server.asked.count == 21)
    }

    /// The middleware around the signature, by its name.
    static let layers = ["retrying", "authorized", "coalesced", "cached", "limited", "logged"]

    private static func wrap(
        _ transport: any Transport, _ name: String, _ clock: TransportClock
    ) -> any Transport {
        switch name {
        case "retrying":
            transport.retrying(RetryPolicy(addsIdempotencyKeys: true), clock: clock)
        case "authorized":
            transport.authorized(
                by: MemoryCredentials(for: ServerEnvironment.a, AccessToken(.bearer("old"))) { _ in
                    AccessToken(.bearer("new"))
                }, clock: clock)
        case "coalesced": transport.coalesced(clock: clock)
        case "cached": transport.cached(in: .memory(megabytes: 1))
        case "limited": transport.limited(perOrigin: 2, clock: clock)
        default: transport.logged { _ in }
        }
    }

    /// Each order of each three of the middleware, and what the server does.
    static let orders: [[String]] = layers.flatMap { first in
        layers.flatMap { second in
            layers.compactMap { third in
                Set([first, second, third]).count == 3 ? [first, second, third] : nil
            }
        }
    }

    @Test(arguments: orders)
    func `In each order of middleware, each attempt has a signature that is right`(
        _ order: [String]
    ) async throws {
        let needed = order.contains("authorized") ? "new" : nil
        for method in ["GET", "POST"] {
            let server = SigningServer([
                "/x": [
                    Reply(status: order.contains("retrying") ? 503 : 200),
                    Self.redirect(307, "/y"),
                ],
                "/y": [Reply(token: needed)],
            ])
            let clock = tickingClock()
            var transport: any Transport = server.signed(by: KeySigner(), clock: clock)
            for name in order { transport = Self.wrap(transport, name, clock) }
            let client = EndpointClient(AnyOf(base: transport), in: .a)
            if method == "GET" { _ = try await client(Get()) } else { _ = try await client(Post()) }
            #expect(server.received.allSatisfy { $0.signature == "right" }, "\(server.asked)")
            let signatures = server.received.compactMap { $0.fields["X-Signature"] }
            #expect(Set(signatures).count == signatures.count)
            // A key belongs to the request, and a signature to the attempt.
            let keys = Set(server.received.map { $0.fields["Idempotency-Key"] ?? "" })
            #expect(keys.count == 1)
            #expect(keys.first?.isEmpty == !(method == "POST" && order.contains("retrying")))
        }
    }

    /// A middleware that must not be inside of a signature, and what the error says.
    static let inside: [(String, String)] = layers.map { ($0, $0 == "logged" ? "" : $0) }

    @Test(arguments: inside)
    func `Around other middleware than a log, each request is refused`(
        name: String, named: String
    ) async throws {
        let server = SigningServer()
        let transport = AnyOf(base: Self.wrap(server, name, tickingClock()))
        let client = EndpointClient(transport.signed(by: KeySigner()), in: .a)
        guard !named.isEmpty else {
            _ = try await client(Get())
            return #expect(server.asked == ["GET /x right"])
        }
        let error = await #expect(throws: Get.TaskError.self) { try await client(Get()) }
        #expect("\(try #require(error))".contains("`signed(by:)` around `\(named)"))
        #expect(server.asked.isEmpty)
    }

    @Test func `A request at a URL of another server is signed only if that is trusted`()
        async throws
    {
        let server = SigningServer()
        let url = try #require(URL(string: "https://b.test/x"))
        for trusted in [[], [url]] {
            let transport = server.signed(by: KeySigner(), trusting: trusted)
            _ = try await transport.response(in: .a, with: Get(), at: url)
        }
        #expect(server.asked == ["GET b.test/x none", "GET b.test/x right"])
    }

    @Test func `A trusted URL without a host is refused`() async throws {
        let url = try #require(URL(string: "b.test"))
        let transport = SigningServer().signed(by: KeySigner(), trusting: [url])
        let error = await #expect(throws: Get.TaskError.self) {
            try await transport.response(in: .a, with: Get())
        }
        #expect("\(try #require(error))".contains("signed(by:trusting: [b.test])"))
    }

    @Test func `A file is signed as it is at each attempt`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("one".utf8).write(to: file)
        let server = SigningServer(["/x": [Reply(status: 503), Reply()]])
        let transport = server.signed(by: KeySigner()).retrying(
            clock: TransportClock(
                date: { Date() }, uptime: { 0 },
                sleep: { _ in try Data("other".utf8).write(to: file) }, random: { 0 }))
        _ = try await transport.response(in: .a, with: Put(body: File(file)))
        #expect(server.asked == ["PUT /x right", "PUT /x right"])
        #expect(server.received.map(\.body) == ["one", "other"])
    }

    @Test func `A body that can be read only once isn't signed`() async throws {
        var urlRequest = URLRequest(url: try #require(URL(string: "https://a.test/x")))
        urlRequest.httpMethod = "PUT"
        urlRequest.httpBodyStream = InputStream(data: Data("b0dy".utf8))
        let transport = SigningServer().signed(by: KeySigner())
        let request = TransportRequest(urlRequest, requestType: Get.self)
        let error = await #expect(throws: EndpointError.self) { try await transport.send(request) }
        #expect("\(try #require(error))".contains("can be read only once, so it can't be signed"))
    }

    @Test func `A stream that connects again is signed again`() async throws {
        let server = SigningServer([
            "/events": [
                Reply(
                    fields: ["Content-Type": "text/event-stream"],
                    body: "id: 1\nretry: 1\ndata: a\n\n", breaksOff: true),
                Reply(fields: ["Content-Type": "text/event-stream"], body: "data: b\n\n"),
                Reply(status: 204),
            ]
        ])
        let transport = server.signed(by: KeySigner(), clock: tickingClock())
        var events: [String] = []
        for try await event in try await transport.response(in: .a, with: Events()) {
            events.append(event.data)
            if events.count == 2 { break }
        }
        #expect(events == ["a", "b"])
        #expect(server.asked.prefix(2) == ["GET /events right", "GET /events right"])
        #expect(server.received[1].fields["Last-Event-Id"] == "1")
    }

    @Test func `A download that goes on is signed again`() async throws {
        let fields = ["ETag": "\"v\"", "Accept-Ranges": "bytes"]
        let rest = ["Content-Range": "bytes 3-5/6", "Content-Length": "3"]
        let server = SigningServer([
            "/archive": [
                Reply(
                    fields: fields.merging(["Content-Length": "6"]) { $1 }, body: "abc",
                    breaksOff: true),
                Reply(status: 206, fields: fields.merging(rest) { $1 }, body: "def"),
            ]
        ])
        let clock = tickingClock()
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let transport = server.signed(by: KeySigner(), clock: clock)
        let archive = try await transport.response(in: .a, with: GetArchive())
        try await archive.save(to: file, clock: clock)
        #expect(try Data(contentsOf: file) == Data("abcdef".utf8))
        #expect(server.asked == ["GET /archive right", "GET /archive right"])
        #expect(server.received.last?.fields["Range"] == "bytes=3-")
    }

    @Test func `What a signer sets is hidden in errors and logs`() async throws {
        let server = SigningServer(["/x": [Reply(status: 403)]])
        let lines = Locked<[String]>([])
        let inner = server.logged { event in lines.withLock { $0.append("\(event)") } }
        let transport = inner.signed(by: KeySigner(), clock: tickingClock()).logged { event in
            lines.withLock { $0.append("\(event)") }
        }
        let error = await #expect(throws: Get.TaskError.self) {
            try await transport.response(in: .a, with: Get())
        }
        let signature = try #require(server.received.first?.fields["X-Signature"])
        let texts = lines.withLock { $0 } + [(try #require(error)).debugDescription]
        #expect(texts.count == 5)
        #expect(server.received.allSatisfy { $0.hidesTime })
        #expect(texts.allSatisfy { !$0.contains(signature) && !$0.contains("k3y") })
    }

    @Test func `A cache keeps the responses of two signers apart`() async throws {
        let server = SigningServer(["/x": [Reply(fields: ["Cache-Control": "max-age=60"])]])
        let storage = CacheStorage.memory(megabytes: 1)
        let tokens = MemoryCredentials(for: ServerEnvironment.a, AccessToken(.bearer("t"))) { $0 }
        let transports = ["one", "two"].map { key in
            server.signed(by: KeySigner(key: key)).authorized(by: tokens).cached(in: storage)
        }
        for index in [0, 1, 0, 1] {
            _ = try await transports[index].response(in: .a, with: Get())
        }
        #expect(server.asked.count == 2)
    }

    @Test func `A signer that leads to another server is refused`() async throws {
        struct Moving: RequestSigner {
            func account() -> String { "" }
            func sign(_ request: inout TransportRequest, at date: Date) {
                request.urlRequest.url = URL(string: "https://b.test/x")
            }
        }
        let server = SigningServer()
        let error = await #expect(throws: Get.TaskError.self) {
            try await server.signed(by: Moving()).response(in: .a, with: Get())
        }
        #expect("\(try #require(error))".contains("changed the URL's scheme, host or port"))
        #expect(server.asked.isEmpty)
    }

    /// A transport that changes a request, and what the error says.
    private struct Changing: Transport {
        let base: any Transport
        let change: @Sendable (inout URLRequest) -> Void
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            var request = request
            change(&request.urlRequest)
            return try await base.send(request)
        }
    }

    static let changes: [(@Sendable (inout URLRequest) -> Void, status: Int, String?)] = [
        ({ $0.httpMethod = "PUT" }, 403, "the method was changed after `signed(by:)`"),
        (
            { $0.url?.append(path: "z") }, 400,
            "the URL to be loaded was changed after `signed(by:)`"
        ),
        ({ $0.httpBody = Data() }, 401, "the body was changed after `signed(by:)`"),
        (
            { $0.setValue("x", forHTTPHeaderField: "X-Signed-At") }, 403,
            #"the header "X-Signed-At" was changed after `signed(by:)`"#
        ),
        ({ $0.setValue("x", forHTTPHeaderField: "X-More") }, 403, nil),
        ({ $0.setValue("x", forHTTPHeaderField: "X-Signed-At") }, 404, nil),
        ({ $0.httpBody = Data() }, 200, nil), ({ _ in }, 403, nil),
    ]

    @Test(arguments: changes)
    func `If the server refuses what a transport inside has changed, the error says so`(
        change: @escaping @Sendable (inout URLRequest) -> Void, status: Int, text: String?
    ) async throws {
        let server = SigningServer(
            ["/x": [Reply(status: status)], "/x/z": [Reply(status: status)]])
        let transport = Changing(base: server, change: change).signed(by: KeySigner())
        var shown = ""
        do { _ = try await transport.response(in: .a, with: Post()) } catch { shown = "\(error)" }
        #expect(shown.contains("after `signed(by:)`") == (text != nil), "\(shown)")
        #expect(text.map(shown.contains) ?? true, "\(shown)")
    }

    @Test func `A signer that corrects itself signs once more, and only once`() async throws {
        struct Learning: RequestSigner {
            let answers: Locked<[Bool]>
            func account() -> String { "" }
            func sign(_ request: inout TransportRequest, at date: Date) async throws {
                try await KeySigner().sign(&request, at: date)
                request.signAgain(if: { response, arrival in
                    #expect(response.statusCode == 401 && arrival > date)
                    return answers.withLock { $0.removeFirst() }
                })
            }
        }
        for (answers, count) in [([false, true, true], 1), ([true, true, true], 2)] {
            let server = SigningServer(["/x": [Reply(status: 401)]])
            let signer = Learning(answers: Locked(answers))
            let transport = server.signed(by: signer, clock: tickingClock())
            await #expect(throws: Post.TaskError.self) {
                try await transport.response(in: .a, with: Post())
            }
            #expect(server.asked == Array(repeating: "POST /x right", count: count))
        }
    }

    @Test func `A signer that calls others keeps what each of them learns`() async throws {
        struct Learning: RequestSigner {
            let read: Locked<[String]>
            func account() -> String { "" }
            func sign(_ request: inout TransportRequest, at date: Date) async throws {
                for (name, isCorrected) in [("a", true), ("b", false)] {
                    request.signAgain(if: { _, _ in
                        read.withLock { $0.append(name) }
                        return isCorrected
                    })
                }
                try await KeySigner().sign(&request, at: date)
            }
        }
        let server = SigningServer(["/x": [Reply(status: 401), Reply()]])
        let read = Locked<[String]>([])
        let transport = server.signed(by: Learning(read: read), clock: tickingClock())
        _ = try await transport.response(in: .a, with: Post())
        #expect(server.asked == ["POST /x right", "POST /x right"])
        #expect(read.withLock(\.self) == ["a", "b", "a", "b"])
    }

    /// A transport that would have each response read, as if it were a signer.
    private struct Misplaced: Transport, Layer {
        let inner: any Transport
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            var request = request
            request.signAgain(if: { _, _ in true })
            return try await inner.send(request)
        }
    }

    @Test(arguments: ["https://a.test/x", "https://b.test/x"])
    func `A response that something else than a signer would read is refused`(
        text: String
    ) async throws {
        let server = SigningServer()
        let transport = Misplaced(inner: server.signed(by: KeySigner()))
        let error = await #expect(throws: Get.TaskError.self) {
            try await transport.response(in: .a, with: Get(), at: #require(URL(string: text)))
        }
        #expect(error?.description.contains("call it in the `sign(_:at:)`") == true)
        #expect(server.asked == [])
    }

    /// What is sent more than once in a call, and who has signed in before the second time.
    static let users: [(second: String, replies: [Reply], asked: [String])] = [
        ("ann", [Reply(status: 503), Reply()], ["GET /x right", "GET /x right"]),
        ("ben", [Reply(status: 503), Reply()], ["GET /x right"]),
        ("ann", [redirect(307, "/y")], ["GET /x right", "GET /y right"]),
        ("ben", [redirect(307, "/y")], ["GET /x right"]),
    ]

    @Test(arguments: users)
    func `All requests of a call are of one account`(
        second: String, replies: [Reply], asked: [String]
    ) async throws {
        let user = Locked("ann")
        struct UserSigner: RequestSigner {
            let user: Locked<String>
            func account() -> String { user.withLock(\.self) }
            func sign(_ request: inout TransportRequest, at date: Date) async throws {
                try await KeySigner(key: "ann").sign(&request, at: date)
            }
        }
        let server = SigningServer(["/x": replies], key: "ann")
        let switching = Switching(base: server, user: user, second: second)
        let transport = switching.signed(by: UserSigner(user: user), clock: tickingClock())
            .retrying(clock: tickingClock())
        do {
            _ = try await transport.response(in: .a, with: Get())
            #expect(second == "ann")
        } catch {
            guard case .transportError(let error) = error, let cause = error.cause as? SignInError
            else { throw error }
            #expect(second == "ben" && cause.accountHasChanged)
        }
        #expect(server.asked == asked)
    }

    /// A connection after whose first response somebody signs in.
    private struct Switching: Transport {
        let base: SigningServer
        let user: Locked<String>
        let second: String
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            defer { user.withLock { $0 = second } }
            return try await base.send(request)
        }
    }

    @Test func `What a failed signature would have learned isn't asked at a later response`()
        async throws
    {
        struct Failing: RequestSigner {
            let count = Locked(0)
            func account() -> String { "" }
            func sign(_ request: inout TransportRequest, at date: Date) async throws {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                request.signAgain(if: { _, _ in
                    #expect(number == 2)
                    return false
                })
                if number == 1 { throw URLError(.timedOut) }
            }
        }
        let server = SigningServer()
        let signed = server.signed(by: Failing(), clock: tickingClock())
        _ = try await signed.retrying(clock: tickingClock()).response(in: .a, with: Get())
        #expect(server.asked.count == 1)
    }

    /// What a signer makes of a query, and what the texts show of it.
    static let queries: [(String, signed: String, shown: String)] = [
        ("", "?mac=m4cm4cm4c", "/x?mac=…"), ("?a=1", "?a=1&mac=m4cm4cm4c", "/x?a=1&mac=…"),
        ("?page=2", "?page=m4cm4cm4c", "/x?page=…"), ("", "?a,b=m4cm4cm4c", "/x?a,b=…"),
        ("?x-mac=1", "?x-mac=1&mac=m4cm4cm4c", "/x?x-mac=1&mac=…"),
        ("", "?m%61c=m4cm4cm4c", "/x?m%61c=…"), ("?a=b%2fc+d", "?a=b%2Fc%2Bd", "/x?a=b%2Fc%2Bd"),
        ("?a=1&b=2", "?b=2&a=1", "/x?b=2&a=1"), ("", "?signed", "/x?signed"),
    ]

    @Test(arguments: queries)
    func `A query item that a signer adds is hidden as a header is, whatever its name`(
        query: String, signedQuery: String, shown: String
    ) async throws {
        struct QuerySigner: RequestSigner {
            let query: String
            func account() -> String { "" }
            func sign(_ request: inout TransportRequest, at date: Date) async throws {
                request.urlRequest.url = URL(string: "https://a.test/x" + query)
            }
        }
        // The server says what it has got.
        let isSecret = signedQuery.hasSuffix("m4cm4cm4c")
        let reply = Reply(status: 403, body: isSecret ? #"{"seen": "m4cm4cm4c"}"# : "")
        let server = SigningServer(["/x": [reply]])
        let (inner, outer) = (Locked<[String]>([]), Locked<[String]>([]))
        let signer = QuerySigner(query: signedQuery)
        let transport = server.logged { event in inner.withLock { $0.append("\(event)") } }
            .signed(by: signer, clock: tickingClock())
            .logged { event in outer.withLock { $0.append("\(event)") } }
        let url = try #require(URL(string: "https://a.test/x" + query))
        let error = await #expect(throws: Get.TaskError.self) {
            try await transport.response(in: .a, with: Get(), at: url)
        }
        let texts = inner.withLock(\.self) + outer.withLock(\.self)
        let all = texts + [(try #require(error)).debugDescription]
        #expect(all.allSatisfy { !$0.contains("m4cm4c") }, "\(all)")
        #expect(inner.withLock { $0.first }?.contains("https://a.test" + shown) == true, "\(all)")
    }

    @Test func `A signer that waits for ever ends with the time limit`() async throws {
        struct Waiting: RequestSigner {
            func account() -> String { "" }
            func sign(_ request: inout TransportRequest, at date: Date) async throws {
                try await Waiter<Void>().value()
            }
        }
        let uptime = Locked(0.0)
        let clock = TransportClock(
            date: { Date() }, uptime: { uptime.withLock { $0 } },
            sleep: { seconds in uptime.withLock { $0 += seconds } }, random: { 0 })
        var urlRequest = URLRequest(url: try #require(URL(string: "https://a.test/x")))
        urlRequest.httpMethod = "GET"
        let request = TransportRequest(
            urlRequest, policy: LoadPolicy(timeLimit: 5), requestType: Get.self)
        let error = await #expect(throws: URLError.self) {
            try await SigningServer().signed(by: Waiting(), clock: clock).send(request)
        }
        #expect(error?.code == .timedOut)
    }

    @Test func `A 401 of a request that wasn't signed says so`() async throws {
        let server = SigningServer(["b.test/x": [Reply(status: 401)]])
        let url = try #require(URL(string: "https://b.test/x"))
        let error = await #expect(throws: Get.TaskError.self) {
            try await server.signed(by: KeySigner()).response(in: .a, with: Get(), at: url)
        }
        #expect((try #require(error)).debugDescription.contains("`signed(by:)` didn't sign it"))
    }

    @Test func `The time limit is for all redirects together`() async throws {
        let uptime = Locked(0.0)
        let server = SigningServer(["/x": [Self.redirect(307, "/x")]])
        let clock = TransportClock(
            date: { Date() },
            uptime: {
                uptime.withLock { uptime in
                    uptime += 1; return uptime
                }
            },
            sleep: { _ in }, random: { 0 })
        var urlRequest = URLRequest(url: try #require(URL(string: "https://a.test/x")))
        urlRequest.httpMethod = "GET"
        let request = TransportRequest(
            urlRequest, policy: LoadPolicy(timeLimit: 5), requestType: Get.self)
        let error = await #expect(throws: URLError.self) {
            try await server.signed(by: KeySigner(), clock: clock).send(request)
        }
        #expect(error?.code == .timedOut)
        #expect(server.asked.count < 5)
    }
}

/// A transport whose type isn't known, as a layer so that those inside of it are found.
struct AnyOf: Observing {
    let base: any Transport
    var inner: any Transport { base }
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await base.send(request)
    }
}
