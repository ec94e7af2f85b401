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
    /// `urn:ietf:params:oauth:token-type:id-jag`, with which a company's sign-in says who its user
    /// is to the server of an API.
    static let identityAssertion = Self(rawValue: "urn:ietf:params:oauth:token-type:id-jag")
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

    /// Signs in with a token that somebody else has signed for the server (RFC 7523, section 2.1).
    ///
    ///     try await gitHub.signIn(.assertion { "header.claims.signature" }, scopes: ["read"])
    ///
    /// If the response has no refresh token, the token can't be renewed: when it expires, sign in
    /// again.
    /// - Parameter token: Returns the token, a JWT whose audience is the server.
    public static func assertion(
        _ token: @escaping @Sendable () async throws -> String
    ) -> OAuthFlow {
        OAuthFlow { context in
            try await context.caller.token(
                [
                    ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
                    ("assertion", try await token()), context.scope,
                ] + context.resources.fields)
        }
    }

    /// Signs in with the ID token of a company's own sign-in, without asking the person
    /// (draft-ietf-oauth-identity-assertion-authz-grant; MCP's enterprise-managed authorization).
    ///
    ///     let company = try await OAuthServer.discover("https://login.example.com")
    ///     try await gitHub.signIn(
    ///         .identity(from: company, as: OAuthClient("tool")) { "id-t0k3n" })
    ///
    /// The company's server exchanges the ID token for an assertion for the server of the API, and
    /// that server gives its own token for it. The ``OAuthServer/issuer`` of the latter must be
    /// known, or the sign-in ends with ``OAuthError/Code/unusableMetadata``.
    /// - Parameters:
    ///   - company: The server that has issued the ID token.
    ///   - client: The program, as it is registered there.
    ///   - idToken: Returns the ID token.
    public static func identity(
        from company: OAuthServer, as client: OAuthClient,
        of idToken: @escaping @Sendable () async throws -> String
    ) -> OAuthFlow {
        OAuthFlow { context in
            guard let audience = context.caller.server.issuer else {
                throw OAuthError(
                    .unusableMetadata,
                    because: "the `issuer` of the authorization server isn't known; set it")
            }
            let caller = OAuthCaller(
                server: company, client: client, transport: context.caller.transport,
                clock: context.caller.clock)
            let type = OAuthTokenType.identityAssertion.rawValue
            let response = try await caller.token(
                [
                    ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
                    ("requested_token_type", type), ("audience", audience),
                    ("subject_token", try await idToken()),
                    ("subject_token_type", OAuthTokenType.idToken.rawValue), context.scope,
                ] + context.resources.fields)
            guard let token = response.accessToken, response.issuedType == type else {
                throw OAuthError(
                    .unusableToken,
                    because: "the company's server has issued no token of the type `\(type)`")
            }
            return try await OAuthFlow.assertion { token }.run(context)
        }
    }
}
