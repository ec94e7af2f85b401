import Endpoints
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The URL of a recorded response")
struct RecordedURLTests {
    struct GetNote: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "old")
        typealias Response = WithHTTPResponse<String>
    }

    /// A transport that has followed a redirect.
    private struct Redirected: Transport {
        let address: String

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let url = try #require(URL(string: address))
            let head = HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
            return TransportResponse(Data("note".utf8), try #require(head))
        }
    }

    @Test(
        "A response is replayed at the URL to which its request was redirected",
        arguments: [
            ("https://api.example.com/old", "https://api.example.com/old", false),
            ("https://h/new?a=b", "https://h/new?a=b", true),
            ("https://h/new?token=t0k3n", "https://h/new?token=masked01", true),
        ])
    func redirected(address: String, replayed: String, isWritten: Bool) async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(UUID().uuidString).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let server = ServerEnvironment(
            baseUrl: try #require(URL(string: "https://api.example.com")))
        let recorder = try Recorder(Redirected(address: address), to: file)
        let recorded = try await recorder.response(in: server, with: GetNote())
        #expect(recorded.httpResponse.url?.absoluteString == address)
        let response = try await Replay(file).response(in: server, with: GetNote())
        #expect(response.httpResponse.url?.absoluteString == replayed)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("_url") == isWritten)
        #expect(!text.contains("t0k3n"))
    }
}
