import Endpoints
import EndpointsMiddleware
import EndpointsLogging
import EndpointsTesting
import Foundation
import InMemoryLogging
import Logging
import Testing

let server = ServerEnvironment(baseUrl: URL(string: "https://api.example.com")!)

struct GetUser: FlatRequest {
    let id: Int
    static let endpoint = Endpoint<GetUser>(
        method: .get, path: "users/\(path: \.id)",
        parameters: [.queryValue("token", value: "t0k3n")])
    typealias Response = String
}

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
    }
}
