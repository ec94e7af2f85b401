import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Cancellation", .needsServers)
struct CancellationTests {
    /// A request to which the server sends no response for a minute.
    struct Wait: FlatRequest, Sendable {
        var key = UUID().uuidString
        static let endpoint = Endpoint<Wait>(
            method: .get, path: "no-response", parameters: [.query("key", path: \.key)])
        typealias Response = Data
    }

    /// How many requests with a key the server received.
    struct Asked: FlatRequest {
        let key: String
        static let endpoint = Endpoint<Asked>(method: .get, path: "-/asked/\(path: \.key)")
        struct Response: Decodable { let asked: Int }
    }

    /// The number of open connections with a key, after waiting until there are none.
    struct Open: FlatRequest {
        let key: String
        static let endpoint = Endpoint<Open>(
            method: .get, path: "-/open",
            parameters: [
                .query("key", path: \.key), .queryValue("most", value: 0),
                .queryValue("ms", value: 20_000),
            ])
        struct Response: Decodable { let open: Int }
    }

    /// Returns when the server has received the request.
    private func arrival(of wait: Wait) async throws {
        while try await Server.faults.response(to: Asked(key: wait.key)).asked == 0 {
            await Task.yield()
        }
    }

    private func expectClosed(_ wait: Wait) async throws {
        #expect(try await Server.faults.response(to: Open(key: wait.key)).open == 0)
    }

    @Test("Cancelling the Swift task ends the load as cancelled and closes the connection")
    func task() async throws {
        let environment = try Server.faults.environment
        let wait = Wait()
        let task = Task { try await URLSession.shared.response(in: environment, with: wait) }
        try await arrival(of: wait)
        task.cancel()
        expectCancelled(await task.result)
        try await expectClosed(wait)
    }

    @Test("Cancelling the Swift task before it loads ends the load as cancelled")
    func taskAtOnce() async throws {
        let environment = try Server.faults.environment
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await URLSession.shared.response(in: environment, with: Wait())
        }
        expectCancelled(await task.result)
    }

    @Test("Cancelling a task group ends the load of each child")
    func group() async throws {
        let environment = try Server.faults.environment
        let waits = (0..<8).map { _ in Wait() }
        await withTaskGroup(of: Result<Data, any Error>.self) { group in
            for wait in waits {
                group.addTask {
                    do {
                        return .success(
                            try await URLSession.shared.response(in: environment, with: wait))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            group.cancelAll()
            for await result in group { expectCancelled(result) }
        }
        for wait in waits { try await expectClosed(wait) }
    }

    @Test("Cancelling the URLSessionTask calls back once, with the error .cancelled")
    func urlSessionTask() async throws {
        let environment = try Server.faults.environment
        let wait = Wait()
        let (results, calls) = AsyncStream.makeStream(of: Result<Data, Wait.TaskError>.self)
        let task = try URLSession.shared.endpointTask(in: environment, with: wait) { result in
            calls.yield(result)
        }
        #expect(task.state == .suspended, "not resumed yet")
        task.resume()
        try await arrival(of: wait)
        task.cancel()
        task.cancel()
        var iterator = results.makeAsyncIterator()
        expectCancelled(try #require(await iterator.next()).mapError { $0 })
        try await expectClosed(wait)
        calls.finish()
        #expect(await iterator.next() == nil)
    }

    @Test("Cancelling a URLSessionTask that isn't resumed calls back with .cancelled")
    func suspendedTask() async throws {
        let environment = try Server.faults.environment
        let result = await withCheckedContinuation { continuation in
            do throws(EndpointError) {
                try URLSession.shared.endpointTask(in: environment, with: Wait()) { result in
                    continuation.resume(returning: result)
                }.cancel()
            } catch {
                continuation.resume(returning: .failure(.endpointError(error)))
            }
        }
        expectCancelled(result.mapError { $0 })
    }

    @Test("Cancelling the Swift task after the response changes nothing")
    func late() async throws {
        let environment = try Server.faults.environment
        let task = Task {
            try await URLSession.shared.response(in: environment, with: Ask(path: "-/fine"))
        }
        #expect(try await task.value.ok)
        task.cancel()
        #expect(try await task.value.ok)
    }

    private func expectCancelled(_ result: Result<Data, any Error>) {
        let error = #expect(throws: Wait.TaskError.self) { _ = try result.get() }
        guard case .cancelled = error else {
            Issue.record("\(result)")
            return
        }
    }
}
