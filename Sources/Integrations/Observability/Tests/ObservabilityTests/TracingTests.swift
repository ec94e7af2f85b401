import Endpoints
import EndpointsMiddleware
import EndpointsTesting
import EndpointsTracing
import Foundation
import InMemoryTracing
import Testing
import Tracing

@Suite("Traces by swift-distributed-tracing")
struct TracingTests {
    /// Writes the context of a span as the W3C says.
    struct TraceContext: Instrument {
        func extract<Carrier, Extract: Extractor>(
            _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
        ) where Extract.Carrier == Carrier {}

        func inject<Carrier, Inject: Injector>(
            _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
        ) where Inject.Carrier == Carrier {
            guard let span = context.inMemorySpanContext else { return }
            injector.inject(
                "00-\(span.traceID)-\(span.spanID)-01", forKey: "traceparent", into: &carrier)
        }
    }

    static let tracer = InMemoryTracer(
        idGenerator: .init(
            nextTraceID: { "0af7651916cd43dd8448eb211c80319c" }, nextSpanID: { "b7ad6b7169203331" })
    )
    static let isSetUp: Void = InstrumentationSystem.bootstrap(
        MultiplexInstrument([tracer, TraceContext()]))

    @Test("A request is a client span with HTTP's attributes, and takes its context along")
    func span() async throws {
        Self.isSetUp
        let stub = StubTransport()
        stub.on(GetUser.self, .throwing(URLError(.networkConnectionLost)), .status(404))
        let transport = stub.traced().retrying()
        _ = try? await transport.response(in: server, with: GetUser(id: 42))

        let spans = Self.tracer.finishedSpans
        try #require(spans.count == 2)
        #expect(spans.map(\.operationName) == ["GET", "GET"])
        #expect(spans.map(\.kind) == [.client, .client])
        #expect(
            spans[0].attributes.get("url.full")
                == .string("https://api.example.com/users/42?token=…"))
        #expect(spans[0].attributes.get("server.address") == .string("api.example.com"))
        #expect(spans[0].errors.count == 1)
        #expect(spans[1].attributes.get("http.request.resend_count") == .int64(1))
        #expect(spans[1].attributes.get("http.response.status_code") == .int64(404))
        #expect(spans[1].attributes.get("error.type") == .string("404"))
        #expect(spans[1].status?.code == .error)
        #expect(
            stub.sent.map { $0.urlRequest.value(forHTTPHeaderField: "traceparent") }
                == Array(
                    repeating: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", count: 2))
    }
}
