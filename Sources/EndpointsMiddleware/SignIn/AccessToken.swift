import Endpoints
import Foundation

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
