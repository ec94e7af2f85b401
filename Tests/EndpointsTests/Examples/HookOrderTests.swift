import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Hook order")
struct HookOrderTests {
    /// A request that is changed by `prepare` and signed by its environment.
    struct Transfer: RequestType {
        static let endpoint = Endpoint<Transfer>(
            method: .post, path: "transfers", headers: ["X-Trace": .fieldValue(value: "declared")])
        typealias Response = Void
        let body: [String: Int]
        var refuses = false

        struct NotNow: Error, Equatable {}

        func prepare(_ request: inout URLRequest) throws {
            if refuses { throw NotNow() }
            request.setValue("prepared", forHTTPHeaderField: "X-Trace")
            request.timeoutInterval = 5
        }
    }

    private func environment(
        _ process: @escaping RequestProcessor
    ) throws -> ServerEnvironment {
        let url = try #require(URL(string: "https://bank.example.com"))
        return ServerEnvironment(baseUrl: url, requestProcessor: process)
    }

    @Test("requestProcessor sees the request that prepare has changed")
    func order() throws {
        let signed = try environment { request in
            let trace = request.value(forHTTPHeaderField: "X-Trace") ?? "none"
            let body = request.httpBody.map { String(decoding: $0, as: UTF8.self) } ?? "none"
            request.setValue("\(trace) \(body)", forHTTPHeaderField: "X-Signature")
        }
        let request = try Transfer(body: ["a": 1]).urlRequest(in: signed)
        #expect(request.value(forHTTPHeaderField: "X-Signature") == #"prepared {"a":1}"#)
        #expect(request.timeoutInterval == 5)
    }

    @Test("prepare and requestProcessor may throw, and the error is kept as the cause")
    func refusals() throws {
        let open = try environment { _ in }
        let first = try #require(throws: EndpointError.self) {
            try Transfer(body: [:], refuses: true).urlRequest(in: open)
        }
        #expect(
            first.description
                == "Transfer: the prepare function refused the request: NotNow was thrown")
        #expect(first.cause is Transfer.NotNow)
        #expect(first.field == .prepare)

        let closed = try environment { _ in throw URLError(.userAuthenticationRequired) }
        let second = try #require(throws: EndpointError.self) {
            try Transfer(body: [:]).urlRequest(in: closed)
        }
        #expect(second.field == .requestProcessor)
        #expect((second.cause as? URLError)?.code == .userAuthenticationRequired)
    }

    @Test("What prepare and requestProcessor change arrives at the server", .needsServers)
    func atServer() async throws {
        struct Send: RequestType {
            static let endpoint = Endpoint<Send>(method: .get, path: "hooks")
            typealias Response = Recorded
            func prepare(_ request: inout URLRequest) {
                request.setValue("1", forHTTPHeaderField: "X-Order")
            }
        }
        let recorder = try Server.recorder.environment
        let environment = ServerEnvironment(baseUrl: recorder.baseUrl) { request in
            let order = request.value(forHTTPHeaderField: "X-Order") ?? ""
            request.setValue(order + "2", forHTTPHeaderField: "X-Order")
        }
        let recorded = try await URLSession.shared.response(in: environment, with: Send())
        #expect(recorded.values(of: "X-Order") == ["12"])
    }
}
