import Endpoints
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a user of `URLSession` writes by hand. The package of AsyncHTTPClient has another such
/// file.
struct Hand: Sendable {
    static let client = "URLSession"
    static let name = "by hand, data(for:)"
    private let session: URLSession
    private let listener = Listener()
    private let listening: URLSession

    init(connections: Int = 256) {
        session = Hand.session(connections)
        listening = URLSession(
            configuration: session.configuration, delegate: listener, delegateQueue: nil)
    }

    /// Loads a URL, or sends a body to it.
    func load(
        _ url: URL, bearer: String? = nil, body: Data? = nil
    ) async throws -> (data: Data, status: Int) {
        var request = URLRequest(url: url)
        if let bearer { request.setValue("Bearer \(bearer)", forHTTPHeaderField: "Authorization") }
        let loaded: (data: Data, response: URLResponse)
        if let body {
            request.httpMethod = "PUT"
            loaded = try await session.upload(for: request, from: body)
        } else {
            loaded = try await session.data(for: request)
        }
        return (loaded.data, (loaded.response as? HTTPURLResponse)?.statusCode ?? 0)
    }

    /// A transport of the library with the same client.
    static func transport(connections: Int = 256) -> any Transport { session(connections) }

    static func session(_ connections: Int = 256) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }

    /// Reads events until it is cancelled.
    func listen(to url: URL) async throws {
        let task = listening.dataTask(with: url)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                listener.ends.withLock { $0[task.taskIdentifier] = continuation }
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }

    private final class Listener: NSObject, URLSessionDataDelegate {
        let ends = Mutex<[Int: CheckedContinuation<Void, any Error>]>([:])

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive: Data) {}

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
        ) {
            let end = ends.withLock { $0.removeValue(forKey: task.taskIdentifier) }
            end?.resume(throwing: error ?? URLError(.unknown))
        }
    }

    /// Users in small JSON, loaded by a task with a completion handler; and by the least code that
    /// counts a body while it arrives, and whose caller doesn't wait while `URLSession` is busy.
    static func others(_ server: URL) -> [Way] {
        let (session, counting) = (session(), Counting())
        return [
            Way(name: "the least that counts") { id in
                let request = URLRequest(url: server.appendingPathComponent("users/\(id)"))
                let loaded = try await counting.load(request)
                try User.check((loaded.0, (loaded.1 as? HTTPURLResponse)?.statusCode ?? 0))
            },
            Way(name: "a bare task") { id in
                let request = URLRequest(url: server.appendingPathComponent("users/\(id)"))
                let loaded: (Data, URLResponse) = try await withCheckedThrowingContinuation {
                    continuation in
                    session.dataTask(with: request) { data, response, error in
                        if let data, let response {
                            continuation.resume(returning: (data, response))
                        } else {
                            continuation.resume(throwing: error ?? URLError(.unknown))
                        }
                    }.resume()
                }
                try User.check((loaded.0, (loaded.1 as? HTTPURLResponse)?.statusCode ?? 0))
            },
        ]
    }

    /// Counts each body while it arrives. The calls that may wait for other sessions are made on a
    /// queue, so that a time limit would hold meanwhile.
    private final class Counting: NSObject, URLSessionDataDelegate {
        private struct Load {
            let end: CheckedContinuation<(Data, URLResponse), any Error>
            var body = Data()
        }

        /// Doesn't wait for another thread.
        private final class Inline: OperationQueue, @unchecked Sendable {
            override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
        }

        private let queue = DispatchQueue(label: "Hand.Counting")
        private let loads = Mutex<[Int: Load]>([:])
        private let session = Mutex<URLSession?>(nil)

        override init() {
            super.init()
            let session = URLSession(
                configuration: Hand.session().configuration, delegate: self,
                delegateQueue: Inline())
            self.session.withLock { $0 = session }
        }

        func load(_ request: URLRequest) async throws -> (Data, URLResponse) {
            guard let session = session.withLock(\.self) else { throw URLError(.cancelled) }
            return try await withCheckedThrowingContinuation { continuation in
                queue.async { [self] in
                    let task = session.dataTask(with: request)
                    loads.withLock { $0[task.taskIdentifier] = Load(end: continuation) }
                    task.resume()
                }
            }
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
        ) {
            let isTooLong = loads.withLock { loads in
                loads[dataTask.taskIdentifier]?.body.append(data)
                return loads[dataTask.taskIdentifier].map { $0.body.count > 64 << 20 } ?? false
            }
            if isTooLong { queue.async { dataTask.cancel() } }
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
        ) {
            guard let load = loads.withLock({ $0.removeValue(forKey: task.taskIdentifier) })
            else { return }
            if let response = task.response, error == nil {
                load.end.resume(returning: (load.body, response))
            } else {
                load.end.resume(throwing: error ?? URLError(.unknown))
            }
        }
    }
}
