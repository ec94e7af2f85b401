import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How a call uses what a cache has stored.
///
///     let user = try await api.response(to: GetUser(id: 42), cachePolicy: .reload)
///
/// No policy gives a response that the server forbids to use: one with `no-cache`, or a stale one
/// with `must-revalidate`.
public struct CachePolicy: Sendable, Hashable {
    let name: String

    init(name: String) { self.name = name }

    /// As the server and the request say (RFC 9111). This is the policy of a call without one.
    public static let standard = CachePolicy(name: "standard")
    /// Ask the server, and store its response.
    public static let reload = CachePolicy(name: "reload")
    /// Only what is stored, also if it is stale. Without a stored response, the call throws a
    /// ``NotStoredError`` in a `TaskError.transportError`.
    public static let storedOnly = CachePolicy(name: "storedOnly")
    /// What is stored, also if it is stale. Without a stored response, the server is asked.
    public static let storedOrLoad = CachePolicy(name: "storedOrLoad")

    /// Ask the server whether what is stored has changed.
    static let validated = CachePolicy(name: "validated")

    /// The policy that a `URLRequest` asks for.
    init(_ policy: URLRequest.CachePolicy) {
        self =
            switch policy {
            case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: .reload
            case .returnCacheDataElseLoad: .storedOrLoad
            case .returnCacheDataDontLoad: .storedOnly
            case .reloadRevalidatingCacheData: .validated
            default: .standard
            }
    }

    /// Whether a stale response is used.
    var takesStale: Bool { self == .storedOnly || self == .storedOrLoad }
}
