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
/// ``MemoryCredentials`` keeps them in memory. ``Transport/authorized(by:header:clock:)`` asks a
/// source.
public protocol CredentialSource: Sendable {
    /// A URL of the server. Requests to its origin (scheme, host and port) get the credentials, and
    /// no others.
    var baseUrl: URL { get }

    /// The token that is sent, or `nil` if nobody has signed in. It is asked for each request.
    ///
    /// Requests that it sends itself, through the row of transports that asks for the token, go out
    /// without credentials.
    func token() async throws -> AccessToken?

    /// Gets a new token in place of one that the server has refused or that expires soon.
    ///
    /// One call runs at a time, however many requests wait for it. From its end on, ``token()``
    /// returns the new one. Its own requests go out without credentials, as those of ``token()`` do.
    func refresh(after refused: AccessToken) async throws -> AccessToken
}
