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
/// ``MemoryCredentials`` keeps them in memory. Pass a source to
/// ``Transport/authorized(by:header:clock:)``.
public protocol CredentialSource: Sendable {
    /// A URL of the server. Only requests to its scheme, host and port get the credentials.
    var baseUrl: URL { get }

    /// The token to send, or `nil` if nobody has signed in. It is read again for each request.
    ///
    /// Requests that this function itself sends through the same transport get no credentials.
    func token() async throws -> AccessToken?

    /// Gets a new token in place of one that the server has refused or that expires soon.
    ///
    /// One call runs at a time, however many requests wait for it. After it, ``token()`` must
    /// return the new token. Requests that this function itself sends get no credentials.
    func refresh(after refused: AccessToken) async throws -> AccessToken
}
