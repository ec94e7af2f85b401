import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Why a request isn't sent again")
struct RetryRefusalTests {
    /// A request that fails, and the reason in its error and in its log line.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var method = "GET"
        var load = LoadPolicy.default
        var policy = RetryPolicy.standard
        var hasBodyStream = false
        var server: @Sendable () throws -> TransportResponse = {
            throw URLError(.networkConnectionLost)
        }
        /// `nil` if nothing is said.
        let reason: String?

        var testDescription: String { name }
    }

    struct Busy: TransientError { var isTransient: Bool { true } }

    static let method = """
        a POST that is sent twice may be carried out twice; if that does no harm, declare \
        `LoadPolicy(repetition: .always)`, and if the server knows an Idempotency-Key, write \
        `retrying(RetryPolicy(addsIdempotencyKeys: true))`
        """

    static let rows: [Row] = [
        Row(name: "the method, of an error", method: "POST", reason: method),
        Row(
            name: "the method, of a response", method: "POST", server: { try .stub(503) },
            reason: method),
        Row(
            name: "the method, of an error that the condition might have sent again",
            method: "POST", policy: RetryPolicy(retries: { _, _ in true }),
            server: { try .stub(403) }, reason: method),
        Row(
            name: "the body", method: "PUT", hasBodyStream: true,
            reason: """
                its body is an `httpBodyStream`, which can be read only once; declare a `File` or \
                `Data` as its body
                """),
        Row(
            name: "the load policy", load: LoadPolicy(repetition: .never),
            reason: "its load policy's `repetition` is `.never`"),
        Row(name: "the attempts", reason: "the policy's 3 `attempts` are used up"),
        Row(
            name: "the budget",
            policy: RetryPolicy(budget: RetryBudget(retriesPerMinute: 1, retriesPerRequest: 0)),
            reason: """
                the policy's `budget` is spent, with 1 retry for 1 request in the last minute; \
                if the server can take more, write a larger `RetryBudget`
                """),
        Row(
            name: "the time left", load: LoadPolicy(timeLimit: 1),
            policy: RetryPolicy(firstDelay: 3),
            reason: "the next attempt would begin in 3.0 s, when the `timeLimit` is over"),
        Row(
            name: "a Retry-After beyond the limit",
            server: { try .stub(503, ["Retry-After": "61"]) },
            reason: """
                `Retry-After` asks to wait 61.0 s, and the policy's `longestRetryAfter` is 60.0 s
                """),
        Row(
            name: "a status that the policy doesn't list", policy: RetryPolicy(statuses: [500]),
            server: { try .stub(503) }, reason: "the policy's `statuses` don't have 503"),
        Row(
            name: "a status of a proxy", server: { try .stub(522) },
            reason: "the policy's `statuses` don't have 522"),
        Row(
            name: "an error that the policy doesn't list",
            policy: RetryPolicy(errorCodes: [.timedOut]),
            reason: "the policy's `errorCodes` don't have the error's"),
        Row(
            name: "the condition", policy: RetryPolicy(retries: { _, _ in false }),
            server: { try .stub(403) }, reason: "the policy's `retries` returned false"),
        Row(name: "a policy without retries", policy: RetryPolicy(attempts: 1), reason: nil),
        Row(name: "a status that seldom passes", server: { try .stub(404) }, reason: nil),
        Row(
            name: "an error that never passes",
            server: { throw URLError(.serverCertificateUntrusted) }, reason: nil),
        Row(
            name: "a success", policy: RetryPolicy(retries: { _, _ in false }),
            server: { try .stub(200, [:], "a") }, reason: nil),
        Row(
            name: "a success of a POST", method: "POST",
            policy: RetryPolicy(retries: { _, _ in true }), server: { try .stub(200, [:], "a") },
            reason: nil),
    ]

    @Test("The error and the log line say why a request isn't sent again", arguments: rows)
    func reason(row: Row) async throws {
        let (server, lines) = (row.server, Journal<LogEvent>())
        let transport = ClosureTransport { _ in try server() }
            .retrying(row.policy, clock: RetryTests.clock(Journal())).logged { lines.add($0) }
        var request = try Item.request(row.method, policy: row.load)
        if row.hasBodyStream {
            request.urlRequest.httpBodyStream = InputStream(data: Data("once".utf8))
        }
        var text = ""
        do { _ = try await transport.response(to: request, as: Item.self) } catch {
            text = error.debugDescription
            #expect(!error.description.contains("retrying()"))
        }
        let hint = row.reason.map { "`retrying()` didn't send it again: \($0)" }
        #expect(text.contains("retrying()") == (hint != nil), "\(text)")
        let events = lines.entries
        #expect(events.count == 2 && events.first?.whyNotRetried == nil)
        #expect(events.last?.whyNotRetried == hint)
        let line = try #require(events.last).description
        #expect(line.contains("retrying()") == (hint != nil), "\(line)")
        if let hint {
            #expect(text.hasSuffix("; \(hint)"), "\(text)")
            #expect(line.hasSuffix("; \(hint)"), "\(line)")
        }
    }

    @Test("The log line of an error that isn't a URLError says why, too")
    func foreignError() async throws {
        let events = Journal<LogEvent>()
        let transport = ClosureTransport { _ in throw Busy() }
            .retrying(RetryPolicy(retries: { _, outcome in outcome.error is Busy }))
            .logged { events.add($0) }
        _ = try? await transport.send(Item.request("POST"))
        #expect(events.entries.last?.whyNotRetried?.hasSuffix(Self.method) == true)
        #expect(events.entries.last?.description.hasSuffix(Self.method) == true)
    }

    @Test("A later load of the same request forgets why the first one wasn't sent again")
    func later() async throws {
        let (sent, events) = (Journal<Void>(), Journal<LogEvent>())
        let transport = ClosureTransport { _ in try .stub(sent.add(()) == 1 ? 503 : 200) }
            .retrying().logged { events.add($0) }
        let request = try Item.request("POST")
        for _ in 0..<2 { _ = try await transport.send(request) }
        #expect(events.entries.map { $0.whyNotRetried == nil } == [true, false, true, true])
    }

    /// Adding an order; the server knows its key.
    struct AddOrder: RequestType {
        static let endpoint = Endpoint<Self>(method: .post, path: "orders")
        static let loadPolicy = LoadPolicy(repetition: .always)
        typealias Response = String
    }

    @Test("Of 20 POSTs with five attempts allowed, each that fails after a second names the budget")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func spentBudget() throws {
        let (time, sent) = (VirtualTime(), Journal<Void>())
        let (errors, lines) = (Journal<String>(), Journal<String>())
        // The connection is lost for what is sent in the first second, and for some after it.
        let stub = ClosureTransport { _ in
            if sent.add(()) <= 25 { throw URLError(.networkConnectionLost) }
            return try .stub(200, [:], "added")
        }
        var clock = time.clock
        clock.random = { 1 }
        let transport = stub.retrying(RetryPolicy(attempts: 5), clock: clock)
            .logged { if case .failure = $0.kind { lines.add("\($0)") } }
        for _ in 0..<20 {
            time.start {
                do { _ = try await transport.response(in: .production, with: AddOrder()) } catch {
                    errors.add((error as? AddOrder.TaskError)?.debugDescription ?? "")
                    #expect(time.now <= 1)
                }
            }
        }
        time.run()
        #expect(errors.entries.count == 15 && lines.entries.count == 15)
        let reason = "; `retrying()` didn't send it again: the policy's `budget` is spent, with 10"
        for text in errors.entries + lines.entries { #expect(text.contains(reason), "\(text)") }
        #expect(errors.entries.last?.contains("10 retries for 20 requests") == true)
    }
}
