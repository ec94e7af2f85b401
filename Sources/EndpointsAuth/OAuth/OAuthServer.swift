import Endpoints
import Foundation

/// An authorization server: the URLs at which tokens are requested.
///
///     let server = OAuthServer(
///         authorizationURL: URL(string: "https://github.com/login/oauth/authorize"),
///         tokenURL: URL(string: "https://github.com/login/oauth/access_token"),
///         deviceAuthorizationURL: URL(string: "https://github.com/login/device/code"))
///
/// Each URL must be https, or http on this machine (`127.0.0.1`, `[::1]`, `localhost`), without a
/// user name and a fragment. With any other URL, a sign-in or refresh ends with
/// ``OAuthError/Code/insecureURL``. If a URL that it needs is `nil`, it ends with
/// ``OAuthError/Code/missingURL``.
public struct OAuthServer: Hashable, Sendable {
    /// The server's name in metadata and redirects, which is a URL; `nil` if that isn't known.
    public var issuer: String?
    /// Where a browser signs in.
    public var authorizationURL: URL?
    /// Where tokens are requested.
    public var tokenURL: URL?
    /// Where a device gets its codes (RFC 8628).
    public var deviceAuthorizationURL: URL?
    /// Where tokens are revoked (RFC 7009).
    public var revocationURL: URL?
    /// Where a program registers itself (RFC 7591); `nil` if it can't.
    public var registrationURL: URL?
    /// Whether the server takes the URL of a program's metadata as its id, so that it need not
    /// register (`client_id_metadata_document_supported`).
    public var takesMetadataURLs = false
    /// How clients may authenticate at the token URL; `nil` if the server doesn't say.
    var authenticationMethods: [String]?
    /// Whether the server names itself in each redirect (RFC 9207). Then a redirect without `iss`
    /// is refused. If it has one, that must be the ``issuer`` in any case.
    public var namesItselfInRedirects = false
    /// The scopes that the server knows; `nil` if it doesn't tell.
    public var scopes: [String]?
    /// The methods of PKCE that the server knows; `nil` if it doesn't say. If the list lacks
    /// `S256`, a sign-in in a browser ends with an ``OAuthError`` (RFC 7636, section 4.2).
    public var codeChallengeMethods: [String]?

    /// Makes a server from what its documentation says.
    public init(
        issuer: String? = nil, authorizationURL: URL? = nil, tokenURL: URL?,
        deviceAuthorizationURL: URL? = nil, revocationURL: URL? = nil
    ) {
        self.issuer = issuer
        self.authorizationURL = authorizationURL
        self.tokenURL = tokenURL
        self.deviceAuthorizationURL = deviceAuthorizationURL
        self.revocationURL = revocationURL
    }

    /// `["offline_access"]` if the server's ``scopes`` have it, and otherwise none. Many servers
    /// give a refresh token only to those who ask for that scope, and others refuse it.
    ///
    ///     try await gitHub.signIn(
    ///         .loopback { print("Open", $0) }, scopes: ["read"] + server.offlineScopes)
    public var offlineScopes: [String] {
        (scopes ?? []).contains("offline_access") ? ["offline_access"] : []
    }

    /// A URL of the server that a request may be sent to.
    /// - Throws: An ``OAuthError`` if there is none, or if it isn't safe.
    func url(_ path: KeyPath<OAuthServer, URL?>, _ name: String) throws(OAuthError) -> URL {
        guard let url = self[keyPath: path] else {
            throw OAuthError(
                .missingURL, because: "the authorization server has no `\(name)`; set it")
        }
        return try url.checkedForTokens(name)
    }
}

extension URL {
    /// This URL, if tokens may be sent to it.
    func checkedForTokens(_ name: String) throws(OAuthError) -> URL {
        guard isSafeForTokens else {
            throw OAuthError(
                .insecureURL,
                because: """
                    the `\(name)` must be https, or http on this machine, without a user name or \
                    fragment; no token is sent to it, so correct it
                    """)
        }
        return self
    }

    /// Whether the URL is https, or http on this machine, and has neither user info nor fragment.
    var isSafeForTokens: Bool {
        guard let origin = Origin(of: self), user == nil, password == nil, fragment == nil
        else { return false }
        if origin.text.hasPrefix("https://") { return true }
        return ["127.0.0.1", "::1", "[::1]", "localhost"].contains(host?.lowercased())
    }
}
