import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server that requests are sent to, such as production or staging.
///
/// Most programs use ``ServerEnvironment``, with a value for each server. For a second API, declare
/// a type of its servers and a protocol of its requests. Then sending a request to the wrong API
/// doesn't compile:
///
///     struct GitHub: EnvironmentType {
///         let baseUrl: URL
///         static let production = GitHub(baseUrl: URL(string: "https://api.github.com")!)
///     }
///     protocol GitHubRequest: RequestType where Environment == GitHub {}
public protocol EnvironmentType: Sendable {
    /// The type of ``headers``, which conforms to ``HeaderFields``.
    associatedtype EnvironmentHeaders = NoValues
    /// The type of ``requestProcessor``: a ``RequestProcessor``, optional or not.
    associatedtype Processor = RequestProcessor?
    /// The type of ``loadPolicy``, which is a ``LoadPolicy``.
    associatedtype EnvironmentPolicy = LoadPolicy

    /// The URL that the paths of requests are added to.
    ///
    /// The path and query of `baseUrl` are kept, empty segments too: `https://h/v1?k=1` and `users`
    /// make `https://h/v1/users?k=1`. `baseUrl` must be an http or https URL with a host and
    /// without `.` or `..` as a path segment. Otherwise making a request throws an
    /// ``EndpointError``.
    var baseUrl: URL { get }

    /// The headers of every request to the server, except those that the request sets or removes.
    ///
    ///     var headers: HeaderDictionary<String> { [.userAgent: "tool/1.0"] }
    var headers: EnvironmentHeaders { get }

    /// Changes each finished `URLRequest`, for example to sign it. It runs after the request's
    /// ``RequestType/prepare(_:)``, so a signature can cover all that the request declares.
    ///
    ///     let requestProcessor: RequestProcessor = { request in
    ///         request.setValue("…", forHTTPHeaderField: "X-Signature")
    ///     }
    ///
    /// The processor runs once, before the ``Transport`` gets the request. So it doesn't see what
    /// ``Transport/authorized(by:header:clock:)`` adds, and doesn't run again for a retry. Nor does
    /// it run if ``RequestType/urlRequest(in:at:)`` gets a URL of another origin. An error that it
    /// throws is kept as the cause of an ``EndpointError``. There is no processor by default.
    var requestProcessor: Processor { get }

    /// How requests to the server are loaded. A request's own policies replace what it sets.
    ///
    ///     let loadPolicy = LoadPolicy(sensitiveHeaders: ["X-User-Token"], timeLimit: 30)
    var loadPolicy: EnvironmentPolicy { get }

    /// The ``loadPolicy``. Don't write this property: there is a default if the policy has the
    /// right type, and otherwise the environment doesn't compile.
    var checkedLoadPolicy: LoadPolicy { get }

    /// Calls ``requestProcessor``. Don't write this function: there is a default if the processor
    /// has a valid type, and otherwise the environment doesn't compile.
    func process(_ request: inout URLRequest) throws

    /// The names and texts of ``headers``. Don't write this property: there is a default if the
    /// headers have a valid type, and otherwise the environment doesn't compile.
    var headerTexts: [HeaderText] { get throws }
}

/// A function that changes a finished `URLRequest`, or throws so that it isn't sent.
public typealias RequestProcessor = @Sendable (inout URLRequest) throws -> Void

extension EnvironmentType where EnvironmentPolicy == LoadPolicy {
    /// A policy that sets nothing.
    public var loadPolicy: LoadPolicy { .default }
    /// The policy.
    public var checkedLoadPolicy: LoadPolicy { loadPolicy }
}

extension EnvironmentType where Processor == RequestProcessor? {
    /// No processor.
    public var requestProcessor: RequestProcessor? { nil }
    /// Calls the processor, if there is one.
    public func process(_ request: inout URLRequest) throws { try requestProcessor?(&request) }
}

extension EnvironmentType where Processor == RequestProcessor {
    /// Calls the processor.
    public func process(_ request: inout URLRequest) throws { try requestProcessor(&request) }
}

extension EnvironmentType where EnvironmentHeaders == NoValues {
    /// No headers.
    public var headers: NoValues { NoValues() }
}

extension EnvironmentType where EnvironmentHeaders: HeaderFields {
    /// The names and texts of ``headers``.
    public var headerTexts: [HeaderText] { get throws { try headers.headerTexts } }
}

/// A server: its base URL, its headers and a function that changes each `URLRequest`.
///
///     extension ServerEnvironment {
///         static let production = ServerEnvironment(
///             baseUrl: URL(string: "https://api.example.com")!)
///     }
public struct ServerEnvironment: EnvironmentType {
    /// The URL that the paths of requests are added to.
    public var baseUrl: URL
    /// The headers of every request to the server, except those that the request sets or removes.
    public var headers: HeaderDictionary<String>
    /// Changes each finished `URLRequest`, before a ``Transport`` gets it.
    public var requestProcessor: RequestProcessor? {
        get { more?.processor }
        set { more = More(newValue, loadPolicy) }
    }
    /// How requests to the server are loaded. A request's own policies replace what it sets.
    public var loadPolicy: LoadPolicy {
        get { more?.loadPolicy ?? .default }
        set { more = More(requestProcessor, newValue) }
    }

    /// What few environments have. A class makes an environment small, as each call copies it.
    private final class More: Sendable {
        let processor: RequestProcessor?
        let loadPolicy: LoadPolicy

        init(_ processor: RequestProcessor?, _ loadPolicy: LoadPolicy) {
            (self.processor, self.loadPolicy) = (processor, loadPolicy)
        }
    }

    private var more: More?

    /// Makes an environment, by default without headers, processor and policy.
    public init(
        baseUrl: URL, headers: HeaderDictionary<String> = [:],
        requestProcessor: RequestProcessor? = nil
    ) {
        self.baseUrl = baseUrl
        self.headers = headers
        if requestProcessor != nil { more = More(requestProcessor, .default) }
    }

    /// Makes an environment whose requests have a policy.
    public init(
        baseUrl: URL, headers: HeaderDictionary<String> = [:],
        requestProcessor: RequestProcessor? = nil, loadPolicy: LoadPolicy
    ) {
        self.init(baseUrl: baseUrl, headers: headers)
        more = More(requestProcessor, loadPolicy)
    }

    /// The names and texts of ``headers``.
    public var headerTexts: [HeaderText] {
        get throws { headers.pairs.isEmpty ? [] : try headers.headerTexts }
    }
}

extension ServerEnvironment:
    CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// The base URL without its user info, query and fragment, which may be secret.
    public var description: String {
        var shown = URLComponents(url: baseUrl, resolvingAgainstBaseURL: true) ?? URLComponents()
        (shown.user, shown.password, shown.query, shown.fragment) = (nil, nil, nil, nil)
        return shown.string ?? ""
    }
    /// The same text as ``description``.
    public var debugDescription: String { description }
    /// No children, because `dump(_:)` would print secrets in the base URL and the headers.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
