import Endpoints
import EndpointsMiddleware
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The tokens for an API, which an OAuth 2 authorization server issues and renews.
///
///     let tokens = OAuthCredentials(
///         for: ServerEnvironment.production, server: server, client: OAuthClient("my-app"),
///         store: FileOAuthStore(file))
///     if try await !tokens.isSignedIn {
///         try await tokens.signIn(.device { code in print(code.verificationURI, code.userCode) })
///     }
///     let api = EndpointClient(session.authorized(by: tokens), in: .production)
///
/// A token is refreshed as ``Transport/authorized(by:header:clock:)`` says, and only once for all
/// requests, all transports and, with a ``FileOAuthStore``, all processes that share the store.
///
/// A server may accept a refresh token only once. So before a refresh is sent, the store notes that
/// it begins. If the process ends, or the connection is lost, before the new tokens are stored, the
/// next refresh sends the same refresh token again.
///
/// If the server then refuses it, or whenever it responds with `invalid_grant`, the sign-in has
/// ended. Requests end with a ``SignInError`` whose cause is an ``OAuthError``, and nothing more is
/// sent to the authorization server until the next ``signIn(_:scopes:account:)``. Any other failure
/// leaves the tokens as they are.
public final class OAuthCredentials: CredentialSource {
    /// The base URL of the environment. Only its origin, and those of ``trustedUrls``, get tokens.
    public let baseUrl: URL
    /// Further servers that get the same tokens.
    public let trustedUrls: [URL]
    let caller: OAuthCaller
    let store: any OAuthStore
    /// What the tokens are for (RFC 8707).
    let resources: [URL]
    package let endedAccounts = EndedAccounts()
    private let turn = Turn()
    /// New tokens that couldn't be stored yet.
    private let unsaved = Locked<Unsaved?>(nil)

    private struct Unsaved {
        let old: OAuthTokens
        let new: OAuthTokens
    }

    /// Makes credentials for an environment.
    /// - Parameters:
    ///   - environment: The environment whose requests get the tokens.
    ///   - trustedUrls: URLs of further servers whose requests get them.
    ///   - server: The authorization server.
    ///   - client: The program, as it is registered there.
    ///   - store: Where the tokens are kept; by default, in memory.
    ///   - resources: The URLs of what the tokens are for, if the server asks for them (RFC 8707).
    ///   - transport: What the requests to the authorization server are sent with; by default, a
    ///     `URLSession` that keeps nothing.
    ///   - clock: The clock for dates and waits.
    public init(
        for environment: some EnvironmentType, trusting trustedUrls: [URL] = [],
        server: OAuthServer, client: OAuthClient, store: some OAuthStore = MemoryOAuthStore(),
        resources: [URL] = [], transport: (any Transport)? = nil, clock: TransportClock = .system
    ) {
        baseUrl = environment.baseUrl
        self.trustedUrls = trustedUrls
        self.store = store
        self.resources = resources
        caller = OAuthCaller(
            server: server, client: client, transport: transport ?? URLSession.oAuth, clock: clock)
    }

    private var now: Date { caller.clock.date() }

    /// What the tokens of these credentials are for. A store may have those of another server.
    private var home: String {
        let origins = [baseUrl, caller.server.tokenURL].map { $0.flatMap(Origin.init)?.text ?? "" }
        return Digest(origins.joined(separator: "\n")).hex
    }

    /// The tokens in the store; `nil` also for those of another API or server, to which
    /// they must not be sent.
    func load() async throws -> OAuthTokens? {
        guard let stored = try await store.load() else { return nil }
        return stored.home == nil || stored.home == home ? stored : nil
    }

    /// Whether there are tokens that are valid or can be renewed, as far as is known without asking
    /// the server.
    /// - Throws: What the store throws.
    public var isSignedIn: Bool {
        get async throws {
            guard let stored = try await load(), stored.ended == nil else { return false }
            return !stored.hasExpired(at: now) || renewal(of: stored) != nil
        }
    }

    /// The tokens in the store; `nil` if nobody has signed in.
    /// - Throws: What the store throws.
    public var tokens: OAuthTokens? { get async throws { try await load() } }

    /// The token to send; `nil` if nobody has signed in.
    /// - Throws: A ``SignInError`` if the server has ended the sign-in and the token has expired;
    ///   what the store throws.
    public func token() async throws -> AccessToken? {
        try await saveUnsaved()
        guard let stored = try await load() else { return nil }
        // Its refresh has failed, but the token itself may be valid until it expires.
        if let ended = stored.ended, stored.expires.map({ $0 <= now }) ?? true {
            throw SignInError(cause: OAuthError.ended(by: ended))
        }
        return stored.token
    }

    /// Gets a new token in place of one that was refused or expires, unless that has been done
    /// already. Cancelling the task doesn't end the refresh, as its response must not be lost.
    /// - Throws: A ``SignInError`` if somebody has to sign in again, or has signed in or out
    ///   meanwhile; an ``OAuthError`` if the server refuses otherwise; an ``EndpointTaskError`` if
    ///   the request fails; what the store throws.
    public func refresh(after refused: AccessToken) async throws -> AccessToken {
        try await Task {
            try await turn.run {
                try await self.store.exclusively { try await self.renew(refused) }
            }
        }.value
    }

    private func renew(_ refused: AccessToken) async throws -> AccessToken {
        try await saveUnsaved()
        guard let stored = try await load() else { throw SignInError() }
        guard stored.account == refused.account else { throw SignInError(accountHasChanged: true) }
        if let ended = stored.ended {
            try await forget(refused, of: stored)
            throw SignInError(cause: OAuthError.ended(by: ended))
        }
        guard stored.credentials == refused.credentials || stored.hasExpired(at: now) else {
            return stored.token
        }
        guard let fields = renewal(of: stored) else {
            try await end(stored, by: .signInNeeded)
            throw SignInError(cause: OAuthError.ended(by: OAuthError.Code.signInNeeded.rawValue))
        }
        var begun = stored
        begun.refreshBegan = stored.refreshBegan ?? now.inWholeSeconds
        guard try await store.replace(stored, with: begun) else {
            return try await present(insteadOf: stored)
        }
        let response: TokenResponse
        do {
            response = try await caller.with(stored.client).token(fields)
        } catch let error as OAuthError
            where error.endsSignIn || (error.code == .invalidClient && stored.client != nil)
        {
            try await end(begun, by: error.code)
            guard error.endsSignIn else {
                // The server doesn't know the client any more, so the next sign-in registers it.
                stored.client.map(caller.registrations.refuse)
                throw SignInError(cause: OAuthError.ended(by: error.code.rawValue))
            }
            throw SignInError(
                cause: stored.isRefreshUnfinished ? OAuthError.lostAnswer(error.code) : error)
        }
        let new = try begun.renewed(by: response)
        unsaved.withLock { $0 = Unsaved(old: begun, new: new) }
        try await saveUnsaved()
        let kept = try await store.load()
        if let kept, kept.isSameIssue(as: new) { return new.token }
        // Somebody has signed out or in meanwhile, and nobody will use these tokens. After a
        // sign-in they aren't revoked, as some servers would end that one, too.
        if kept == nil { try? await revoke(new) }
        return try await present(insteadOf: begun)
    }

    /// The token that somebody has stored in place of others of the same account.
    /// - Throws: A ``SignInError`` if there is none.
    private func present(insteadOf old: OAuthTokens) async throws -> AccessToken {
        guard let stored = try await load() else { throw SignInError() }
        guard stored.account == old.account else { throw SignInError(accountHasChanged: true) }
        return stored.token
    }

    /// The form that requests new tokens; `nil` if there is no way to get some.
    private func renewal(of tokens: OAuthTokens) -> [(String, String?)]? {
        if let refreshToken = tokens.refreshToken {
            return [("grant_type", "refresh_token"), ("refresh_token", refreshToken)]
                + resources.fields
        }
        guard let grant = tokens.renewingGrant else { return nil }
        return [("grant_type", grant), ("scope", tokens.scopes.scopeField)] + resources.fields
    }

    /// Removes what the server has refused, so that no more is sent to it.
    private func end(_ tokens: OAuthTokens, by code: OAuthError.Code) async throws {
        var ended = tokens
        (ended.refreshToken, ended.renewingGrant, ended.refreshBegan) = (nil, nil, nil)
        if code == .invalidClient { ended.client = nil }
        ended.ended = code.rawValue
        _ = try await store.replace(tokens, with: ended)
    }

    /// Makes a token that the API has refused one that isn't sent any more.
    private func forget(_ refused: AccessToken, of tokens: OAuthTokens) async throws {
        guard tokens.credentials == refused.credentials, !tokens.hasExpired(at: now)
        else { return }
        var ended = tokens
        ended.expires = now.inWholeSeconds
        _ = try await store.replace(tokens, with: ended)
    }

    /// Stores new tokens that couldn't be stored before. Until that is done they are kept here, as
    /// the old refresh token may be of no use any more.
    private func saveUnsaved() async throws {
        guard let tokens = unsaved.withLock({ $0 }) else { return }
        if try await !store.replace(tokens.old, with: tokens.new),
            let stored = try await store.load(), stored.account == tokens.old.account,
            stored.accessToken == tokens.old.accessToken,
            stored.refreshToken == tokens.old.refreshToken || stored.ended != nil,
            !stored.isSameIssue(as: tokens.new)
        {
            // The store doesn't give back all that it was given, or another process has sent the
            // old refresh token meanwhile. The new tokens are the only ones that are good.
            _ = try await store.replace(stored, with: tokens.new)
        }
        unsaved.withLock { if $0?.new == tokens.new { $0 = nil } }
    }

    /// Keeps the tokens of a new sign-in.
    func adopt(_ tokens: OAuthTokens) async throws {
        var tokens = tokens
        tokens.home = home
        let old = try? await store.load()
        do { try await store.save(tokens) } catch {
            await revokeUnkept(tokens)
            throw error
        }
        // Not before, as the tokens that are there stay if the store fails.
        unsaved.withLock { $0 = nil }
        if let old, old.account != tokens.account { endedAccounts.report(old.token.accountID) }
    }

    /// Revokes tokens that can't be stored, so that nobody can use them. Those of an earlier
    /// sign-in stay, and some servers would end that one, too. A store that can't be read may have
    /// some.
    private func revokeUnkept(_ tokens: OAuthTokens) async {
        guard let isSignedIn = try? await isSignedIn, !isSignedIn else { return }
        // Not as a part of the task, which may be cancelled.
        await Task { try? await self.revoke(tokens) }.value
    }

    /// Names the account that is signed in, where its name is only known with its token.
    ///
    ///     try await gitHub.signIn(.device { code in print(code.userCode) })
    ///     try await gitHub.nameAccount("ann")   // as the API says who it is
    ///
    /// From then on it is the account with this name, as with `account:` in
    /// ``signIn(_:scopes:account:)``. What a cache has stored without the name is dropped, and a
    /// request that has begun and gets a 401 isn't sent again.
    /// - Throws: A ``SignInError`` if nobody is signed in, or somebody signs in or out meanwhile;
    ///   what the store throws. The account is as before then.
    public func nameAccount(_ name: String) async throws {
        let old = try await turn.run {
            try await self.store.exclusively {
                try await self.saveUnsaved()
                guard let stored = try await self.load() else { throw SignInError() }
                var named = stored
                (named.account, named.isAccountRandom) = (name, nil)
                // Somebody has signed in or out meanwhile.
                guard try await self.store.replace(stored, with: named)
                else { throw SignInError(accountHasChanged: true) }
                return stored
            }
        }
        if old.account != name { endedAccounts.report(old.token.accountID) }
    }

    /// Removes the tokens, and revokes them if the server has a `revocationURL` (RFC 7009).
    ///
    /// They are removed from the store first. Requests that wait to be sent with them end with a
    /// ``SignInError``, and what a cache has stored for the account is dropped.
    /// - Throws: What the store throws. If the tokens are removed and can't be revoked, an
    ///   ``OAuthError`` or ``EndpointTaskError``.
    public func signOut() async throws {
        let unsaved = unsaved.withLock { $0 }
        var tokens = try await load()
        for _ in 0..<10 {
            if try await store.replace(tokens, with: nil) { break }
            tokens = try await load()
        }
        if try await load() != nil { try await store.save(nil) }
        // Not before, as the tokens that are there stay if the store fails.
        self.unsaved.withLock { $0 = nil }
        guard let tokens = unsaved?.new ?? tokens else { return }
        endedAccounts.report(tokens.token.accountID)
        try await revoke(tokens)
    }

    /// Revokes the refresh token, with which most servers revoke the access token too, and then
    /// that.
    private func revoke(_ tokens: OAuthTokens) async throws {
        let caller = caller.with(tokens.client)
        guard caller.server.revocationURL != nil else { return }
        let url = try caller.server.url(\.revocationURL, "revocationURL")
        if let refreshToken = tokens.refreshToken {
            try await caller.send(
                RevocationRequest.self, to: url,
                [("token", refreshToken), ("token_type_hint", "refresh_token")])
        }
        do {
            try await caller.send(
                RevocationRequest.self, to: url,
                [("token", tokens.accessToken), ("token_type_hint", "access_token")])
        } catch let error as OAuthError where error.code == "unsupported_token_type" {
            // The server can't revoke access tokens (RFC 7009, section 2.2.1).
        }
    }
}

extension OAuthCredentials: AccountEnding {
    /// The token in the store, also after the server has ended the sign-in.
    package var lastToken: AccessToken? {
        get async throws {
            let unsaved = unsaved.withLock { $0?.new }
            return try await (load() ?? unsaved)?.token
        }
    }
}

extension OAuthCredentials: CustomReflectable {
    /// No children, because `dump(_:)` would print the tokens.
    public var customMirror: Mirror { .hidden(self) }
}

extension OAuthError {
    /// The error of a request after the sign-in has ended.
    static func ended(by code: String) -> OAuthError {
        OAuthError(
            Code(rawValue: code),
            because: code == Code.signInNeeded.rawValue
                ? "the token has expired or was refused, and there is no refresh token; sign in again"
                : "the authorization server has ended the sign-in with `\(code)`; sign in again")
    }

    /// The error of a refresh token that was sent a second time.
    static func lostAnswer(_ code: Code) -> OAuthError {
        OAuthError(
            code,
            because: """
                the response to an earlier refresh was lost, and the authorization server doesn't \
                take the refresh token twice; sign in again
                """)
    }
}

extension [URL] {
    /// What the tokens are for, as fields (RFC 8707, section 2).
    var fields: [(String, String?)] { map { ("resource", $0.absoluteString) } }
}

extension [String]? {
    /// Scopes as a field's value; `nil` leaves the field out.
    var scopeField: String? { self.flatMap { $0.isEmpty ? nil : $0.joined(separator: " ") } }
}

extension URLSession {
    /// Sends requests to authorization servers. It keeps no cookies and no responses.
    static let oAuth: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }()
}
