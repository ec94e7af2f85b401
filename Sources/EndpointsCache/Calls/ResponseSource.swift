import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
