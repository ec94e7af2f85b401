import Endpoints
import EndpointsMiddleware
import EndpointsShared
import Foundation

/// What proves that the program which gets a code is the one that asked for it (RFC 7636).
struct CodeChallenge: Sendable {
    let verifier: String

    init(verifier: String = RandomText.make()) { self.verifier = verifier }

    /// The method S256: BASE64URL(SHA256(verifier)).
    var challenge: String { Data(SHA256.hash(Data(verifier.utf8))).base64URL }
}

/// The request that a browser sends to begin a sign-in (RFC 6749, section 4.1.1).
struct AuthorizationRequest: FlatRequest {
    let items: [URLQueryItem]

    static let endpoint = Endpoint<Self>(
        method: .get, path: "", parameters: [.query(contentsOf: \.items)])
    typealias Response = Void
}

extension OAuthFlow {
    /// A sign-in in a browser, whose redirect your program receives (RFC 6749, section 4.1, with
    /// the PKCE of RFC 7636).
    ///
    ///     try await gitHub.signIn(
    ///         .browser(redirect: url) { page in
    ///             try await web.redirect(from: page)   // the URL that the browser is sent to
    ///         })
    ///
    /// It takes any URL that the client is registered with: one of a custom scheme, such as
    /// `ASWebAuthenticationSession` returns, or a universal link, which your program hands in. The
    /// `state` of the redirect, and the `iss` if it has one or the server always has (RFC 9207),
    /// must be right.
    /// - Parameters:
    ///   - redirect: The redirect URL, as the client is registered with it.
    ///   - items: Further query items, such as `prompt`.
    ///   - open: Opens a URL in a browser, and returns the one that this is redirected to.
    /// - Throws: An ``OAuthError``, such as ``OAuthError/Code/accessDenied`` if the person says no,
    ///   and ``OAuthError/Code/wrongRedirect``.
    public static func browser(
        redirect: URL, adding items: [URLQueryItem] = [],
        _ open: @escaping @Sendable (URL) async throws -> URL
    ) -> OAuthFlow {
        OAuthFlow { context in
            let attempt = BrowserAttempt(redirect: redirect)
            try attempt.check(context.caller.server)
            let context = try await context.registered(for: redirect)
            let url = try attempt.url(context, adding: items)
            let code = try attempt.code(in: try await open(url), of: context.caller.server)
            return try await attempt.token(for: code, context)
        }
    }
}

/// One sign-in in a browser.
struct BrowserAttempt: Sendable {
    let redirect: URL
    let state = RandomText.make()
    let challenge = CodeChallenge()

    /// Throws if the server can't be used for a sign-in in a browser.
    func check(_ server: OAuthServer) throws(OAuthError) {
        _ = try server.url(\.authorizationURL, "authorizationURL")
        if let methods = server.codeChallengeMethods, !methods.contains("S256") {
            throw OAuthError(
                .unusableMetadata,
                because: """
                    the authorization server doesn't know PKCE with S256, without which others could \
                    use the code; sign in in another way
                    """)
        }
        guard server.issuer != nil || !server.namesItselfInRedirects else {
            throw OAuthError(
                .unusableMetadata,
                because: """
                    the authorization server names itself in redirects, but its `issuer` isn't \
                    known, so the name can't be checked; set the `issuer`
                    """)
        }
    }

    /// The URL to open.
    func url(_ context: OAuthFlow.Context, adding items: [URLQueryItem]) throws -> URL {
        let page = try context.caller.server.url(\.authorizationURL, "authorizationURL")
        let fields: [(String, String?)] =
            [
                ("response_type", "code"), ("client_id", context.caller.client.id),
                ("redirect_uri", redirect.absoluteString), context.scope, ("state", state),
                ("code_challenge", challenge.challenge), ("code_challenge_method", "S256"),
            ] + context.resources.fields
        let own = Set(fields.map(\.0))
        let request = AuthorizationRequest(
            items: fields.compactMap { name, value in
                value.map { URLQueryItem(name: name, value: $0) }
            } + items.filter { !own.contains($0.name) })
        guard let url = try request.urlRequest(in: ServerEnvironment(baseUrl: page)).url
        else { throw OAuthError(.missingURL, because: "the `authorizationURL` isn't valid") }
        return url
    }

    /// Whether a URL is the redirect of this attempt.
    func isRedirect(_ url: URL) -> Bool {
        url.isAddress(of: redirect) && url.formItems["state"] == [state]
    }

    /// The code in the redirect's URL.
    func code(in url: URL, of server: OAuthServer) throws(OAuthError) -> String {
        guard isRedirect(url) else {
            throw OAuthError(
                .wrongRedirect,
                because: """
                    the browser was redirected to another URL than that of the sign-in, or with \
                    another `state`; begin the sign-in again
                    """)
        }
        let items = url.formItems
        let issuers = items["iss"] ?? []
        let isRight =
            issuers.isEmpty
            ? !server.namesItselfInRedirects
            : issuers.count == 1 && (server.issuer == nil || issuers == [server.issuer])
        guard isRight else {
            throw OAuthError(
                .wrongIssuer,
                because: """
                    the browser was redirected by another authorization server than the one that \
                    was asked, so its code isn't used; begin the sign-in again
                    """)
        }
        if let name = items["error"]?.first {
            throw OAuthError(name, items["error_description"]?.first, items["error_uri"]?.first)
        }
        guard let codes = items["code"], codes.count == 1, !codes[0].isEmpty else {
            throw OAuthError(
                .wrongRedirect,
                because: "the redirect has no `code`, or several; begin the sign-in again")
        }
        return codes[0]
    }

    /// Exchanges the code (RFC 6749, section 4.1.3).
    func token(for code: String, _ context: OAuthFlow.Context) async throws -> TokenResponse {
        try await context.caller.token(
            [
                ("grant_type", "authorization_code"), ("code", code),
                ("redirect_uri", redirect.absoluteString),
                ("code_verifier", challenge.verifier),
            ] + context.resources.fields)
    }
}

extension URL {
    /// Whether this is a URL with the scheme, host, port and path of another one.
    fileprivate func isAddress(of other: URL) -> Bool {
        guard let own = URLComponents(url: self, resolvingAgainstBaseURL: true),
            let other = URLComponents(url: other, resolvingAgainstBaseURL: true),
            own.user == other.user, own.password == other.password
        else { return false }
        // Browsers write the root of a host with its `/`.
        func path(_ url: URLComponents) -> String {
            url.percentEncodedPath.isEmpty && url.host != nil ? "/" : url.percentEncodedPath
        }
        return own.scheme?.lowercased() == other.scheme?.lowercased()
            && own.host?.lowercased() == other.host?.lowercased() && own.port == other.port
            && path(own) == path(other)
    }

    /// The items of the query, as of a form, by name.
    fileprivate var formItems: [String: [String]] {
        let query = URLComponents(url: self, resolvingAgainstBaseURL: true)?.percentEncodedQuery
        var items: [String: [String]] = [:]
        for item in (query ?? "").split(separator: "&").prefix(100) {
            let parts = item.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false
            ).map {
                $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? String($0)
            }
            items[parts[0], default: []].append(parts.count > 1 ? parts[1] : "")
        }
        return items
    }
}
