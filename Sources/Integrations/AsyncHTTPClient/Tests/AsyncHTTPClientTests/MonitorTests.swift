import Endpoints
import EndpointsAsyncHTTPClient
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Monitored loads with AsyncHTTPClient", .needsServers, .timeLimit(.minutes(1)))
struct MonitorTests {
    struct Get: FlatRequest, Sendable {
        var status = 200
        static let endpoint = Endpoint<Self>(
            method: .get, path: "-/echo", parameters: [.query("status", path: \.status)])
        typealias Response = WithHTTPResponse<Data>
    }

    struct GetRedirected: FlatRequest, Sendable {
        static let endpoint = Endpoint<Self>(
            method: .get, path: "-/redirect", parameters: [.queryValue("to", value: "/-/echo")])
        typealias Response = Data
    }

    struct GetNumbers: FlatRequest, Sendable {
        static let endpoint = Endpoint<Self>(
            method: .get, path: "lines", parameters: [.queryValue("n", value: 3)])
        typealias Response = WithHTTPResponse<Data>
    }

    /// The events of a load, to the last one.
    func lines(
        of load: (@escaping @Sendable (LoadEvent) -> Void) async throws -> Void
    ) async throws -> [String] {
        let (events, continuation) = AsyncStream.makeStream(of: LoadEvent.self)
        try await load { event in
            continuation.yield(event)
            if event.isEnd { continuation.finish() }
        }
        return await events.reduce(into: []) { $0.append(Self.line($1)) }
    }

    static func line(_ event: LoadEvent) -> String {
        switch event.kind {
        case .started: "started"
        case .sent: "sent"
        case .responded(let status, _): "\(status)"
        case .redirected: "redirected"
        case .connection(let connection):
            [
                connection.isReused.map { $0 ? "kept" : "new" }, connection.networkProtocol,
                connection.tlsVersion,
            ].compactMap(\.self).joined(separator: " ")
        case .finished(_, let isWhole): isWhole ? "finished" : "left"
        case .failed(let error): "failed \((error as NSError).code)"
        case .cancelled: "cancelled"
        }
    }

    @Test("A connection is new for the first request, and kept for the next one")
    func connections() async throws {
        let (transport, server) = (AsyncHTTPTransport(), try Server.recorder.environment)
        for kind in ["new", "kept"] {
            let lines = try await lines { monitor in
                let response = try await transport.monitored(monitor)
                    .response(in: server, with: Get())
                let header = response.httpResponse.value(forHTTPHeaderField: "Endpoints-Connection")
                #expect(header == nil)
            }
            #expect(lines == ["started", "sent", "\(kind) http/1.1", "200", "finished"])
        }
    }

    @Test("By HTTP/1.1 with TLS, its version is told", .needsTLS)
    func tls() async throws {
        let server = ServerEnvironment(baseUrl: try TestServers.address("ENDPOINTS_RECORDER_TLS"))
        let lines = try await lines { monitor in
            _ = try await AsyncHTTPTransport().monitored(monitor).response(in: server, with: Get())
        }
        #expect(lines == ["started", "sent", "new http/1.1 TLS 1.3", "200", "finished"])
    }

    @Test("Each request of a redirect is told with its connection")
    func redirect() async throws {
        let (transport, server) = (AsyncHTTPTransport(), try Server.recorder.environment)
        let lines = try await lines { monitor in
            _ = try await transport.monitored(monitor).response(in: server, with: GetRedirected())
        }
        #expect(
            lines == [
                "started", "sent", "new http/1.1", "302", "redirected", "sent", "kept http/1.1",
                "200", "finished",
            ])
    }

    @Test(
        "By HTTP/2, the first stream is on a new connection and the next on a kept one", .needsTLS)
    func streams() async throws {
        let transport = AsyncHTTPTransport()
        let server = ServerEnvironment(baseUrl: try TestServers.address("ENDPOINTS_HTTP2"))
        for kind in ["new", "kept"] {
            let lines = try await lines { monitor in
                let response = try await transport.monitored(monitor)
                    .response(in: server, with: GetNumbers())
                let header = response.httpResponse.value(forHTTPHeaderField: "Endpoints-Connection")
                #expect(header == nil)
            }
            #expect(lines == ["started", "sent", "\(kind) h2 TLS 1.3", "200", "finished"])
        }
    }
}
