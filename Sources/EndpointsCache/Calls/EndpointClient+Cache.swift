import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension EndpointClient {
    /// Loads a request, and uses what is stored as a policy says.
    ///
    ///     let user = try await api.response(to: GetUser(id: 42), cachePolicy: .reload)
    ///
    /// - Throws: A ``RequestType/TaskError``. It is an `.endpointError` if the client's transport
    ///   has no ``Transport/cached(in:clock:)``, or if the response is a stream, which is never
    ///   stored.
    public nonisolated(nonsending) func response<Request: RequestType>(
        to request: Request, cachePolicy: CachePolicy
    ) async throws(Request.TaskError) -> Request.Response
    where Request.Environment == Environment {
        let sent = try sentRequest(for: request, cachePolicy)
        return try await transport.response(to: sent, as: Request.self)
    }

    /// What is stored for a request, also if it is stale; `nil` if nothing is that may be used.
    ///
    ///     let user = try await api.stored(GetUser(id: 42))   // User?
    ///
    /// No request is sent, also none for a token.
    /// - Throws: A ``RequestType/TaskError``, such as `.errorResponse` for a stored 404. It is an
    ///   `.endpointError` if the client's transport has no ``Transport/cached(in:clock:)``, or if
    ///   the response is a stream.
    public nonisolated(nonsending) func stored<Request: RequestType>(
        _ request: Request
    ) async throws(Request.TaskError) -> Request.Response?
    where Request.Environment == Environment {
        try await stored(try sentRequest(for: request, .storedOnly), as: Request.self)
    }

    nonisolated(nonsending) func stored<Request: RequestType>(
        _ sent: TransportRequest, as type: Request.Type
    ) async throws(Request.TaskError) -> Request.Response? {
        let found: FoundCache
        do throws(EndpointError) { found = try FoundCache(in: transport, for: type) } catch {
            throw .endpointError(error)
        }
        return try await found.response(to: sent, as: type)
    }

    /// A request for a transport with a cache.
    func sentRequest<Request: RequestType>(
        for request: Request, _ policy: CachePolicy
    ) throws(Request.TaskError) -> TransportRequest where Request.Environment == Environment {
        do throws(EndpointError) {
            _ = try cache(for: request)
            return try transportRequest(for: request, policy)
        } catch { throw .endpointError(error) }
    }

    /// Drops what is stored for a request, of all accounts. A load in flight isn't stored.
    ///
    ///     try await api.forget(GetUser(id: 42))
    ///
    /// - Throws: An ``EndpointError`` if the client's transport has no
    ///   ``Transport/cached(in:clock:)``, or if the request can't be made.
    public nonisolated(nonsending) func forget<Request: RequestType>(
        _ request: Request
    ) async throws(EndpointError) where Request.Environment == Environment {
        let found = try cache(for: request)
        let sent = try transportRequest(for: request, .storedOnly)
        await found.forget(sent)
    }

    /// Drops what requests of a type have stored, of all accounts. What requests of another type
    /// have stored for the same URLs stays.
    ///
    ///     try await api.forget(GetUser.self)
    ///
    /// - Throws: An ``EndpointError`` if the client's transport has no
    ///   ``Transport/cached(in:clock:)``.
    public nonisolated(nonsending) func forget<Request: RequestType>(
        _ type: Request.Type
    ) async throws(EndpointError) where Request.Environment == Environment {
        try await FoundCache(in: transport, for: type).forget(type)
    }

    private func cache<Request: RequestType>(
        for request: Request
    ) throws(EndpointError) -> FoundCache {
        guard !Request.streamsResponse else {
            throw EndpointError(
                requestType: "\(Request.self)", field: .response,
                reason: "is a stream, which no cache stores; load it without a cache policy")
        }
        return try FoundCache(in: transport, for: Request.self)
    }

    private func transportRequest<Request: RequestType>(
        for request: Request, _ policy: CachePolicy
    ) throws(EndpointError) -> TransportRequest where Request.Environment == Environment {
        let sent = try TransportRequest(of: request, in: environment)
        sent.cachePolicy = policy
        return sent
    }
}

/// The caches among the layers of a transport, from the outermost one.
struct FoundCache: Sendable {
    private let caches: [any CacheLayer]
    /// For each cache, the layers outside of it that add credentials.
    private let outer: [[any AccountNaming]]

    init(in transport: any Transport, for type: any RequestType.Type) throws(EndpointError) {
        let layers = transport.layers
        caches = layers.compactMap { $0 as? any CacheLayer }
        outer = layers.indices.filter { layers[$0] is any CacheLayer }
            .map { layers[..<$0].compactMap { $0 as? any AccountNaming } }
        guard !caches.isEmpty else {
            throw EndpointError(
                requestType: "\(type)", field: .response,
                reason: """
                    can't be stored: the client's transport has no cache that can be found; write \
                    `.cached(in:)` around it, or around a transport of your own
                    """)
        }
    }

    @concurrent
    func response<Request: RequestType>(
        to request: TransportRequest, as type: Request.Type
    ) async throws(Request.TaskError) -> sending Request.Response? {
        let sent = request.startingNow()
        let (data, httpResponse): (Data, HTTPURLResponse)
        do {
            guard let response = try await stored(request) else { return nil }
            httpResponse = response.httpResponse
            data = try await response.body.data(upTo: request.policy.wholeBodyLimit)
        } catch { throw Request.TaskError(loading: error, type).traced(by: sent) }
        return try Request.decode(data, httpResponse, of: sent)
    }

    /// What the outermost cache has stored that has anything.
    private func stored(_ request: TransportRequest) async throws -> TransportResponse? {
        for (cache, outer) in zip(caches, outer) {
            for transport in outer where request.account == nil {
                request.account = try await transport.account(of: request)
            }
            if let response = try await cache.stored(request) { return response }
        }
        return nil
    }

    @concurrent
    func forget(_ request: TransportRequest) async {
        guard let call = try? await CacheCall(request, Accounts(inside: NoTransport()))
        else { return }
        drop(.place(url: call.place.url, content: call.place.content))
    }

    @concurrent
    func forget(_ type: any RequestType.Type) async {
        drop(.type(TypeNames.name(of: type)))
    }

    /// Drops from the innermost cache first, so that no outer one stores again what is dropped.
    private func drop(_ selection: Selection) {
        for cache in caches.reversed() { cache.shelf.drop(selection) }
    }
}

/// A transport without layers.
private struct NoTransport: Transport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        throw URLError(.unsupportedURL)
    }
}

/// The error of a call with ``CachePolicy/storedOnly`` for which nothing is stored that may be
/// used.
///
///     do {
///         print(try await api.response(to: GetUser(id: 42), cachePolicy: .storedOnly))
///     } catch .transportError(let error) where error.cause is NotStoredError {
///         print("not stored")
///     }
public struct NotStoredError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// One sentence.
    public var description: String {
        "the cache has no response that may be used, and the policy `.storedOnly` forbids to load one"
    }
    /// The same text as `description`.
    public var errorDescription: String? { description }
}

extension NotStoredError: TransientError {
    /// `false`: trying again doesn't help.
    public var isTransient: Bool { false }
}

/// Where a response came from.
public enum ResponseSource: Sendable, Hashable {
    /// The server has sent it.
    case server
    /// A cache had stored it, and the server wasn't asked before.
    case cache
    /// A cache had stored it, and the server has said that it is still valid (a 304).
    case validatedCache
}

extension WithHTTPResponse {
    /// Where the response came from: `.server` without ``Transport/cached(in:clock:)``.
    public var source: ResponseSource { httpResponse.source }
}

extension HTTPURLResponse {
    /// Where the response came from: `.server` without ``Transport/cached(in:clock:)``.
    public var source: ResponseSource {
        stored.map { $0.isValidated ? .validatedCache : .cache } ?? .server
    }
}
