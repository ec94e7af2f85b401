import Endpoints
import Foundation
import OpenCombine
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Publisher outcomes", .needsServers) struct OutcomeTests {
    @Test("A publisher ends each kind of load as the other loaders do", arguments: Outcome.all)
    func publisher(outcome: Outcome) async throws {
        let actual = try await outcome.actual(PublisherLoader())
        #expect(actual == outcome.expected)
    }
}

struct PublisherLoader: OutcomeLoader {
    func load<Request: RequestType>(
        _ request: Request, in environment: Request.Environment, by session: URLSession
    ) async -> Result<Request.Response, Request.TaskError>
    where Request: Sendable, Request.Response: Sendable {
        await withCheckedContinuation { continuation in
            session.endpointPublisher(in: environment, with: request)
                .map { Result<Request.Response, Request.TaskError>.success($0) }
                .catch { Just(.failure($0)) }
                .collect()
                .subscribe(
                    Subscribers.Sink { _ in
                    } receiveValue: { results in
                        continuation.resume(
                            returning: results.first ?? .failure(.cancelled(URLError(.cancelled))))
                    })
        }
    }
}
