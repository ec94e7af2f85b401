import Endpoints
import Foundation

/// Where the credentials for a server come from, such as the keychain.
///
///     struct KeychainTokens: CredentialSource {
///         let baseUrl = ServerEnvironment.production.baseUrl
///         func token() throws -> AccessToken? { try keychain.read() }
///         func refresh(after refused: AccessToken) async throws -> AccessToken {
///             let token = try await newToken(refused.refreshToken)
///             try keychain.write(token)
///             return token
///         }
///     }
///
/// ``MemoryCredentials`` keeps credentials in memory. Pass a source to
/// ``Transport/authorized(by:header:clock:)``.
public protocol CredentialSource: Sendable {
    /// A URL of the server. Only requests to its scheme, host and port get the credentials.
    var baseUrl: URL { get }

    /// The token to send, or `nil` if nobody has signed in.
    ///
    /// This function is called for each request that needs credentials. If your implementation
    /// sends a request with the transport that called it, that request gets no credentials. Don't
    /// send it from a detached task: there it would need credentials, and call this function again.
    func token() async throws -> AccessToken?

    /// Gets a new token in place of one that was refused, has expired or expires soon.
    ///
    /// Only one call runs at a time for each transport that
    /// ``Transport/authorized(by:header:clock:)`` has made, however many requests wait for the new
    /// token. So make one such transport for a source. After the call, ``token()`` must return the
    /// new token. If your implementation sends a request with that transport, the request gets no
    /// credentials. Don't send it from a detached task: there it would wait for this call, which
    /// waits for it, and neither would end.
    func refresh(after refused: AccessToken) async throws -> AccessToken
}

/// Credentials, the time at which they expire, and the token with which new ones are requested.
///
///     AccessToken(.bearer("t0k3n"), expires: Date() + 3600, refreshToken: "r3fr3sh")
///
/// The descriptions show neither the credentials nor the refresh token.
public struct AccessToken: Hashable, Sendable {
    /// The credentials that are sent.
    public var credentials: Credentials
    /// When the credentials expire; `nil` if that isn't known.
    public var expires: Date?
    /// The token with which new credentials are requested (RFC 6749, section 1.5); `nil` if there
    /// is none.
    public var refreshToken: String?

    /// Makes a token from the credentials that a server has issued.
    public init(_ credentials: Credentials, expires: Date? = nil, refreshToken: String? = nil) {
        self.credentials = credentials
        self.expires = expires
        self.refreshToken = refreshToken
    }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The scheme of the credentials, without a secret: `Bearer (not shown)`.
    public var description: String { credentials.description }
    /// The same text as `description`.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` doesn't print the secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Credentials that are kept in memory.
///
///     let tokens = MemoryCredentials(for: ServerEnvironment.production) { old in
///         try await newToken(old.refreshToken)
///     }
///     tokens.signIn(AccessToken(.bearer("t0k3n"), refreshToken: "r3fr3sh"))
public final class MemoryCredentials: CredentialSource {
    /// The base URL of the environment.
    public let baseUrl: URL
    private let current: Locked<AccessToken?>
    private let newToken: @Sendable (AccessToken) async throws -> AccessToken

    /// Makes the credentials for an environment.
    /// - Parameters:
    ///   - environment: The environment whose requests get the credentials.
    ///   - token: The token to begin with; `nil` if nobody has signed in.
    ///   - refresh: Gets a new token in place of an old one.
    public init(
        for environment: some EnvironmentType, _ token: AccessToken? = nil,
        refresh: @escaping @Sendable (AccessToken) async throws -> AccessToken
    ) {
        baseUrl = environment.baseUrl
        current = Locked(token)
        newToken = refresh
    }

    /// Uses a token for all requests from now on.
    public func signIn(_ token: AccessToken) {
        current.withLock { $0 = token }
    }

    /// Removes the token. Until the next ``signIn(_:)``, requests are sent without credentials.
    public func signOut() {
        current.withLock { $0 = nil }
    }

    /// The token that is sent; `nil` if nobody is signed in.
    public func token() -> AccessToken? {
        current.withLock { $0 }
    }

    /// Gets a new token. If ``signIn(_:)`` was called meanwhile, returns the token of that call.
    /// - Throws: What the `refresh` of ``init(for:_:refresh:)`` throws, or a ``SignInError`` if
    ///   ``signOut()`` was called meanwhile.
    public func refresh(after refused: AccessToken) async throws -> AccessToken {
        let new = try await newToken(refused)
        return try current.withLock { token in
            if token == refused { token = new }
            guard let token else { throw SignInError() }
            return token
        }
    }
}
