import Endpoints
import Foundation

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
