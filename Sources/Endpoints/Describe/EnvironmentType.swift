import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server that requests are sent to, such as production or staging.
///
/// Most programs use ``ServerEnvironment``. Declare a type for a second server, and a protocol for
/// its requests. Then sending a request to the wrong server doesn't compile:
///
///     struct GitHub: EnvironmentType {
///         let baseUrl: URL
///         static let production = GitHub(baseUrl: URL(string: "https://api.github.com")!)
///     }
///     protocol GitHubRequest: RequestType where Environment == GitHub {}
public protocol EnvironmentType: Sendable {
    /// The URL that the paths of requests are added to.
    ///
    /// Its own path and query are kept: `https://h/v1?k=1` and `users` make
    /// `https://h/v1/users?k=1`. It must be an absolute http or https URL with a host, or making a
    /// request throws an ``EndpointError``.
    var baseUrl: URL { get }

    /// Changes each finished request as the last step, so a signature can cover all of it.
    ///
    /// An error that it throws is kept as the cause of an ``EndpointError``. The default is `nil`,
    /// which changes nothing.
    var requestProcessor: RequestProcessor? { get }
}

/// Changes a finished request, or refuses it by throwing.
public typealias RequestProcessor = @Sendable (inout URLRequest) throws -> Void

extension EnvironmentType {
    /// No change.
    public var requestProcessor: RequestProcessor? { nil }
}

/// A server, by its base URL and a function that changes each request.
///
///     extension ServerEnvironment {
///         static let production = ServerEnvironment(
///             baseUrl: URL(string: "https://api.example.com")!)
///     }
public struct ServerEnvironment: EnvironmentType {
    /// The URL that the paths of requests are added to.
    public var baseUrl: URL
    /// Changes each finished request as the last step.
    public var requestProcessor: RequestProcessor?

    /// Makes an environment.
    public init(baseUrl: URL, requestProcessor: RequestProcessor? = nil) {
        self.baseUrl = baseUrl
        self.requestProcessor = requestProcessor
    }
}

extension ServerEnvironment:
    CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// The base URL without its user info and query, which may be secret.
    public var description: String {
        var shown = URLComponents(url: baseUrl, resolvingAgainstBaseURL: true) ?? URLComponents()
        (shown.user, shown.password, shown.query, shown.fragment) = (nil, nil, nil, nil)
        return shown.string ?? ""
    }
    /// The base URL without its user info and query, which may be secret.
    public var debugDescription: String { description }
    /// No children, so that a dump doesn't print the base URL's secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
