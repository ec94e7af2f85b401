import Endpoints
import EndpointsAuth
import EndpointsMiddleware
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A command line tool that acts for a person at GitHub:
/// https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
struct Tool: Sendable {
    static let server = OAuthServer(
        tokenURL: URL(string: "https://github.com/login/oauth/access_token"),
        deviceAuthorizationURL: URL(string: "https://github.com/login/device/code"))

    let tokens: OAuthCredentials
    /// Its requests are sent with the token, which goes to no other server.
    let api: EndpointClient<ServerEnvironment>

    /// - Parameters:
    ///   - clientID: The id with which the tool is registered at GitHub. The way with a device
    ///     needs no secret.
    ///   - file: Where the tokens are kept between two runs.
    init(
        clientID: String, file: URL, api transport: some Transport = URLSession.shared,
        signIn pages: (any Transport)? = nil, clock: TransportClock = .system
    ) {
        let gitHub = ServerEnvironment(baseUrl: URL(string: "https://api.github.com")!)
        tokens = OAuthCredentials(
            for: gitHub, server: Self.server, client: OAuthClient(clientID),
            store: FileOAuthStore(file), transport: pages, clock: clock)
        api = EndpointClient(transport.authorized(by: tokens), in: gitHub)
    }

    /// Signs in, unless an earlier run has done so.
    /// - Parameter show: Shows the person the code and the page at which it is entered.
    func signIn(show: @escaping @Sendable (OAuthDeviceCode) -> Void) async throws {
        guard try await !tokens.isSignedIn else { return }
        try await tokens.signIn(.device { show($0) }, scopes: ["repo"])
    }
}

/// Who is signed in.
struct GetViewer: FlatRequest {
    static let endpoint = Endpoint<GetViewer>(
        method: .get, path: "user", headers: [.accept: "application/vnd.github+json"])

    struct Response: Codable, Sendable {
        let login: String
    }
}
