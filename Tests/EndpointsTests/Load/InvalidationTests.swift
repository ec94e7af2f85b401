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

    private struct Get: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "get")
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

    /// When a session cancels its tasks.
    private enum Moment: CaseIterable {
        case beforeTheTask, beforeItResumes, afterItResumes
    }

    @Test(
        "A session that cancels its tasks cancels a load that calls back on its delegate queue",
        arguments: Moment.allCases)
    private func callback(_ moment: Moment) async throws {
        let (result, queue) = try await withCheckedThrowingContinuation { continuation in
            do {
                if moment == .beforeTheTask { session.invalidateAndCancel() }
                let task = try session.endpointTask(in: environment, with: Silent()) {
                    continuation.resume(returning: ($0, OperationQueue.current))
                }
                if moment == .afterItResumes { task.resume() }
                if moment != .beforeTheTask { session.invalidateAndCancel() }
            } catch { continuation.resume(throwing: error) }
        }
        guard case .failure(.cancelled) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(queue === session.delegateQueue)
    }

    @Test(
        "A load of a session that has ended is cancelled, also after an earlier load",
        arguments: [false, true])
    func ended(_ isUsed: Bool) async throws {
        if isUsed { try await session.response(in: Server.httpbin.environment, with: Get()) }
        session.invalidateAndCancel()
        var ends = delegate.ends.makeAsyncIterator()
        await ends.next()
        let error = await #expect(throws: Silent.TaskError.self) {
            try await session.response(in: environment, with: Silent())
        }
        guard case .cancelled = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A body that is longer than its limit ends the transfer of a load that calls back")
    func limit() async throws {
        struct Endless: FlatRequest {
            static let endpoint = Endpoint<Self>(
                method: .get, path: "endless-body", parameters: [.query("key", path: \.key)])
            static let loadPolicy = LoadPolicy(bodyLimit: 1 << 20)
            typealias Response = Data
            let key = UUID().uuidString
        }
        let request = Endless()
        let result = try await withCheckedThrowingContinuation { continuation in
            do {
                try session.endpointTask(in: environment, with: request) {
                    continuation.resume(returning: $0)
                }.resume()
            } catch { continuation.resume(throwing: error) }
        }
        guard case .failure(.urlLoadError(let error)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error.code == .dataLengthExceedsMaximum)
        #expect(try await FaultServer().open(request.key) == 0)
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
        try await session.response(in: Server.httpbin.environment, with: Get())
        session.finishTasksAndInvalidate()
        var ends = delegate.ends.makeAsyncIterator()
        await ends.next()
    }
}
