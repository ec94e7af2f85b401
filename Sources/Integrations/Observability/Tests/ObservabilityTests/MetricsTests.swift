import CoreMetrics
import Endpoints
import EndpointsMetrics
import EndpointsMiddleware
import EndpointsTesting
import Foundation
import MetricsTestKit
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Metrics by swift-metrics")
struct MetricsTests {
    /// What a function measures.
    static func metrics(
        of load: nonisolated(nonsending) () async -> Void
    ) async -> TestMetrics {
        let metrics = TestMetrics()
        await withMetricsFactory(metrics) { await load() }
        return metrics
    }

    static let duration = "http.client.request.duration"
    static let active = "http.client.active_requests"
    static let user = [
        ("http.request.method", "GET"), ("server.address", "api.example.com"),
        ("server.port", "443"), ("url.template", "/users/{id}"),
    ]

    @Test("A request is measured by its declaration, whatever its values")
    func declaration() async throws {
        let metrics = await Self.metrics {
            let transport = Answer(200, "Ann").metered()
            for id in 1...3 { _ = try? await transport.response(in: server, with: GetUser(id: id)) }
        }
        let dimensions = Self.user + [("http.response.status_code", "200")]
        let timer = try metrics.expectTimer(Self.duration, dimensions)
        #expect(timer.values.count == 3)
        #expect(timer.values.allSatisfy { (0...5_000_000_000).contains($0) })
        #expect(
            try metrics.expectMeter(Self.active, Self.user).values == [1, 0, 1, 0, 1, 0])
        #expect(
            try metrics.expectRecorder("http.client.response.body.size", dimensions).values
                == [3, 3, 3])
        #expect(metrics.timers.count == 1)
        #expect(metrics.meters.count == 1)
        #expect(metrics.recorders.count == 1)
        #expect(metrics.recorders.allSatisfy { $0.aggregate })
    }

    @Test("The bytes of the request's body are measured, and a duration is in nanoseconds")
    func bodies() async throws {
        let metrics = await Self.metrics {
            let slow = Answer { request in
                try await Task.sleep(for: .milliseconds(20))
                return TransportResponse(Data("ok".utf8), try Answer.head(request, 201))
            }
            _ = try? await slow.metered().response(in: server, with: AddUser(body: "äb"))
        }
        #expect(
            metrics.recorders(label: "http.client.request.body.size").map(\.values) == [[3]])
        #expect(
            metrics.recorders(label: "http.client.response.body.size").map(\.values) == [[2]])
        #expect(try #require(metrics.timers.first?.lastValue) >= 20_000_000)
    }

    @Test(
        "A status or an error is a dimension, and a cancelled load has neither",
        arguments: [
            (Answer(404), ["http.response.status_code=404", "error.type=404"]),
            (Answer(throwing: URLError(.timedOut)), ["error.type=URLError.timedOut"]),
            (
                Answer(throwing: OwnError(token: "t0k3n")),
                ["error.type=ObservabilityTests.OwnError"]
            ),
            (Answer(throwing: CancellationError()), []),
        ])
    func errors(transport: Answer, ending: [String]) async throws {
        let metrics = await Self.metrics {
            _ = try? await transport.metered().response(in: server, with: GetUser(id: 1))
        }
        let timer = try #require(metrics.timers.first)
        #expect(
            timer.dimensions.map { "\($0.0)=\($0.1)" }
                == Self.user.map { "\($0.0)=\($0.1)" } + ending)
        #expect(try metrics.expectMeter(Self.active, Self.user).values == [1, 0])
    }

    @Test("A request is active until its body has been read, has failed or is dropped")
    func streams() async throws {
        func request() throws -> TransportRequest {
            TransportRequest(
                try GetBytes().urlRequest(in: server), requestType: GetBytes.self)
        }
        let size = "http.client.response.body.size"
        let whole = TestMetrics()
        try await withMetricsFactory(whole) { () async throws in
            let response = try await Answer(["ab", "c"]).metered().send(request())
            #expect(whole.timers.map(\.values.count) == [1])
            #expect(whole.meters.map(\.values) == [[1]])
            #expect(try await response.body.data(upTo: 10) == Data("abc".utf8))
        }
        #expect(whole.meters.map(\.values) == [[1, 0]])
        #expect(whole.recorders(label: size).map(\.values) == [[3]])

        let dropped = TestMetrics()
        try await withMetricsFactory(dropped) { () async throws in
            for try await _ in try await Answer(["ab", "c"]).metered().send(request()).body {
                break
            }
        }
        #expect(dropped.meters.map(\.values) == [[1, 0]])
        #expect(dropped.recorders(label: size).map(\.values) == [[2]])

        let failed = TestMetrics()
        try await withMetricsFactory(failed) { () async throws in
            let transport = Answer(["ab"], then: URLError(.networkConnectionLost)).metered()
            let response = try await transport.send(request())
            await #expect(throws: URLError.self) { try await response.body.data(upTo: 10) }
        }
        #expect(failed.meters.map(\.values) == [[1, 0]])
        #expect(failed.recorders(label: size).isEmpty)
    }

    @Test("Each attempt is measured inside of `retrying`, and outside of it all are one request")
    func order() async throws {
        let failing = Answer { request in
            TransportResponse(Data(), try Answer.head(request, request.attempt < 3 ? 503 : 200))
        }
        let policy = RetryPolicy(firstDelay: 0)
        func counts(_ transport: any Transport) async -> [Int] {
            let metrics = await Self.metrics {
                _ = try? await transport.response(in: server, with: GetBytes())
            }
            return metrics.timers.map(\.values.count).sorted()
        }
        #expect(await counts(failing.metered().retrying(policy)) == [1, 2])
        #expect(await counts(failing.retrying(policy).metered()) == [1])
        #expect(await counts(Answer(200).metered().metered()) == [2])
    }
}
