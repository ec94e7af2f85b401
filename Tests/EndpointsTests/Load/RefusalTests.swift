import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Requests that a hook made unsendable", .needsServers)
struct RefusalTests {
    @Test(
        "The async loader refuses a request that a hook has made unsendable",
        arguments: Outcome.spoiled)
    func async(outcome: Outcome) async throws {
        let actual = try await outcome.actual(OutcomeTests.AsyncLoader())
        #expect(actual == outcome.expected)
    }

    @Test(
        "The callback loader refuses a request that a hook has made unsendable",
        arguments: Outcome.spoiled)
    func callback(outcome: Outcome) async throws {
        let actual = try await outcome.actual(OutcomeTests.CallbackLoader())
        #expect(actual == outcome.expected)
    }

    @Test("URLSession as a Transport refuses a URLRequest with a Content-Length")
    func transport() async throws {
        var request = URLRequest(url: try Server.recorder.environment.baseUrl)
        request.allHTTPHeaderFields = ["Content-Length": "5"]
        let error = await #expect(throws: EndpointError.self) {
            try await URLSession.shared.load(request, .default)
        }
        #expect(error?.field == .header("Content-Length"))
        #expect(error?.requestType == "AnyURLRequest")
    }
}
