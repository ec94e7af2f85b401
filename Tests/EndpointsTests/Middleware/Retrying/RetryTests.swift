import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Retrying")
struct RetryTests {
    /// What a server does at each attempt, the last one again and again.
    enum Attempt: Sendable {
        case status(Int, [String: String] = [:])
        case error(URLError.Code)
    }

    /// A request, what the server does, and when the attempts are sent.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var method = "GET"
        var headers: [String: String] = [:]
        var load = LoadPolicy.default
        var policy = RetryPolicy.standard
        let server: [Attempt]
        let sent: [TimeInterval]
        let outcome: String

        var testDescription: String { name }
    }

    /// A clock that takes the longest delays: 0.5, 1, 2, 4 … seconds.
    static func clock(_ waits: Journal<TimeInterval>) -> TransportClock {
        let uptime: @Sendable () -> TimeInterval = { waits.entries.reduce(100, +) }
        return TransportClock(
            date: { Date(timeIntervalSince1970: 1_700_000_000 - 100 + uptime()) }, uptime: uptime,
            sleep: { waits.add($0) }, random: { 1 })
    }

    static let rows: [Row] = [
        Row(name: "A success", server: [.status(200)], sent: [0], outcome: "200"),
        Row(
            name: "A 503, then a success", server: [.status(503), .status(200)], sent: [0, 0.5],
            outcome: "200"),
        Row(
            name: "A lost connection, then a success",
            server: [.error(.networkConnectionLost), .status(200)], sent: [0, 0.5], outcome: "200"),
        Row(
            name: "The attempts end with the last response", server: [.status(503)],
            sent: [0, 0.5, 1.5], outcome: "503"),
        Row(
            name: "The attempts end with the last error", server: [.error(.timedOut)],
            sent: [0, 0.5, 1.5], outcome: "-1001"),
        Row(
            name: "The delay doubles up to its limit",
            policy: RetryPolicy(attempts: 7, longestDelay: 3), server: [.status(500)],
            sent: [0, 0.5, 1.5, 3.5, 6.5, 9.5, 12.5], outcome: "500"),
        Row(
            name: "One attempt is no retry", policy: RetryPolicy(attempts: 1),
            server: [.status(503)], sent: [0], outcome: "503"),
        Row(
            name: "A Retry-After that is longer than the policy's delay",
            server: [.status(429, ["Retry-After": "7"]), .status(200)], sent: [0, 7],
            outcome: "200"),
        Row(
            name: "A Retry-After that is shorter than the policy's delay",
            policy: RetryPolicy(firstDelay: 8),
            server: [.status(429, ["Retry-After": "7"]), .status(200)], sent: [0, 8],
            outcome: "200"),
        Row(
            name: "No Retry-After, of which none is heeded",
            policy: RetryPolicy(longestRetryAfter: 0), server: [.status(503), .status(200)],
            sent: [0, 0.5], outcome: "200"),
        Row(
            name: "A Retry-After, of which none is heeded",
            policy: RetryPolicy(longestRetryAfter: 0),
            server: [.status(503, ["Retry-After": "1"]), .status(200)], sent: [0], outcome: "503"),
        Row(
            name: "A Retry-After that is a date",
            server: [
                .status(503, ["Retry-After": "Tue, 14 Nov 2023 22:13:50 GMT"]), .status(200),
            ], sent: [0, 30], outcome: "200"),
        Row(
            name: "A Retry-After that is past",
            server: [
                .status(503, ["Retry-After": "Tue, 14 Nov 2023 22:13:10 GMT"]), .status(200),
            ], sent: [0, 0.5], outcome: "200"),
        Row(
            name: "A Retry-After that can't be read",
            server: [.status(503, ["Retry-After": "soon"]), .status(200)], sent: [0, 0.5],
            outcome: "200"),
        Row(
            name: "A Retry-After beyond the policy's limit",
            server: [.status(503, ["Retry-After": "61"])], sent: [0], outcome: "503"),
        Row(
            name: "The policy's time is up before the third attempt",
            policy: RetryPolicy(timeLimit: 1.5), server: [.status(503)], sent: [0, 0.5],
            outcome: "503"),
        Row(
            name: "The request's time is up before the third attempt",
            load: LoadPolicy(timeLimit: 1.2), policy: RetryPolicy(timeLimit: 60),
            server: [.status(503)], sent: [0, 0.5], outcome: "503"),
        Row(
            name: "A policy without retries", load: LoadPolicy(repetition: .never),
            server: [.status(503)], sent: [0], outcome: "503"),
        Row(
            name: "A POST may have been carried out", method: "POST", server: [.status(503)],
            sent: [0], outcome: "503"),
        Row(
            name: "A POST with an Idempotency-Key", method: "POST",
            headers: ["Idempotency-Key": "k1"], server: [.status(503), .status(200)],
            sent: [0, 0.5], outcome: "200"),
        Row(
            name: "A POST whose policy allows repetition", method: "POST",
            load: LoadPolicy(repetition: .always), server: [.status(503), .status(200)],
            sent: [0, 0.5], outcome: "200"),
    ]

    @Test("A failed request is sent again when, and only when, the policy says so", arguments: rows)
    func attempts(row: Row) async throws {
        let waits = Journal<TimeInterval>()
        let clock = Self.clock(waits)
        let sent = Journal<TimeInterval>()
        let stub = ClosureTransport { _ in
            let number = sent.add(clock.uptime() - 100)
            return try row.server[min(number, row.server.count) - 1].take()
        }
        let request = try Item.request(row.method, policy: row.load, headers: row.headers)
        let outcome: String
        do {
            let response = try await stub.retrying(row.policy, clock: clock).send(request)
            outcome = "\(response.httpResponse.statusCode)"
        } catch let error as URLError {
            outcome = "\(error.errorCode)"
        }
        #expect(sent.entries == row.sent)
        #expect(outcome == row.outcome)
    }

    static let statuses: [(Int, Int)] =
        [408, 425, 429, 500, 502, 503, 504].map { ($0, 3) }
        + [200, 204, 304, 400, 401, 403, 404, 409, 410, 422, 501, 505, 511].map { ($0, 1) }

    @Test(
        "A request is sent three times for a status of the retry policy, and once for any other",
        arguments: statuses)
    func status(row: (status: Int, attempts: Int)) async throws {
        #expect(try await attempts { try .stub(row.status) } == row.attempts)
    }

    static let codes: [(URLError.Code, Int)] =
        [
            .timedOut, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed,
            .networkConnectionLost, .notConnectedToInternet,
        ].map { ($0, 3) }
        + [
            .cancelled, .badURL, .unsupportedURL, .dataLengthExceedsMaximum, .cannotParseResponse,
            .httpTooManyRedirects, .serverCertificateUntrusted,
            .appTransportSecurityRequiresSecureConnection,
        ].map { ($0, 1) }

    @Test(
        "A request is sent three times for an error of the retry policy, and once for any other",
        arguments: codes)
    func code(row: (code: URLError.Code, attempts: Int)) async throws {
        #expect(try await attempts { throw URLError(row.code) } == row.attempts)
    }

    static let methods: [(String, Int)] = [
        ("GET", 3), ("HEAD", 3), ("PUT", 3), ("DELETE", 3), ("OPTIONS", 3), ("TRACE", 3),
        ("QUERY", 3), ("POST", 1), ("PATCH", 1), ("CONNECT", 1), ("PROPFIND", 1),
    ]

    @Test(
        "A request with an idempotent method is sent three times, and any other once",
        arguments: methods)
    func method(row: (method: String, attempts: Int)) async throws {
        #expect(try await attempts(Item.request(row.method)) { try .stub(503) } == row.attempts)
    }

    static let hints: [(LoadPolicy, RetryPolicy, [String: String], Int, String?)] = [
        (
            .default, .standard, [:], 429,
            """
            `retrying()` didn't send it again: a POST that is sent twice may be carried out twice; \
            if that does no harm, declare `LoadPolicy(repetition: .always)`, and if the server \
            knows an Idempotency-Key, write `retrying(RetryPolicy(addsIdempotencyKeys: true))`
            """
        ),
        (
            LoadPolicy(repetition: .never), .standard, [:], 429,
            "`retrying()` didn't send it again: its load policy's `repetition` is `.never`"
        ),
        (.default, .standard, [:], 404, nil),
        (.default, RetryPolicy(attempts: 1), [:], 503, nil),
        (
            LoadPolicy(repetition: .always), .standard, [:], 503,
            "`retrying()` didn't send it again: the policy's 3 `attempts` are used up"
        ),
        (
            LoadPolicy(repetition: .always), .standard, ["Retry-After": "3600"], 503,
            """
            `retrying()` didn't send it again: `Retry-After` asks to wait 3600.0 s, and the \
            policy's `longestRetryAfter` is 60.0 s
            """
        ),
        (
            LoadPolicy(timeLimit: 1, repetition: .always), .standard, ["Retry-After": "30"], 503,
            """
            `retrying()` didn't send it again: the next attempt would begin in 30.0 s, when the \
            `timeLimit` is over
            """
        ),
        (
            LoadPolicy(repetition: .always), RetryPolicy(timeLimit: 1), ["Retry-After": "2"], 503,
            """
            `retrying()` didn't send it again: the next attempt would begin in 2.0 s, when the \
            `timeLimit` is over
            """
        ),
        (
            LoadPolicy(repetition: .always),
            RetryPolicy(budget: RetryBudget(retriesPerMinute: 1, retriesPerRequest: 0)), [:], 503,
            """
            `retrying()` didn't send it again: the policy's `budget` is spent, with 1 retry for 1 \
            request in the last minute; if the server can take more, write a larger `RetryBudget`
            """
        ),
    ]

    @Test(
        "The error of a response that isn't retried says why",
        arguments: hints)
    func hint(
        row: (
            load: LoadPolicy, retry: RetryPolicy, fields: [String: String], status: Int,
            text: String?
        )
    ) async throws {
        struct AddItem: RequestType {
            static let endpoint = Endpoint<Self>(method: .post, path: "items")
            typealias Response = String
        }
        let transport = ClosureTransport { _ in try .stub(row.status, row.fields) }
            .retrying(row.retry, clock: Self.clock(Journal()))
        let environment = ServerEnvironment(
            baseUrl: try #require(URL(string: "https://api.example.com/v1")), loadPolicy: row.load)
        let error = await #expect(throws: AddItem.TaskError.self) {
            try await transport.response(in: environment, with: AddItem())
        }
        let text = try #require(error?.debugDescription)
        #expect(text.contains("retrying()") == (row.text != nil), "\(text)")
        #expect(row.text.map { text.hasSuffix("; \($0)") } ?? true, "\(text)")
    }

    @Test("A request that fails with an error other than a URLError is not sent again")
    func foreignError() async throws {
        struct Refused: Error {}
        #expect(try await attempts { throw Refused() } == 1)
    }

    @Test("A request whose body can be read only once is sent once")
    func bodyStream() async throws {
        var request = try Item.request("PUT", policy: LoadPolicy(repetition: .always))
        request.urlRequest.httpBodyStream = InputStream(data: Data("once".utf8))
        #expect(try await attempts(request) { try .stub(503) } == 1)
    }

    /// How many attempts a server gets.
    private func attempts(
        _ request: TransportRequest? = nil,
        _ respond: @escaping @Sendable () throws -> TransportResponse
    ) async throws -> Int {
        let sent = Journal<Void>()
        let stub = ClosureTransport { _ in
            sent.add(())
            return try respond()
        }
        let transport = stub.retrying(clock: Self.clock(Journal()))
        _ = try? await transport.send(try request ?? Item.request())
        return sent.entries.count
    }
}

extension RetryTests.Attempt {
    fileprivate func take() throws -> TransportResponse {
        switch self {
        case .status(let status, let fields): try .stub(status, fields)
        case .error(let code): throw URLError(code)
        }
    }
}
