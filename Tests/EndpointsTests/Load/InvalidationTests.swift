import Endpoints
import EndpointsStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Loads of a session that its owner ends", .needsServers, .timeLimit(.minutes(1)))
struct InvalidationTests {
    private struct Silent: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "no-response")
        typealias Response = Void
    }

    private struct Slow: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "endless-body")
        typealias Response = ByteStream
    }

    /// Says when its session has been invalidated.
    private final class Delegate: NSObject, URLSessionDelegate {
        let (ends, end) = AsyncStream<Void>.makeStream()

        func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
            end.yield()
        }
    }

    private let environment: ServerEnvironment
    private let delegate = Delegate()
    private let session: URLSession

    init() throws {
        environment = try Server.faults.environment
        session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    }

    @Test("A session that cancels its tasks cancels a load that calls back")
    func callback() async throws {
        let result = try await withCheckedThrowingContinuation { continuation in
            do {
                try session.endpointTask(in: environment, with: Silent()) {
                    continuation.resume(returning: $0)
                }.resume()
                session.invalidateAndCancel()
            } catch { continuation.resume(throwing: error) }
        }
        guard case .failure(.cancelled) = result else {
            Issue.record("\(result)")
            return
        }
    }

    @Test("A session that cancels its tasks ends a stream that is being read")
    func stream() async throws {
        let bytes = try await session.response(in: environment, with: Slow())
        session.invalidateAndCancel()
        let error = await #expect(throws: StreamError.self) { for try await _ in bytes {} }
        guard case .cancelled = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A session that waits for its tasks says that it has ended after the last load")
    func finish() async throws {
        let url = try Server.httpbin.environment
        struct Get: FlatRequest {
            static let endpoint = Endpoint<Self>(method: .get, path: "get")
            typealias Response = Void
        }
        try await session.response(in: url, with: Get())
        session.finishTasksAndInvalidate()
        var ends = delegate.ends.makeAsyncIterator()
        await ends.next()
    }
}
