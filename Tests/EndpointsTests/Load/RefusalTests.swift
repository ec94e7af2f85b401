import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("What a hook has spoiled")
struct RefusalTests {
    @Test("is refused by every loader: async", arguments: Outcome.spoiled)
    func async(outcome: Outcome) async throws {
        let actual = try await outcome.actual(OutcomeTests.AsyncLoader())
        #expect(actual == outcome.expected)
    }

    @Test("is refused by every loader: callback", arguments: Outcome.spoiled)
    func callback(outcome: Outcome) async throws {
        let actual = try await outcome.actual(OutcomeTests.CallbackLoader())
        #expect(actual == outcome.expected)
    }

    @Test("is refused where a URLRequest is loaded as it is")
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
