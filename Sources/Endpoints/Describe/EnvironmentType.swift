import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server that requests are made for, such as production or staging.
///
/// Most programs use ``ServerEnvironment``. Give a second server a type of its own, and a protocol
/// for its requests; then a request can't be sent to the wrong one, as it doesn't compile:
///
///     struct GitHub: EnvironmentType {
///         let baseUrl: URL
///         static let production = GitHub(baseUrl: URL(string: "https://api.github.com")!)
///     }
///     protocol GitHubRequest: RequestType where Environment == GitHub {}
public protocol EnvironmentType: Sendable {
    /// Where the paths of requests begin.
    ///
    /// Its own path and query are kept: `https://h/v1?k=1` and `users` make
    /// `https://h/v1/users?k=1`. It must be an absolute http or https URL with a host, else
    /// requests are an ``EndpointError``.
    var baseUrl: URL { get }

    /// Changes each finished request, as its last step, so that a signature sees everything.
    ///
    /// What it throws is kept as the cause of an ``EndpointError``. `nil`, the default, changes
    /// nothing.
    var requestProcessor: RequestProcessor? { get }
}

/// Changes a finished request, or refuses it by throwing.
public typealias RequestProcessor = @Sendable (inout URLRequest) throws -> Void

extension EnvironmentType {
    /// No change.
    public var requestProcessor: RequestProcessor? { nil }
}

/// A server: its base URL, and what is done to each request for it.
///
///     extension ServerEnvironment {
///         static let production = ServerEnvironment(
///             baseUrl: URL(string: "https://api.example.com")!)
///     }
public struct ServerEnvironment: EnvironmentType {
    /// Where the paths of requests begin.
    public var baseUrl: URL
    /// Changes each finished request, as its last step.
    public var requestProcessor: RequestProcessor?

    /// A server.
    public init(baseUrl: URL, requestProcessor: RequestProcessor? = nil) {
        self.baseUrl = baseUrl
        self.requestProcessor = requestProcessor
    }
}

extension ServerEnvironment:
    CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// The base URL without user info and query, which may be secrets.
    public var description: String {
        var shown = URLComponents(url: baseUrl, resolvingAgainstBaseURL: true) ?? URLComponents()
        (shown.user, shown.password, shown.query, shown.fragment) = (nil, nil, nil, nil)
        return shown.string ?? ""
    }
    /// The base URL without user info and query, which may be secrets.
    public var debugDescription: String { description }
    /// Nothing: a dump must not print the base URL's secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
