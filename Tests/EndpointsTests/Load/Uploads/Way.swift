import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A way to load a request with an upload.
struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let loader: any OutcomeLoader

    static let all = [
        Way(testDescription: "async", loader: OutcomeTests.AsyncLoader()),
        Way(testDescription: "callback", loader: OutcomeTests.CallbackLoader()),
        Way(testDescription: "stream", loader: OutcomeTests.StreamLoader()),
    ]

    func load<Request: RequestType & Sendable>(
        _ request: Request, in environment: Request.Environment, by session: URLSession = .shared
    ) async throws(Request.TaskError) -> Request.Response where Request.Response: Sendable {
        try await loader.load(request, in: environment, by: session).get()
    }
}
