import Endpoints
import Foundation

extension EndpointClient {
    /// What is stored for a request, and then what the server says.
    ///
    ///     for try await user in api.updates(of: GetUser(id: 42)) {
    ///         print(user)   // at once, if it is stored, and again after the server has responded
    ///     }
    ///
    /// The stored response comes also if it is stale; without one, the first element is the
    /// server's response. If the server says that what is stored is still valid, that comes once
    /// more. The error of the load is thrown after the stored response. A stored error response is
    /// left out.
    public func updates<Request: RequestType>(
        of request: Request
    ) -> ResponseUpdates<Request> where Request.Environment == Environment {
        ResponseUpdates(client: self, request: request)
    }
}

/// The responses of ``EndpointClient/updates(of:)``: one or two.
public struct ResponseUpdates<Request: RequestType>: AsyncSequence {
    /// A response.
    public typealias Element = Request.Response

    let client: EndpointClient<Request.Environment>
    let request: Request

    /// An iterator over the responses.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum Step {
            case stored, loaded, ended
        }

        private let updates: ResponseUpdates
        private var next = Step.stored
        /// One for both steps, so that both are of one account.
        private var sent: TransportRequest?

        fileprivate init(_ updates: ResponseUpdates) {
            self.updates = updates
        }

        /// The next response; `nil` after the server's.
        ///
        /// - Throws: The ``RequestType/TaskError`` of the load.
        public mutating func next() async throws -> Request.Response? {
            try await next(isolation: nil)
        }

        /// Like `next()`, but runs on the caller's actor.
        public nonisolated(nonsending) mutating func next(
            isolation actor: (any Actor)?
        ) async throws(Request.TaskError) -> Request.Response? {
            if next == .stored {
                next = .loaded
                do throws(Request.TaskError) {
                    let sent = try updates.client.sentRequest(for: updates.request, .storedOnly)
                    self.sent = sent
                    if let response = try await updates.client.stored(sent, as: Request.self) {
                        return response
                    }
                } catch {
                    if case .endpointError = error {
                        next = .ended
                        throw error
                    }
                }
            }
            guard next == .loaded, let sent else { return nil }
            next = .ended
            sent.cachePolicy = .validated
            return try await updates.client.transport.response(to: sent, as: Request.self)
        }
    }

    /// An iterator over the responses. Each asks the server once.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension ResponseUpdates: Sendable where Request: Sendable {}

// Without these mirrors, `dump(_:)` would print the request and the client.

extension ResponseUpdates: CustomReflectable {
    /// No children, because `dump(_:)` would print the request.
    public var customMirror: Mirror { .hidden(self) }
}

extension ResponseUpdates.AsyncIterator: CustomReflectable {
    /// No children, because `dump(_:)` would print the request.
    public var customMirror: Mirror { .hidden(self) }
}
