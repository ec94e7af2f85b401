import Endpoints
import EndpointsMiddleware
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request for the metadata of an authorization server (RFC 8414, section 3).
private struct ServerMetadataRequest: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "")
    typealias Response = ServerMetadata
    static var loadPolicy: LoadPolicy { .metadata }
}

/// A request for the metadata of an API that needs tokens (RFC 9728, section 3).
private struct ResourceMetadataRequest: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "")
    typealias Response = ResourceMetadata
    static var loadPolicy: LoadPolicy { .metadata }
}

extension LoadPolicy {
    /// At most 1 MB, half a minute, and three redirects that stay at the server.
    fileprivate static var metadata: LoadPolicy {
        LoadPolicy(
            redirects: .followSameOrigin, redirectLimit: 3, bodyLimit: 1 << 20, errorBodyLimit: 0,
            timeLimit: 30)
    }
}

/// The metadata of an authorization server (RFC 8414, section 2).
private struct ServerMetadata: Decodable, Sendable {
    let issuer: String?
    let authorization_endpoint: String?
    let token_endpoint: String?
    let device_authorization_endpoint: String?
    let revocation_endpoint: String?
    let registration_endpoint: String?
    let client_id_metadata_document_supported: Bool?
    let token_endpoint_auth_methods_supported: [String]?
    let scopes_supported: [String]?
    let code_challenge_methods_supported: [String]?
    let authorization_response_iss_parameter_supported: Bool?
}

/// The metadata of an API that needs tokens (RFC 9728, section 2).
private struct ResourceMetadata: Decodable, Sendable {
    let resource: String?
    let authorization_servers: [String]?
    let scopes_supported: [String]?
}

extension OAuthServer {
    /// The server that its own metadata describes (RFC 8414, or OpenID Connect Discovery).
    ///
    ///     let server = try await OAuthServer.discover("https://login.example.com/tenant")
    ///     // https://login.example.com/.well-known/oauth-authorization-server/tenant, or else
    ///     // https://login.example.com/.well-known/openid-configuration/tenant, or else
    ///     // https://login.example.com/tenant/.well-known/openid-configuration
    ///
    /// The issuer, and all URLs in the metadata, must be https; if the issuer is http on this
    /// machine, the others may be that too. The metadata must name exactly this issuer, and have at
    /// most 1 MB. Redirects to other servers aren't followed.
    /// - Parameters:
    ///   - issuer: The server's name, as the server itself writes it.
    ///   - transport: What sends the requests; by default, a `URLSession` that keeps nothing.
    /// - Throws: An ``OAuthError``, such as ``OAuthError/Code/wrongIssuer``; an
    ///   ``EndpointTaskError`` if a request fails.
    public static func discover(
        _ issuer: String, transport: (any Transport)? = nil
    ) async throws -> OAuthServer {
        guard let url = URL(string: issuer), url.query == nil else {
            throw OAuthError(.insecureURL, because: "the issuer must be a URL without a query")
        }
        let (root, path) = try url.checkedForTokens("issuer").rootAndPath
        let places = [
            root + "/.well-known/oauth-authorization-server" + path,
            root + "/.well-known/openid-configuration" + path,
            root + path + "/.well-known/openid-configuration",
        ]
        let metadata = try await first(of: places) { environment in
            try await (transport ?? URLSession.oAuth).response(
                in: environment, with: ServerMetadataRequest())
        }
        return try OAuthServer(metadata, of: issuer)
    }

    /// The server of an API that has no metadata of its own (RFC 9728), as the Model Context
    /// Protocol of 2025-03-26 says: the API's origin is the issuer.
    ///
    ///     // url is https://api.example.com/mcp
    ///     let server = try await OAuthServer.discover(atOriginOf: url)
    ///     // https://api.example.com/.well-known/oauth-authorization-server, or else
    ///     // https://api.example.com/authorize, …/token and …/register
    ///
    /// Use it only if ``OAuthResource/discover(_:challenge:transport:)`` finds nothing.
    /// - Parameters:
    ///   - url: A URL of the API, https or on this machine.
    ///   - transport: What sends the requests; by default, a `URLSession` that keeps nothing.
    /// - Throws: An ``OAuthError``, such as ``OAuthError/Code/wrongIssuer``; an
    ///   ``EndpointTaskError`` if the request fails otherwise than with a status of 400 to 499.
    public static func discover(
        atOriginOf url: URL, transport: (any Transport)? = nil
    ) async throws -> OAuthServer {
        let root = try url.checkedForTokens("URL of the API").rootAndPath.root
        do {
            let metadata = try await first(
                of: [root + "/.well-known/oauth-authorization-server"]
            ) { environment in
                try await (transport ?? URLSession.oAuth).response(
                    in: environment, with: ServerMetadataRequest())
            }
            return try OAuthServer(metadata, of: metadata.issuer == root + "/" ? root + "/" : root)
        } catch let error as EndpointTaskError<EmptyResponse> {
            let status = error.httpResponse?.statusCode ?? 0
            guard (400..<500).contains(status), status != 429 else { throw error }
        }
        var server = OAuthServer(
            issuer: root, authorizationURL: URL(string: root + "/authorize"),
            tokenURL: URL(string: root + "/token"))
        server.registrationURL = URL(string: root + "/register")
        return server
    }

    private init(_ metadata: ServerMetadata, of issuer: String) throws(OAuthError) {
        guard metadata.issuer == issuer else {
            throw OAuthError(
                .wrongIssuer,
                because: """
                    the metadata is that of another authorization server than the one that was \
                    asked; write the issuer exactly as its metadata does, or don't use the server
                    """)
        }
        let isSecure = issuer.lowercased().hasPrefix("https:")
        func url(_ text: String?, _ name: String) throws(OAuthError) -> URL? {
            guard let text else { return nil }
            guard text.utf8.count <= 2000, let url = URL(string: text), url.isSafeForTokens,
                !isSecure || url.scheme?.lowercased() == "https"
            else {
                throw OAuthError(
                    .unusableMetadata,
                    because: """
                        the authorization server's metadata has a `\(name)` that isn't https; ask \
                        who runs the server
                        """)
            }
            return url
        }
        self.init(
            issuer: issuer,
            authorizationURL: try url(metadata.authorization_endpoint, "authorization_endpoint"),
            tokenURL: try url(metadata.token_endpoint, "token_endpoint"),
            deviceAuthorizationURL: try url(
                metadata.device_authorization_endpoint, "device_authorization_endpoint"),
            revocationURL: try url(metadata.revocation_endpoint, "revocation_endpoint"))
        namesItselfInRedirects = metadata.authorization_response_iss_parameter_supported ?? false
        scopes = metadata.scopes_supported
        codeChallengeMethods = metadata.code_challenge_methods_supported
        registrationURL = try url(metadata.registration_endpoint, "registration_endpoint")
        takesMetadataURLs = metadata.client_id_metadata_document_supported ?? false
        authenticationMethods = metadata.token_endpoint_auth_methods_supported
    }
}

/// An API that needs tokens, and who issues them (RFC 9728).
///
///     let resource = try await OAuthResource.discover(url)
///     let server = try await OAuthServer.discover(resource.servers[0])
///     let tokens = OAuthCredentials(
///         for: ServerEnvironment.production, server: server, client: client,
///         resources: [resource.url])
public struct OAuthResource: Hashable, Sendable {
    /// The API's name, which is the URL that tokens are requested for (RFC 8707).
    public let url: URL
    /// The issuers of tokens for the API, for ``OAuthServer/discover(_:transport:)``. There is at
    /// least one.
    public let servers: [String]
    /// The scopes that the API knows; `nil` if it doesn't tell.
    public let scopes: [String]?

    /// Asks an API who issues tokens for it.
    ///
    ///     // https://api.example.com/mcp  ->
    ///     //     https://api.example.com/.well-known/oauth-protected-resource/mcp, or else
    ///     //     https://api.example.com/.well-known/oauth-protected-resource
    ///
    /// The metadata must come from the API's origin. The URL that it names must be the one that was
    /// asked for, or one whose path contains it: `https://api.example.com` for
    /// `https://api.example.com/mcp`.
    /// - Parameters:
    ///   - url: A URL of the API, https or on this machine.
    ///   - challenge: What the API has answered without a token, which may say where its metadata
    ///     is.
    ///   - transport: What sends the requests; by default, a `URLSession` that keeps nothing.
    /// - Throws: An ``OAuthError``, such as ``OAuthError/Code/unusableMetadata``; an
    ///   ``EndpointTaskError`` if a request fails.
    public static func discover(
        _ url: URL, challenge: OAuthChallenge? = nil, transport: (any Transport)? = nil
    ) async throws -> OAuthResource {
        let (root, path) = try url.checkedForTokens("URL of the API").rootAndPath
        let place = root + "/.well-known/oauth-protected-resource"
        var places = path.isEmpty ? [place] : [place + path, place]
        if let named = challenge?.resourceMetadata {
            guard named.isSafeForTokens, Origin(of: named) == Origin(of: url) else {
                throw unusable("is at another server than the API")
            }
            places = [named.absoluteString]
        }
        let metadata = try await first(of: places) { environment in
            try await (transport ?? URLSession.oAuth).response(
                in: environment, with: ResourceMetadataRequest())
        }
        guard let text = metadata.resource, let resource = URL(string: text),
            resource.isSafeForTokens, Origin(of: resource) == Origin(of: url),
            url.isPart(of: resource)
        else { throw unusable("is that of another API") }
        let servers: [String] = (metadata.authorization_servers ?? []).prefix(100).filter {
            guard let issuer = URL(string: $0), issuer.isSafeForTokens else { return false }
            // A server elsewhere must not name one of this machine.
            return url.scheme?.lowercased() != "https" || issuer.scheme?.lowercased() == "https"
        }
        guard !servers.isEmpty else { throw unusable("names no authorization server with https") }
        return OAuthResource(url: resource, servers: servers, scopes: metadata.scopes_supported)
    }

    private static func unusable(_ reason: String) -> OAuthError {
        OAuthError(
            .unusableMetadata, because: "the API's metadata \(reason); ask who runs the API")
    }
}

/// The first of some metadata that is there.
private func first<Metadata: Sendable>(
    of places: [String],
    load: (ServerEnvironment) async throws -> Metadata
) async throws -> Metadata {
    var last: (any Error)?
    for place in places {
        guard let url = URL(string: place) else { continue }
        do { return try await load(ServerEnvironment(baseUrl: url)) } catch let error
            as EndpointTaskError<EmptyResponse>
        {
            // A server may have something else there, such as its page for all URLs.
            guard error.httpResponse.map({ $0.statusCode < 500 }) == true else { throw error }
            last = last ?? error
        }
    }
    throw last
        ?? OAuthError(.unusableMetadata, because: "there can be no metadata at such a URL")
}

extension URL {
    /// The scheme, host and port, and the path without a `/` at its end. Both are as the URL writes
    /// them: a `%3F` of the path, decoded, would begin a query.
    fileprivate var rootAndPath: (root: String, path: String) {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return ("", "") }
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        parts.percentEncodedPath = ""
        parts.percentEncodedQuery = nil
        parts.fragment = nil
        return (parts.string ?? "", path)
    }

    /// Whether this is another URL, or below its path.
    fileprivate func isPart(of other: URL) -> Bool {
        if self == other { return true }
        let path = other.path.hasSuffix("/") ? other.path : other.path + "/"
        return other.query == nil && (self.path + "/").hasPrefix(path)
    }
}

/// What an API asks for in a 401 or 403 (RFC 6750, section 3; RFC 9728, section 5.1).
///
///     do {
///         print(try await api(GetUser(id: 42)).name)
///     } catch {
///         guard let challenge = error.httpResponse.flatMap(OAuthChallenge.init),
///             challenge.needsMoreScopes
///         else { throw error }
///         try await gitHub.signIn(.loopback { print("Open", $0) }, for: challenge)
///     }
public struct OAuthChallenge: Hashable, Sendable {
    /// The name of an error, such as `invalid_token` or `insufficient_scope`; `nil` if the request
    /// had no token.
    public let error: String?
    /// The scopes that the request needs. Empty if the API doesn't tell.
    public let scopes: [String]
    /// Where the API's metadata is; `nil` if the API doesn't tell.
    public let resourceMetadata: URL?

    /// Whether the token is valid, but doesn't allow the request.
    public var needsMoreScopes: Bool { error == "insufficient_scope" }

    /// Reads the `WWW-Authenticate` of a response; `nil` if it asks for no token.
    public init?(_ response: HTTPURLResponse) {
        guard let field = response.value(forHTTPHeaderField: "WWW-Authenticate"),
            field.utf8.count <= 16_384
        else { return nil }
        self.init(field: field)
    }

    /// Reads the first challenge with the scheme `Bearer` or `DPoP`.
    init?(field: String) {
        var scanner = FieldScanner(field)
        var parameters: [String: String]?
        while !scanner.isAtEnd {
            scanner.skipBlanks()
            if scanner.skip(.comma) { continue }
            var name = scanner.text(before: .space, .tab, .comma, .equals, .quote)
            scanner.skipBlanks()
            if scanner.next != .equals {
                if scanner.next == .quote { _ = scanner.quotedString() }
                // A scheme. It ends the parameters of the one before.
                if parameters != nil { break }
                if ["bearer", "dpop"].contains(name.lowercased()) { parameters = [:] }
                continue
            }
            name = name.lowercased()
            _ = scanner.skip(.equals)
            scanner.skipBlanks()
            let value = scanner.quotedString() ?? scanner.text(before: .comma, .space, .tab)
            if parameters?[name] == nil { parameters?[name] = value }
        }
        guard let parameters else { return nil }
        error = parameters["error"]
        scopes = (parameters["scope"] ?? "").split(separator: " ").map(String.init)
        resourceMetadata = parameters["resource_metadata"].flatMap(URL.init(string:))
    }
}

extension OAuthCredentials {
    /// Signs in again, with the scopes of the present tokens and those that a challenge asks for.
    ///
    /// If the challenge asks for more scopes, but names none that the tokens don't have, this
    /// throws ``OAuthError/Code/invalidScope``. Otherwise an API could open one sign-in after the
    /// other.
    /// - Parameters:
    ///   - flow: The way to sign in.
    ///   - challenge: What the API asks for.
    ///   - account: A name of the account, as in ``signIn(_:scopes:account:)``. Without it, a
    ///     request that got an old token and is sent again ends with a ``SignInError``.
    /// - Throws: What ``signIn(_:scopes:account:)`` throws.
    public func signIn(
        _ flow: OAuthFlow, for challenge: OAuthChallenge, account: String? = nil
    ) async throws {
        let stored = try await tokens
        let had = stored?.scopes ?? []
        let new = challenge.scopes.filter { !had.contains($0) }
        guard stored?.ended != nil || stored == nil || !challenge.needsMoreScopes || !new.isEmpty
        else {
            throw OAuthError(
                .invalidScope,
                because: """
                    the API asks for scopes that the tokens have already, so another sign-in \
                    wouldn't help; check what the account may do
                    """)
        }
        let scopes = had + new
        try await signIn(flow, scopes: scopes.isEmpty ? nil : scopes, account: account)
    }
}
