import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What sends a request and brings its answer. `URLSession` is one.
///
///     struct Retrying<Base: Transport>: Transport {
///         let base: Base
///         func load(
///             _ request: URLRequest, _ policy: LoadPolicy
///         ) async throws -> (Data, HTTPURLResponse) {
///             do { return try await base.load(request, policy) } catch let error as URLError
///             where error.code == .networkConnectionLost && request.httpMethod == "GET" {
///                 return try await base.load(request, policy)
///             }
///         }
///     }
///
/// Another HTTP client, a stub in a test, or a decorator that refreshes a token are others.
/// Whatever the status, an answer is returned, not thrown.
public protocol Transport: Sendable {
    /// Loads a request.
    /// - Throws: A `URLError`, `CancellationError` or ``EndpointError``; anything else is kept as
    ///   the
    ///   underlying error of a `URLError`.
    func load(
        _ request: URLRequest, _ policy: LoadPolicy
    ) async throws -> (Data, HTTPURLResponse)
}

extension Transport {
    /// Loads a request and gives back its typed response.
    ///
    ///     let user = try await session.response(in: .production, with: GetUser(id: 42))
    ///
    /// The `URLRequest` is made on the caller's actor; the load and the decoding are done off it,
    /// so that neither the request nor the response need be `Sendable`. Cancelling the task cancels
    /// the load.
    /// - Throws: A ``RequestType/TaskError``, whatever goes wrong.
    public nonisolated(nonsending) func response<Request: RequestType>(
        in environment: Request.Environment, with request: Request
    ) async throws(Request.TaskError) -> Request.Response {
        let urlRequest: URLRequest
        do { urlRequest = try request.urlRequest(in: environment) } catch {
            throw .endpointError(error)
        }
        return try await response(to: urlRequest, of: Request.self)
    }

    @concurrent
    private func response<Request: RequestType>(
        to urlRequest: URLRequest, of type: Request.Type
    ) async throws(Request.TaskError) -> sending Request.Response {
        let answer: (data: Data, httpResponse: HTTPURLResponse)
        do { answer = try await load(urlRequest, Request.loadPolicy) } catch {
            throw Request.TaskError(loading: error, Request.self)
        }
        return try Request.decode(answer.data, answer.httpResponse)
    }
}
