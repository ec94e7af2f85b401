import Foundation
import Testing

@testable import Endpoints

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Time limit of a load", .needsServers, .timeLimit(.minutes(1)))
struct TimeLimitTests {
    private struct Post: FlatRequest {
        static let endpoint = Endpoint<Self>(
            method: .post, path: "", parameters: [.query("key", path: \.key)])
        @TaskLocal static var seconds: TimeInterval = 0
        static var loadPolicy: LoadPolicy { LoadPolicy(timeLimit: seconds) }
        typealias Response = Void
        let key: String
    }

    @Test("Nothing is sent where no time is left", arguments: [0, -5, -1e-300])
    func noTime(_ seconds: TimeInterval) async throws {
        let origins = try Origins()
        let environment = ServerEnvironment(baseUrl: origins.first)
        let post = Post(key: UUID().uuidString)
        let urlRequest = try post.urlRequest(in: environment)
        for _ in 0..<20 {
            // What a transport leaves of a limit may be nothing.
            let error = await #expect(throws: URLError.self) {
                try await URLSession.shared.load(urlRequest, LoadPolicy(timeLimit: seconds))
            }
            #expect(error?.code == .timedOut)
            // A declared limit of no time can't be meant.
            await Post.$seconds.withValue(seconds) {
                await #expect(throws: Post.TaskError.self) {
                    try await URLSession.shared.response(in: environment, with: post)
                }
                let refusal = #expect(throws: EndpointError.self) {
                    _ = try URLSession.shared.endpointTask(in: environment, with: post) { _ in }
                }
                #expect(refusal?.field == .loadPolicy)
            }
        }
        #expect(try await origins.arrivals(post.key) == [])
    }

    /// A delegate that never decides about a challenge.
    private final class Undecided: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {}
    }

    @Test("A load ends in time while a challenge waits for the delegate")
    func challenge() async throws {
        let session = URLSession(
            configuration: .ephemeral, delegate: Undecided(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let url = try Server.httpbin.environment.baseUrl.appendingPathComponent("basic-auth/u/p")
        let error = await #expect(throws: URLError.self) {
            try await session.load(URLRequest(url: url), LoadPolicy(timeLimit: 0.5))
        }
        #expect(error?.code == .timedOut)
    }

    /// A delegate that gives another wrong credential for each challenge.
    private final class Wrong: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let count = challenge.previousFailureCount
            completionHandler(
                .useCredential,
                URLCredential(user: "u", password: "wrong \(count)", persistence: .none))
        }
    }

    @Test("A load ends in time while the delegate answers a challenge wrongly again and again")
    func wrongCredentials() async throws {
        let session = URLSession(configuration: .ephemeral, delegate: Wrong(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let url = try Server.httpbin.environment.baseUrl.appendingPathComponent("basic-auth/u/p")
        let error = await #expect(throws: URLError.self) {
            try await session.load(URLRequest(url: url), LoadPolicy(timeLimit: 0.5))
        }
        #expect(error?.code == .timedOut)
    }

    @Test("An awaited load ends in time while the session's delegate queue is blocked")
    func blockedQueue() async throws {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: queue)
        let isOver = DispatchSemaphore(value: 0)
        queue.addOperation { isOver.wait() }
        defer {
            isOver.signal()
            session.finishTasksAndInvalidate()
        }
        let url = try Server.faults.environment.baseUrl.appendingPathComponent("no-response")
        let error = await #expect(throws: URLError.self) {
            try await session.load(URLRequest(url: url), LoadPolicy(timeLimit: 0.3))
        }
        #expect(error?.code == .timedOut)
    }

    /// A queue with a thread of its own.
    private static let callbacks = DispatchQueue(label: "callbacks")

    @Test("A load calls back in time while the program keeps all processors busy")
    func busyProcessors() throws {
        // An `OperationQueue` alone waits for a free processor.
        let queue = OperationQueue()
        queue.underlyingQueue = Self.callbacks
        let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: queue)
        defer { session.finishTasksAndInvalidate() }
        let url = try Server.faults.environment.baseUrl.appendingPathComponent("no-response")
        let load = SessionLoad(
            of: URLRequest(url: url), by: session, under: LoadPolicy(timeLimit: 0.3))
        let hasEnded = DispatchSemaphore(value: 0)
        let isOver = Locked(false)
        defer { isOver.withLock { $0 = true } }
        for _ in 0..<ProcessInfo.processInfo.activeProcessorCount * 2 {
            DispatchQueue.global().async { while !isOver.withLock({ $0 }) {} }
        }
        load.task { _ in hasEnded.signal() }.resume()
        #expect(hasEnded.wait(timeout: .now() + 5) == .success)
    }
}
