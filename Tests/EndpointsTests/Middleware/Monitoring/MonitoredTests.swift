import EndpointsMiddleware
import Foundation
import Testing

@testable import Endpoints

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Monitored transports", .timeLimit(.minutes(1)))
struct MonitoredTests {
    struct Search: FlatRequest, Sendable {
        var words = "a"
        var loadPolicy = LoadPolicy()
        static let endpoint = Endpoint<Self>(
            method: .get, path: "search",
            parameters: [.query("q", path: \.words), .queryValue("api_key", value: "s3cr3t")])
        typealias Response = Data
    }

    struct GetChunks: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "chunks")
        typealias Response = Data
    }

    /// A transport that tells its steps, as a session does. A redirect leads to a 200.
    struct Server: Transport {
        var status: @Sendable (TransportRequest) -> Int = { _ in 200 }
        var error: URLError.Code?
        var body: @Sendable () throws -> ResponseBody = { ResponseBody(Data("abc".utf8)) }

        func send(_ first: TransportRequest) async throws -> TransportResponse {
            var (request, redirection) = (first, Redirection(of: first))
            while true {
                try request.check()
                request.onStep?(.sent(request.urlRequest))
                let url = try #require(request.urlRequest.url)
                let isRedirected = url.path.hasSuffix("/new")
                let status = isRedirected ? 200 : status(request)
                if let error { throw URLError(error) }
                let head = try HTTPURLResponse.stub(
                    status, ["Location": "/new?token=t0k3n"], at: url.absoluteString)
                request.onStep?(.responded(head))
                if let next = try redirection.next(after: head, to: request) {
                    request = next
                    continue
                }
                var connection = TransportConnection()
                connection.networkProtocol = "h2"
                request.onStep?(.connection(connection, to: url))
                return TransportResponse(body: try body(), head)
            }
        }
    }

    static func chunks(_ texts: String..., end: (any Error & Sendable)? = nil) -> ResponseBody {
        let rest = Locked(texts[...])
        return ResponseBody(chunks: {
            if let text = rest.withLock({ $0.popFirst() }) { return Data(text.utf8) }
            if let end { throw end }
            return nil
        })
    }

    static let rows: [(name: String, server: Server, lines: [String])] = [
        ("a whole body", Server(), ["started", "sent", "200", "connection h2", "finished 3"]),
        (
            "an error response", Server(status: { _ in 404 }),
            ["started", "sent", "404", "connection h2", "finished 3"]
        ),
        (
            "a redirect", Server(status: { _ in 302 }),
            [
                "started", "sent", "302", "redirected to https://api.example.com/new?token=…",
                "sent", "200", "connection h2", "finished 3",
            ]
        ),
        (
            "a lost connection", Server(error: .networkConnectionLost),
            ["started", "sent", "failed -1005"]
        ),
        ("a cancelled load", Server(error: .cancelled), ["started", "sent", "cancelled"]),
        (
            "a body in chunks", Server(body: { chunks("ab", "c") }),
            ["started", "sent", "200", "connection h2", "finished 3"]
        ),
        (
            "a body that is lost", Server(body: { chunks("ab", end: URLError(.timedOut)) }),
            ["started", "sent", "200", "connection h2", "failed -1001"]
        ),
        (
            "a body that is cancelled", Server(body: { chunks("ab", end: CancellationError()) }),
            ["started", "sent", "200", "connection h2", "cancelled"]
        ),
    ]

    @Test("The events of a load come in order, and end once", arguments: rows)
    func order(row: (name: String, server: Server, lines: [String])) async throws {
        let monitor = Monitor()
        let transport = row.server.monitored { monitor.add($0) }
        _ = try? await transport.response(in: .production, with: Search())
        await monitor.wait()
        #expect(monitor.lines == row.lines)
        #expect(monitor.events.map(\.isEnd).filter { $0 }.count == 1)
        #expect(Set(monitor.events.map(\.number)).count == 1)
    }

    @Test("A transport that tells no steps has the start, the response and the end")
    func silent() async throws {
        let monitor = Monitor()
        let transport = ClosureTransport { _ in try .stub(200, [:], "abc") }
            .monitored { monitor.add($0) }
        _ = try await transport.response(in: .production, with: Search())
        #expect(monitor.lines == ["started", "200", "finished 3"])
    }

    @Test("A body that its reader leaves ends the load when it is released")
    func left() async throws {
        let monitor = Monitor()
        let transport = Server(body: { Self.chunks("ab", "c") }).monitored { monitor.add($0) }
        var request = try Item.request()
        request.streamsResponse = true
        for try await _ in try await transport.send(request).body { break }
        await monitor.wait()
        #expect(monitor.lines.last == "finished 2 left")
        #expect(monitor.events.filter(\.isEnd).count == 1)
    }

    @Test(
        "A response that nobody reads ends, and one without content is whole",
        arguments: [200, 204])
    func unread(status: Int) async throws {
        let monitor = Monitor()
        let transport = Server(status: { _ in status }, body: { Self.chunks() })
            .monitored { monitor.add($0) }
        _ = try await transport.send(try Item.request())
        await monitor.wait()
        #expect(monitor.lines.last == (status == 204 ? "finished 0" : "finished 0 left"))
    }

    @Test("Inside of retrying, each attempt is a load; outside of it, all attempts are one")
    func attempts() async throws {
        let policy = RetryPolicy(firstDelay: 0)
        let server = Server(status: { $0.attempt < 2 ? 503 : 200 })
        let (inside, outside) = (Monitor(), Monitor())
        let transport = server.monitored { inside.add($0) }.retrying(policy, clock: .immediate)
            .monitored { outside.add($0) }
        _ = try await transport.response(in: .production, with: Search())
        await inside.wait(forEnds: 2)
        await outside.wait()
        #expect(
            inside.lines == [
                "started", "sent", "503", "connection h2", "finished 3",
                "started", "sent", "200", "connection h2", "finished 3",
            ])
        #expect(inside.events.map(\.attempt) == Array(repeating: 1, count: 5) + [2, 2, 2, 2, 2])
        #expect(
            outside.lines == [
                "started", "sent", "503", "connection h2", "sent", "200", "connection h2",
                "finished 3",
            ])
        #expect(outside.events.allSatisfy { $0.attempt == 1 })
        let numbers = inside.events.map(\.number)
        #expect(Set(numbers.prefix(5)).count == 1 && Set(numbers.suffix(5)).count == 1)
        #expect(Set((inside.events + outside.events).map(\.number)).count == 3)
        #expect(Set((inside.events + outside.events).map(\.loadID)).count == 1)
    }

    @Test("The events and the lines of a log have the same id")
    func loadID() async throws {
        let (monitor, ids) = (Monitor(), Locked<Set<UUID>>([]))
        let transport = Server().logged { event in
            ids.withLock { _ = $0.insert(event.loadID) }
        }.monitored { monitor.add($0) }
        _ = try await transport.response(in: .production, with: Search())
        await monitor.wait()
        #expect(ids.withLock { $0 } == Set(monitor.events.map(\.loadID)))
    }

    @Test("The events of two loads at once don't mix, and the later one has the higher number")
    func concurrent() async throws {
        let (monitor, gate) = (Monitor(), Gate())
        let transport = ClosureTransport { request in
            request.onStep?(.sent(request.urlRequest))
            await gate.pass()
            return try .stub(200, [:], String(request.urlRequest.url?.query?.count ?? 0))
        }.monitored { monitor.add($0) }
        async let first = transport.response(in: .production, with: Search(words: "a"))
        await gate.wait(for: 1)
        async let second = transport.response(in: .production, with: Search(words: "bbbbb"))
        await gate.wait(for: 1)
        gate.open()
        _ = try await (first, second)
        await monitor.wait(forEnds: 2)
        let loads = Dictionary(grouping: monitor.events, by: \.number).sorted { $0.key < $1.key }
        try #require(loads.count == 2)
        for (load, words) in zip(loads, ["a", "bbbbb"]) {
            #expect(load.value.map(\.line) == ["started", "sent", "200", "finished 2"])
            #expect(load.value.allSatisfy { $0.url.contains("q=\(words)&") })
        }
    }

    @Test("A monitor that cancels its load in its function is told of the end, once")
    func reentrant() async throws {
        let (monitor, load) = (Monitor(), Locked<Task<Void, Never>?>(nil))
        let transport = ClosureTransport { request in
            request.onStep?(.sent(request.urlRequest))
            try await TransportClock.system.sleep(60)
            return try .stub(200)
        }.monitored { event in
            monitor.add(event)
            if case .sent = event.kind { load.withLock { $0 }?.cancel() }
        }
        load.withLock { load in
            load = Task { _ = try? await transport.response(in: .production, with: Search()) }
        }
        await monitor.wait()
        #expect(monitor.lines == ["started", "sent", "cancelled"])
    }

    @Test("After the end, a step that a transport tells isn't reported")
    func late() async throws {
        let (monitor, step) = (Monitor(), Locked<(@Sendable (TransportStep) -> Void)?>(nil))
        let transport = ClosureTransport { request in
            step.withLock { $0 = request.onStep }
            return try .stub(200)
        }.monitored { monitor.add($0) }
        _ = try await transport.response(in: .production, with: Search())
        step.withLock { $0 }?(.connection(TransportConnection(), to: nil))
        _ = try await transport.response(in: .production, with: Search())
        #expect(monitor.lines == ["started", "200", "finished 0", "started", "200", "finished 0"])
    }

    @Test("The times are by the clock: the first byte's is since the request was sent")
    func times() async throws {
        let (monitor, now) = (Monitor(), Locked(100.0))
        let clock = TransportClock(
            date: { Date() }, uptime: { now.withLock { $0 } }, sleep: { _ in }, random: { 0 })
        let transport = ClosureTransport { request in
            now.withLock { $0 += 2 }
            request.onStep?(.sent(request.urlRequest))
            now.withLock { $0 += 0.25 }
            let response = try TransportResponse.stub(200, [:], "abc")
            request.onStep?(.responded(response.httpResponse))
            now.withLock { $0 += 1 }
            return response
        }.monitored(clock: clock) { monitor.add($0) }
        _ = try await transport.response(in: .production, with: Search())
        await monitor.wait()
        #expect(monitor.events.map(\.seconds) == [0, 2, 2.25, 3.25])
        guard case .responded(_, let time) = monitor.events[2].kind else {
            Issue.record("no response")
            return
        }
        #expect(time == 0.25)
        let request = "Search GET https://api.example.com/v1/search?q=a&api_key=…"
        #expect(
            monitor.events.map(\.description)
                == [
                    "started", "sent, 2.0 s", "200, first byte after 0.25 s, 2.25 s",
                    "finished, 3 bytes, 3.25 s",
                ].map { "#\(monitor.events[0].number) \(request): \($0)" })
    }

    struct Headed: FlatRequest {
        let token: String
        static let endpoint = Endpoint<Self>(
            method: .post, path: "a", parameters: [.queryValue("access_token", value: "qu3ry")],
            headers: ["X-Api-Key": .field(path: \.token), "X-Kind": .fieldValue(value: "a")])
        typealias Response = Data
        var body: String { "hello" }
    }

    @Test(
        "An event hides the secrets of the URL, the headers, the user info and what is added inside"
    )
    func secrets() async throws {
        let monitor = Monitor()
        let transport = ClosureTransport { request in
            var request = request
            request.urlRequest.url = URL(
                string: "https://us3r:p4ssw0rd@h/a?access_token=qu3ry&echo=inner-t0k3n")
            request.urlRequest.setValue("Bearer inner-t0k3n", forHTTPHeaderField: "Authorization")
            try request.check()
            request.onStep?(.sent(request.urlRequest))
            request.onStep?(
                .connection(
                    TransportConnection(), to: URL(string: "https://us3r:p4ssw0rd@h/?token=t0k3n")))
            return try .stub(
                200, ["Set-Cookie": "a=c00k1e", "X-Echo": "inner-t0k3n, api-t0k3n", "X-Kind": "b"])
        }.monitored { monitor.add($0) }
        _ = try await transport.response(in: .production, with: Headed(token: "api-t0k3n"))
        await monitor.wait()
        let events = monitor.events
        #expect(
            events.map(\.url) == [
                "https://api.example.com/v1/a?access_token=…", "https://h/a?access_token=…&echo=…",
                "https://h/?token=…", "https://h/a?access_token=…&echo=…",
                "https://h/a?access_token=…&echo=…",
            ])
        #expect(events.map { $0.requestHeaders["Authorization"] } == [nil, "…", "…", "…", "…"])
        #expect(events.allSatisfy { $0.requestHeaders["X-Api-Key"] == "…" })
        #expect(events.allSatisfy { $0.requestHeaders["X-Kind"] == "a" })
        #expect(
            events.map(\.responseHeaders) == [[:], [:], [:]]
                + Array(
                    repeating: ["Set-Cookie": "…", "X-Echo": "…, …", "X-Kind": "b"], count: 2))
        #expect(events.map(\.status) == [nil, nil, nil, 200, 200])
        #expect(events.allSatisfy { $0.bodyLength == 5 && $0.method == "POST" })
        var shown = events.map(\.description).joined()
        dump(events, to: &shown)
        for secret in ["t0k3n", "us3r", "p4ssw0rd", "qu3ry", "c00k1e"] {
            #expect(!shown.contains(secret))
        }
    }

    @Test("The response is the transport's own, with its body and its head")
    func unchanged() async throws {
        let head = try HTTPURLResponse.stub(201, ["X-A": "b"])
        let transport = ClosureTransport { _ in TransportResponse(Data("abc".utf8), head) }
            .monitored { _ in }
        let response = try await transport.send(try Item.request())
        #expect(response.httpResponse === head)
        #expect(try await response.body.data(upTo: 10) == Data("abc".utf8))
    }

    @Test("A name that can't be one is an error, and nothing is reported")
    func wrongSetting() async throws {
        let monitor = Monitor()
        let transport = Server().monitored(masking: [""]) { monitor.add($0) }
        do throws(Search.TaskError) {
            _ = try await transport.response(in: .production, with: Search())
            Issue.record("a response came")
        } catch .endpointError(let error) {
            #expect(error.description.contains("monitored(masking: [\"\"])"))
        } catch { Issue.record(error) }
        #expect(monitor.lines == [])
    }

    @Test(
        "The line of a connection has what is known of it",
        arguments: [
            (nil, nil, nil, nil, "on a connection"),
            (false, "h2", "TLS 1.3", nil, "on a new connection, h2, TLS 1.3"),
            (true, "http/1.1", nil, false, "on a kept connection, http/1.1"),
            (nil, nil, nil, true, "from the session's cache"),
        ] as [(Bool?, String?, String?, Bool?, String)])
    func connection(
        isReused: Bool?, networkProtocol: String?, tlsVersion: String?, isFromCache: Bool?,
        text: String
    ) async throws {
        let monitor = Monitor()
        var connection = TransportConnection()
        (connection.isReused, connection.networkProtocol) = (isReused, networkProtocol)
        (connection.tlsVersion, connection.isFromCache) = (tlsVersion, isFromCache)
        let known = connection
        let transport = ClosureTransport { request in
            request.onStep?(.connection(known, to: nil))
            return try .stub(200)
        }.monitored(clock: .immediate) { monitor.add($0) }
        _ = try await transport.response(in: .production, with: Search())
        await monitor.wait()
        #expect(monitor.events[1].description.hasSuffix(": \(text), 0.0 s"))
    }
}
