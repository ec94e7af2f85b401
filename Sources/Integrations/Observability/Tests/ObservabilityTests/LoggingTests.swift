import Endpoints
import EndpointsMiddleware
import EndpointsLogging
import EndpointsTesting
import Foundation
import InMemoryLogging
import Logging
import Testing

@Suite("Logs by swift-log")
struct LoggingTests {
    @Test("A request and its response are two lines with metadata and without a secret")
    func lines() async throws {
        let stub = StubTransport()
        stub.on(GetUser.self, .value("Ann"), .status(503))
        let handler = InMemoryLogHandler()
        var logger = Logger(label: "api") { _ in handler }
        logger.logLevel = .trace
        let transport = stub.logged(to: logger)
        _ = try await transport.response(in: server, with: GetUser(id: 42))
        _ = try? await transport.response(in: server, with: GetUser(id: 7))

        let entries = handler.entries
        #expect(entries.map(\.level) == [.debug, .info, .debug, .error])
        #expect(
            entries[1].message.description.hasPrefix(
                "GetUser GET https://api.example.com/users/42?token=… -> 200, 3 bytes"))
        #expect(entries[1].metadata["http.response.status_code"] == "200")
        #expect(entries[3].metadata["url.full"] == "https://api.example.com/users/7?token=…")
        #expect(!entries.contains { "\($0.message) \($0.metadata)".contains("t0k3n") })
        #expect(entries.allSatisfy { $0.metadata["url.template"] == "/users/{id}" })
    }

    @Test("The lines of a load share an id, and have its headers without their secrets")
    func metadata() async throws {
        let transport = Answer { request in
            TransportResponse(
                Data(),
                try Answer.head(
                    request, request.attempt < 2 ? 503 : 200,
                    ["Set-Cookie": "a=s3cr3t", "X-Kind": "a", "X-Echo": "got s3cr3t-t0k3n"]))
        }
        let handler = InMemoryLogHandler()
        var logger = Logger(label: "api") { _ in handler }
        logger.logLevel = .trace
        let server = ServerEnvironment(
            baseUrl: try #require(URL(string: "https://h")),
            headers: ["Authorization": "Bearer s3cr3t-t0k3n", "X-Client": "app"])
        let logged = transport.logged(to: logger).retrying(RetryPolicy(firstDelay: 0))
        for _ in 0..<2 { _ = try await logged.response(in: server, with: GetBytes()) }

        let lines = handler.entries.map(\.metadata)
        try #require(lines.count == 8)
        #expect(lines[1..<4].allSatisfy { $0["load"] == lines[0]["load"] })
        #expect(lines[0]["load"] != nil && lines[0]["load"] != lines[4]["load"])
        #expect(lines.allSatisfy { $0["http.request.header.authorization"] == ["…"] })
        #expect(lines.allSatisfy { $0["http.request.header.x-client"] == ["app"] })
        #expect(lines[0]["http.response.header.x-kind"] == nil)
        #expect(lines[1]["http.response.header.x-kind"] == ["a"])
        #expect(lines[1]["http.response.header.set-cookie"] == ["…"])
        #expect(lines[1]["error.type"] == "503")
        #expect(lines[3]["http.request.resend_count"] == "1")
        #expect(lines[3]["error.type"] == nil)
        #expect(!handler.entries.contains { "\($0.message) \($0.metadata)".contains("s3cr3t") })
    }
}
