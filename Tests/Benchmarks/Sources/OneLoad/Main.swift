// The program whose instructions `load_instructions.py` counts: it loads a user again and again, by
// hand, by the library alone, or with middleware, from a transport that responds at once.
//
//     OneLoad 0 200      the first way, 200 times, and as often before that, to warm up

import Endpoints
import EndpointsCache
import EndpointsMiddleware
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Runs all jobs on the thread that calls `run`: valgrind can't follow the threads of Swift's own
/// executor.
private final class OneThread: TaskExecutor {
    private let jobs = Jobs()

    /// It is `@unchecked Sendable` because a lock guards `jobs`.
    private final class Jobs: @unchecked Sendable {
        private let lock = NSLock()
        private var jobs: [UnownedJob] = []

        func append(_ job: UnownedJob) { lock.withLock { jobs.append(job) } }
        func next() -> UnownedJob? { lock.withLock { jobs.isEmpty ? nil : jobs.removeFirst() } }
    }

    func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

    /// Returns when nothing is left to do.
    func run() {
        while let job = jobs.next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

private struct User: Decodable, Sendable {
    let id: Int
    let name: String
}

private struct GetUser: FlatRequest {
    let id: Int

    static let endpoint = Endpoint<Self>(method: .get, path: "users/\(path: \.id)")
    typealias Response = User
}

private struct Responding: Transport {
    let data = Data(#"{"id": 42, "name": "Ann"}"#.utf8)
    let httpResponse: HTTPURLResponse

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try request.check()
        return TransportResponse(data, httpResponse)
    }

    /// The same for code written by hand.
    @concurrent
    func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        (data, httpResponse)
    }
}

@main
enum OneLoad {
    private typealias Load = @Sendable (Int) async throws -> Void

    private static func ways(_ server: URL) throws -> [Load] {
        let fields = ["Content-Type": "application/json", "Cache-Control": "max-age=3600"]
        guard
            let head = HTTPURLResponse(
                url: server.appendingPathComponent("users/42"), statusCode: 200,
                httpVersion: "HTTP/1.1", headerFields: fields)
        else { throw URLError(.badURL) }
        let (base, environment) = (
            Responding(httpResponse: head), ServerEnvironment(baseUrl: server)
        )
        func tokens() -> MemoryCredentials {
            MemoryCredentials(for: environment, AccessToken(.bearer("t0k3n"))) { $0 }
        }
        let transports: [any Transport] = [
            base, base.paced(), base.limited(perOrigin: 2000), base.retrying(),
            base.authorized(by: tokens()),
            base.authorized(by: tokens()).paced().limited(perOrigin: 2000).retrying(),
            base.cached(in: .memory(megabytes: 4)),
        ]
        let byHand = { @Sendable (id: Int) async throws -> Void in
            var request = URLRequest(url: server.appendingPathComponent("users/\(id)"))
            request.setValue("application/json", forHTTPHeaderField: "Accept")
            let (data, head) = try await base.data(for: request)
            guard (200..<300).contains(head.statusCode) else { throw URLError(.badURL) }
            _ = try JSONDecoder().decode(User.self, from: data)
        }
        return [byHand]
            + transports.map { transport in
                { _ = try await transport.response(in: environment, with: GetUser(id: $0)) }
            }
    }

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        guard arguments.count == 2, let server = URL(string: "https://api.example.com")
        else { return print("OneLoad WAY COUNT") }
        let way = try ways(server)[arguments[0]]
        try run(way, arguments[1])
        try counted(way, arguments[1])
    }

    /// What is called by this function is counted.
    @inline(never)
    private static func counted(_ way: @escaping Load, _ count: Int) throws {
        try run(way, count)
    }

    @inline(never)
    private static func run(_ way: @escaping Load, _ count: Int) throws {
        let (executor, ended) = (OneThread(), Ended())
        Task(executorPreference: executor) {
            for _ in 0..<count { try await way(42) }
            ended.set()
        }
        executor.run()
        guard ended.value else { throw URLError(.unknown) }
    }

    /// It is `@unchecked Sendable` because only one thread uses it.
    private final class Ended: @unchecked Sendable {
        private(set) var value = false
        func set() { value = true }
    }
}
