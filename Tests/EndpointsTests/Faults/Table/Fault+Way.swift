import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Fault {
    /// One of the library's loaders, and how its load ends.
    struct Way: Sendable, CustomStringConvertible {
        let description: String
        var isStream: Bool { description == "stream" }
        /// Whether the requests are those of POST.
        var posts = false
        /// Loads; `ended` is called each time the load ends.
        let load:
            @Sendable (
                _ request: any Provocation, _ session: URLSession, _ environment: ServerEnvironment,
                _ ended: @escaping @Sendable () -> Void
            ) async -> Fault.Outcome

        /// `session.response(in:with:)`.
        static let async = Way(description: "async") { request, session, environment, ended in
            defer { ended() }
            return await session.outcome(of: request, in: environment)
        }

        /// A load whose response arrives in chunks.
        static let stream = Way(description: "stream") { request, session, environment, ended in
            defer { ended() }
            return await InChunks(session).outcome(of: request, in: environment)
        }

        /// The same loader, with requests that upload a file.
        func uploading(by method: String) -> Way {
            sending("a file by \(method)", posts: method == "POST") {
                let file = try TemporaryFile(count: 200_000)
                return { request in
                    request.httpMethod = method
                    request.upload = Upload([.data(Data("a".utf8)), .file(file.url)])
                }
            }
        }

        /// The same loader, with requests that send `Data` by POST.
        var posting: Way {
            sending("data by POST", posts: true) {
                { request in
                    request.httpMethod = "POST"
                    request.httpBody = Data("a".utf8)
                }
            }
        }

        private func sending(
            _ what: String, posts: Bool, _ change: @escaping @Sendable () throws -> Fault.Change
        ) -> Way {
            Way(description: "\(description), \(what)", posts: posts) {
                request, session, environment, ended in
                guard let change = try? change()
                else { return Outcome(ending: "no file", text: "") }
                return await Fault.$change.withValue(change) {
                    await load(request, session, environment, ended)
                }
            }
        }

        /// `session.endpointTask(in:with:completion:)`.
        static let callback = Way(description: "callback") { request, session, environment, ended in
            await withCheckedContinuation { continuation in
                let first = First { continuation.resume(returning: $0) }
                session.start(request, in: environment) { outcome in
                    ended()
                    first.call(outcome)
                }
            }
        }
    }

    /// Passes on only the first of several calls, so that a second call doesn't trap.
    final class First: @unchecked Sendable {
        private let lock = NSLock()
        private var action: (@Sendable (Fault.Outcome) -> Void)?

        init(_ action: @escaping @Sendable (Fault.Outcome) -> Void) { self.action = action }

        func call(_ outcome: Fault.Outcome) {
            let action = lock.withLock {
                defer { self.action = nil }
                return self.action
            }
            action?(outcome)
        }
    }
}

extension Transport {
    /// How a load of a request ends.
    func outcome<Request: Provocation>(
        of request: Request, in environment: ServerEnvironment
    ) async -> Fault.Outcome {
        do throws(Request.TaskError) {
            return .response(try await response(in: environment, with: request).description)
        } catch {
            return error.outcome
        }
    }
}

extension URLSession {
    fileprivate func start<Request: Provocation>(
        _ request: Request, in environment: ServerEnvironment,
        _ ended: @escaping @Sendable (Fault.Outcome) -> Void
    ) {
        do throws(EndpointError) {
            let task = try endpointTask(in: environment, with: request) { result in
                switch result {
                case .success(let response): ended(.response(response.description))
                case .failure(let error): ended(error.outcome)
                }
            }
            task.resume()
        } catch {
            ended(Fault.Outcome(ending: "thrown", text: error.description))
        }
    }
}
