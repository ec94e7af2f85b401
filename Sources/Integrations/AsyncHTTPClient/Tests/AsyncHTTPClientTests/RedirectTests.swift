import Endpoints
import EndpointsAsyncHTTPClient
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads with AsyncHTTPClient.
struct AsyncHTTPLoader: OutcomeLoader {
    func load<Request: RequestType>(
        _ request: Request, in environment: Request.Environment, by session: URLSession
    ) async -> Result<Request.Response, Request.TaskError>
    where Request: Sendable, Request.Response: Sendable {
        do throws(Request.TaskError) {
            return .success(try await Server.network.response(in: environment, with: request))
        } catch {
            return .failure(error)
        }
    }
}

@Suite("Redirects with AsyncHTTPClient", .needsServers, .timeLimit(.minutes(1)))
struct RedirectTests {
    @Test(
        "After a redirect, AsyncHTTPClient's request arrives with the right bytes",
        arguments: Redirect.table)
    func redirect(redirect: Redirect) async throws {
        let actual = try await redirect.actual(AsyncHTTPLoader())
        #expect(actual == redirect.expected.map(withoutLengthOfNothing))
    }

    /// AsyncHTTPClient sends no length with a DELETE without a body, which needs none (RFC 9110,
    /// section 8.6).
    private func withoutLengthOfNothing(_ arrival: String) -> String {
        guard arrival.contains(": DELETE ") else { return arrival }
        return arrival.replacing("content-length: 0\n", with: "")
    }

    @Test(
        "AsyncHTTPClient gets no request that a hook has made unsendable",
        arguments: Outcome.spoiled)
    func refusal(outcome: Outcome) async throws {
        let actual = try await outcome.actual(AsyncHTTPLoader())
        #expect(actual == outcome.expected)
    }
}
