import Endpoints
import EndpointsAsyncHTTPClient
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The fault server closes or resets a kept connection, when the response is sent or when the next
/// request arrives.
@Suite("Kept connections with AsyncHTTPClient", .needsServers)
struct KeptConnectionTests {
    struct Ask: FlatRequest, Sendable {
        let fault: String
        var method = "GET"
        var upload: Upload?
        var loadPolicy = LoadPolicy()
        static let endpoint = Endpoint<Ask>(method: .get, path: "\(path: \.fault)")
        typealias Response = String

        func prepare(_ request: inout URLRequest) {
            request.httpMethod = method
            request.upload = upload
        }
    }

    static let faults = [
        "second-request-closed", "second-request-reset", "keep-alive-closed", "keep-alive-reset",
    ]

    @Test(
        "A request that may be repeated is sent again if the kept connection is closed",
        arguments: faults)
    func repeated(_ fault: String) async throws {
        let environment = try Server.faults.environment
        let transport = AsyncHTTPTransport()
        let body = Upload([.data(Data(repeating: 120, count: 200_000))])
        let again = LoadPolicy(repetition: .always)
        for ask in [
            Ask(fault: fault), Ask(fault: fault, method: "PUT", upload: body),
            Ask(fault: fault, method: "POST", upload: body, loadPolicy: again),
        ] {
            for _ in 0..<20 {
                let text = try await transport.response(in: environment, with: ask)
                #expect(text.contains("ok"))
            }
        }
    }

    @Test("Many kept connections may be closed, and each request is answered", arguments: faults)
    func many(_ fault: String) async throws {
        let environment = try Server.faults.environment
        let transport = AsyncHTTPTransport()
        for _ in 0..<10 {
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        try await transport.response(in: environment, with: Ask(fault: fault))
                    }
                }
                for try await text in group { #expect(text.contains("ok")) }
            }
        }
    }

    @Test(
        "A request that must not be repeated isn't sent again",
        arguments: ["second-request-closed", "second-request-reset"],
        [("POST", LoadPolicy()), ("GET", LoadPolicy(repetition: .never))])
    func notRepeated(_ fault: String, _ row: (method: String, policy: LoadPolicy)) async throws {
        let environment = try Server.faults.environment
        let transport = AsyncHTTPTransport()
        let ask = Ask(fault: fault, method: row.method, loadPolicy: row.policy)
        _ = try await transport.response(in: environment, with: ask)
        do throws(Ask.TaskError) {
            _ = try await transport.response(in: environment, with: ask)
            Issue.record("a response came")
        } catch .urlLoadError(let error) {
            #expect(error.code == .networkConnectionLost)
        } catch {
            Issue.record(error)
        }
    }
}
