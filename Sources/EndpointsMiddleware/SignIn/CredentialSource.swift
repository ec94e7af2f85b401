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
