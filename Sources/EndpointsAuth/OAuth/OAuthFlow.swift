import Endpoints
import EndpointsMiddleware
import Foundation

/// A way to sign in, such as ``clientCredentials``. Pass it to
/// ``OAuthCredentials/signIn(_:scopes:account:)``.
public struct OAuthFlow: Sendable {
    /// What a way to sign in needs to know.
    struct Context: Sendable {
        var caller: OAuthCaller
        let scopes: [String]?
        let resources: [URL]

        var scope: (String, String?) { ("scope", scopes.scopeField) }

        /// The same with a client that is registered, if it needs that.
        func registered(
            for redirect: URL?, grant: String = "authorization_code"
        ) async throws -> Context {
            var context = self
            context.caller = try await caller.registered(
                for: redirect, grant: grant, scopes: scopes)
            return context
        }
    }

    /// Signs in and returns what the server has issued.
    let run: @Sendable (Context) async throws -> TokenResponse
    /// The grant that gets another token without a refresh token; `nil` if there is none.
    var renewingGrant: String?

    init(
        renewing grant: String? = nil,
        _ run: @escaping @Sendable (Context) async throws -> TokenResponse
    ) {
        self.run = run
        renewingGrant = grant
    }

    /// The program's own tokens, without a person (RFC 6749, section 4.4). A new one is requested
    /// in the same way when it expires.
    ///
    ///     try await gitHub.signIn(.clientCredentials, scopes: ["read"])
    public static let clientCredentials = OAuthFlow(renewing: "client_credentials") { context in
        try await context.caller.token(
            [("grant_type", "client_credentials"), context.scope] + context.resources.fields)
    }

    /// The account of a program that signs in as itself; `nil` for a person's.
    fileprivate func program(_ context: Context) -> String? {
        guard renewingGrant == Self.clientCredentials.renewingGrant else { return nil }
        return "client \(context.caller.client.id)"
    }
}

extension OAuthCredentials {
    /// Signs in, and keeps the tokens for all requests that begin from now on.
    ///
    ///     try await gitHub.signIn(.clientCredentials, scopes: ["read"])
    ///
    /// If it fails, the tokens that are there stay. What a cache has stored for another account is
    /// dropped.
    ///
    /// If the new tokens can't be stored, they aren't kept. They are revoked if the server has a
    /// `revocationURL`, unless an earlier sign-in is still good, which some servers would end, too.
    /// Whether that has succeeded makes no difference to the error, which is the store's.
    /// - Parameters:
    ///   - flow: The way to sign in.
    ///   - scopes: What the tokens shall allow; `nil` for what the server gives without.
    ///   - account: A name of the account, such as the user's id. With the name of the present
    ///     account, requests that have begun go on with the new tokens, and a cache keeps its
    ///     responses, and an outbox sends what was written before. With `nil`, it is the client's
    ///     id for ``OAuthFlow/clientCredentials``, and the person that an ID token names if the
    ///     server sends one, as for the scope `openid`. Otherwise each sign-in counts as another
    ///     account, and an outbox keeps no request of it.
    /// - Throws: An ``OAuthError`` if the server or a check refuses; an ``EndpointTaskError`` if a
    ///   request fails; `CancellationError`; what the store and your functions throw.
    public func signIn(
        _ flow: OAuthFlow, scopes: [String]? = nil, account: String? = nil
    ) async throws {
        // A store that can't be used is found before a person is asked for anything.
        let stored = try await load()
        try await store.exclusively {}
        if caller.registrations.known == nil { caller.registrations.keep(stored?.client) }
        let context = OAuthFlow.Context(caller: caller, scopes: scopes, resources: resources)
        let response: TokenResponse
        do { response = try await flow.run(context) } catch let error as OAuthError
            where error.code == .invalidClient
        {
            // The server doesn't know the client any more, so the next sign-in registers it anew.
            caller.registrations.known.map(caller.registrations.refuse)
            throw error
        }
        try await adopt(
            OAuthTokens(
                response, scopes: scopes, account: account ?? flow.program(context),
                renewing: flow.renewingGrant))
    }
}
