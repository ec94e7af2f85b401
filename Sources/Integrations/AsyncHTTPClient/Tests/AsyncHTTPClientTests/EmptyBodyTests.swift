import Endpoints
import EndpointsAsyncHTTPClient
import Foundation
import Testing

@Suite("Responses without a body with AsyncHTTPClient", .timeLimit(.minutes(1)))
struct EmptyBodyTests {
    struct Head: FlatRequest, Sendable {
        let coding: String
        static let endpoint = Endpoint<Self>(method: .head, path: "\(path: \.coding)")
        typealias Response = WithHTTPResponse<Void>
    }

    @Test(
        "A HEAD of a compressed body has no body to unpack, and leaves the client usable",
        arguments: ["gzip", "deflate"])
    func head(_ coding: String) async throws {
        let server = ServerEnvironment(baseUrl: try TestServers.address("ENDPOINTS_HTTPBIN"))
        let client = EndpointClient(AsyncHTTPTransport(), in: server)
        for _ in 0..<2 {
            let head = try await client(Head(coding: coding)).httpResponse
            #expect(head.statusCode == 200)
            #expect(head.value(forHTTPHeaderField: "Content-Encoding") == coding)
        }
    }
}
