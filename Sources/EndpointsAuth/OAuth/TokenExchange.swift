import Endpoints
import Foundation

/// What a token is (RFC 8693, section 3).
public struct OAuthTokenType: RawRepresentable, Hashable, Sendable {
    /// The type's name, which is a URI.
    public let rawValue: String
    /// Makes a type of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// `urn:ietf:params:oauth:token-type:access_token`.
    public static let accessToken = Self(
        rawValue: "urn:ietf:params:oauth:token-type:access_token")
    /// `urn:ietf:params:oauth:token-type:id_token`.
    public static let idToken = Self(rawValue: "urn:ietf:params:oauth:token-type:id_token")
    /// `urn:ietf:params:oauth:token-type:jwt`.
    public static let jwt = Self(rawValue: "urn:ietf:params:oauth:token-type:jwt")
}

extension OAuthFlow {
    /// Exchanges a token for one of another API (RFC 8693). A service does so that has the token of
    /// a user and calls that API for the user.
    ///
    ///     try await gitHub.signIn(.exchange(.idToken) { "id-t0k3n" }, scopes: ["read"])
    ///
    /// If the response has no refresh token, the new token can't be renewed: when it expires, sign
    /// in again.
    ///
    /// - Parameters:
    ///   - type: What the token is that the function returns.
    ///   - audience: The name of the service that the new token is for; `nil` leaves it out.
    ///   - token: Returns the token to exchange.
    public static func exchange(
        _ type: OAuthTokenType = .accessToken, audience: String? = nil,
        of token: @escaping @Sendable () async throws -> String
    ) -> OAuthFlow {
        OAuthFlow { context in
            try await context.caller.token(
                [
                    ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
                    ("subject_token", try await token()),
                    ("subject_token_type", type.rawValue), ("audience", audience), context.scope,
                ] + context.resources.fields)
        }
    }
}
