import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One of the library's ways to load a request, with a text of what it came to.
struct Loader: Sendable, CustomStringConvertible {
    let description: String
    /// Ends once with the text of the response or error; `ended` is called each time the load ends.
    let load:
        @Sendable (
            _ request: any Provocation, _ session: URLSession, _ environment: ServerEnvironment,
            _ ended: @escaping @Sendable () -> Void
        ) async -> String

    /// `session.response(in:with:)`.
    static let async = Loader(description: "async") { request, session, environment, ended in
        defer { ended() }
        return await session.text(of: request, in: environment)
    }

    /// `session.endpointTask(in:with:completion:)`.
    static let callback = Loader(description: "callback") { request, session, environment, ended in
        await withCheckedContinuation { continuation in
            let first = First { continuation.resume(returning: $0) }
            session.start(request, in: environment) { text in
                ended()
                first.call(text)
            }
        }
    }
}

/// Passes on the first of several calls, so that a second one is counted instead of trapping.
final class First: @unchecked Sendable {
    private let lock = NSLock()
    private var action: (@Sendable (String) -> Void)?

    init(_ action: @escaping @Sendable (String) -> Void) { self.action = action }

    func call(_ text: String) {
        let action = lock.withLock {
            defer { self.action = nil }
            return self.action
        }
        action?(text)
    }
}

extension URLSession {
    fileprivate func text<Request: Provocation>(
        of request: Request, in environment: ServerEnvironment
    ) async -> String {
        do throws(Request.TaskError) {
            return try await response(in: environment, with: request).description
        } catch {
            return error.text
        }
    }

    fileprivate func start<Request: Provocation>(
        _ request: Request, in environment: ServerEnvironment,
        _ ended: @escaping @Sendable (String) -> Void
    ) {
        do throws(EndpointError) {
            let task = try endpointTask(in: environment, with: request) { result in
                switch result {
                case .success(let response): ended(response.description)
                case .failure(let error): ended(error.text)
                }
            }
            task.resume()
        } catch {
            ended(error.description)
        }
    }
}

extension EndpointTaskError<Fault.Problem> {
    /// The error's text, and that of an error answer that could be read.
    var text: String {
        guard case .errorResponse(_, let response) = self else { return description }
        return "\(description): \(response.error.prefix(20))"
    }
}
