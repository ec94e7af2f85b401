import Endpoints
import EndpointsShared
import Foundation

/// Where the credentials for a server come from, such as the keychain.
///
///     struct KeychainTokens: CredentialSource {
///         let baseUrl = ServerEnvironment.production.baseUrl
///         func token() throws -> AccessToken? { try keychain.read() }
///         func refresh(after refused: AccessToken) async throws -> AccessToken {
///             let token = try await newToken(refused.refreshToken)
///             guard try keychain.read() == refused else { throw SignInError() }
///             try keychain.write(token)   // nobody has signed out or in meanwhile
///             return token
///         }
///     }
///
/// ``MemoryCredentials`` keeps credentials in memory. Pass a source to
/// ``Transport/authorized(by:header:clock:)``.
public protocol CredentialSource: Sendable {
    /// The type of ``trustedUrls``: a sequence of `URL`, such as an array or a set.
    associatedtype TrustedURLs = [URL]

    /// A URL of the server. Only requests to its scheme, host and port get the credentials, and
    /// those to the ``trustedUrls``.
    var baseUrl: URL { get }

    /// URLs of further servers that get the same credentials, such as one for uploads. By default,
    /// there are none.
    var trustedUrls: TrustedURLs { get }

    /// The ``trustedUrls``. Don't write this property: there is a default if they have a valid
    /// type, and otherwise the source doesn't compile.
    var checkedTrustedUrls: [URL] { get }

    /// The token to send, or `nil` if nobody has signed in.
    ///
    /// This function is called for each request that needs credentials, and again after a 401. If
    /// the token has changed without a ``refresh(after:)``, somebody else may have signed in, so no
    /// request that began before is sent with it. If it is of the same account, say so with
    /// ``AccessToken/account``. If your implementation
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
    ///
    /// Store the new token only if ``token()`` is still the refused one. Otherwise somebody has
    /// signed out or in meanwhile: throw a ``SignInError``.
    func refresh(after refused: AccessToken) async throws -> AccessToken
}

extension CredentialSource where TrustedURLs == [URL] {
    /// No further servers.
    public var trustedUrls: [URL] { [] }
}

extension CredentialSource where TrustedURLs: Sequence, TrustedURLs.Element == URL {
    /// The URLs.
    public var checkedTrustedUrls: [URL] { Array(trustedUrls) }
}

/// Credentials, the time at which they expire, and the token with which new ones are requested.
///
///     AccessToken(.bearer("t0k3n"), expires: Date() + 3600, refreshToken: "r3fr3sh")
///
/// The descriptions show neither the credentials nor the refresh token.
public struct AccessToken: Hashable, Sendable {
    /// The credentials that are sent.
    public var credentials: Credentials
    /// When the credentials expire; `nil` if that isn't known. A date that isn't a number is `nil`.
    ///
    /// If a refresh gives a token that has expired already, as the clocks of the device and the
    /// server may differ, its date doesn't count: it is used until the server refuses it.
    public var expires: Date? {
        didSet { expires = expires?.ifNumber }
    }
    /// The token with which new credentials are requested (RFC 6749, section 1.5); `nil` if there
    /// is none.
    public var refreshToken: String?
    /// A name of the account, such as the user's id; `nil` if that isn't known.
    ///
    /// A request that gets a 401 is sent again only for the account with which it began. That is
    /// the case after a refresh, and with any other token that has the same name here.
    public var account: String?
    /// Whether the account's name is only this sign-in's, so that the next one has another.
    package var isAccountOfSignIn = false

    /// Makes a token from the credentials that a server has issued.
    public init(
        _ credentials: Credentials, expires: Date? = nil, refreshToken: String? = nil,
        account: String? = nil
    ) {
        self.credentials = credentials
        self.expires = expires?.ifNumber
        self.refreshToken = refreshToken
        self.account = account
    }
}

extension Date {
    /// `nil` for a date that isn't a number, which would not even be equal to itself.
    fileprivate var ifNumber: Date? { timeIntervalSince1970.isNaN ? nil : self }
}

extension DefaultStringInterpolation {
    /// Appends the scheme and `(not shown)`, with a warning, because such a text is easily sent.
    @available(
        *, deprecated,
        message: """
            a text has `(not shown)` in place of a token; to send it, use `authorized(by:)` or its \
            `credentials`; to print it, write `String(describing:)`
            """
    )
    public mutating func appendInterpolation(_ token: AccessToken) {
        appendLiteral(token.description)
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

/// Credentials that are kept in memory.
///
///     let tokens = MemoryCredentials(for: ServerEnvironment.production) { old in
///         try await newToken(old.refreshToken)
///     }
///     tokens.signIn(AccessToken(.bearer("t0k3n"), refreshToken: "r3fr3sh"))
public final class MemoryCredentials: CredentialSource {
    /// The base URL of the environment.
    public let baseUrl: URL
    /// Further servers that get the same credentials.
    public let trustedUrls: [URL]
    /// All transports that use these credentials share one refresh.
    let refreshes = Locked(RefreshState())
    /// Where caches listen for a sign-out.
    package let endedAccounts = EndedAccounts()
    private struct State {
        var token: AccessToken?
        /// The token that the last refresh has replaced.
        var replaced: AccessToken?
        /// The account that was signed in before, and until when.
        var left: (account: String?, end: DispatchTime)?

        mutating func leave() {
            if let token { left = (token.account, .now()) }
            (token, replaced) = (nil, nil)
        }
    }

    private let state: Locked<State>
    private let newToken: @Sendable (AccessToken) async throws -> AccessToken

    /// Makes the credentials for an environment.
    /// - Parameters:
    ///   - environment: The environment whose requests get the credentials.
    ///   - trustedUrls: URLs of further servers whose requests get them, such as one for uploads.
    ///   - token: The token to begin with; `nil` if nobody has signed in.
    ///   - refresh: Gets a new token in place of an old one.
    public init(
        for environment: some EnvironmentType, trusting trustedUrls: [URL] = [],
        _ token: AccessToken? = nil,
        refresh: @escaping @Sendable (AccessToken) async throws -> AccessToken
    ) {
        baseUrl = environment.baseUrl
        self.trustedUrls = trustedUrls
        state = Locked(State(token: token))
        newToken = refresh
    }

    /// Uses a token for all requests that begin from now on. A request that began before isn't sent
    /// with it, unless the ``AccessToken/account`` of both tokens is the same. What a cache has
    /// stored for another account, which was signed in until now, is dropped.
    public func signIn(_ token: AccessToken) {
        let old = state.withLock { state in
            let old = state.token
            state.leave()
            if token.account != nil, token.account == state.left?.account { state.left = nil }
            state.token = token
            return old
        }
        guard let old, old.accountID != token.accountID else { return }
        reportEnd(of: old)
    }

    /// Removes the token. Until the next ``signIn(_:)``, requests are sent without credentials. A
    /// request that began before, and waits to be sent, ends with a ``SignInError``. What a cache
    /// has stored for the account is dropped.
    public func signOut() {
        let token = state.withLock { state in
            defer { state.leave() }
            return state.token
        }
        if let token { reportEnd(of: token) }
    }

    /// Tells the caches, which know an account without a name by its first token.
    private func reportEnd(of token: AccessToken) {
        let id = refreshes.withLock { $0.accountID }
        for id in Set([id, token.accountID].compactMap { $0 }) { endedAccounts.report(id) }
    }

    /// Throws if the account that was signed in at `start` isn't any more.
    func checkAccount(since start: DispatchTime) throws(SignInError) {
        let (token, end) = state.withLock { ($0.token, $0.left?.end) }
        guard let end, start < end else { return }
        throw SignInError(accountHasChanged: token != nil)
    }

    /// The token that is sent; `nil` if nobody is signed in.
    public func token() -> AccessToken? {
        state.withLock { $0.token }
    }

    /// Gets a new token. If it has no ``AccessToken/refreshToken``, it gets that of the old one
    /// (RFC 6749, section 6). If ``signIn(_:)`` was called meanwhile for the same
    /// ``AccessToken/account``, returns the token of that call.
    /// - Throws: What the `refresh` of ``init(for:trusting:_:refresh:)`` throws, or a
    ///   ``SignInError`` if ``signOut()`` was called, or ``signIn(_:)`` for another account.
    public func refresh(after refused: AccessToken) async throws -> AccessToken {
        if let token = try token(insteadOf: refused) { return token }
        var new: AccessToken
        do { new = try await newToken(refused) } catch {
            guard let token = try token(insteadOf: refused) else { throw error }
            return token
        }
        new.account = new.account ?? refused.account
        // A server that sends no new refresh token lets the old one stand (RFC 6749, section 6).
        new.refreshToken = new.refreshToken ?? refused.refreshToken
        let token = new
        state.withLock { if $0.token == refused { ($0.token, $0.replaced) = (token, refused) } }
        return try self.token(insteadOf: refused) ?? token
    }

    /// A newer token of the same account; `nil` if the old one is still in use.
    private func token(insteadOf old: AccessToken) throws(SignInError) -> AccessToken? {
        let (token, replaced) = state.withLock { ($0.token, $0.replaced) }
        guard let token else { throw SignInError() }
        guard token != old else { return nil }
        guard old == replaced || (token.account != nil && token.account == old.account)
        else { throw SignInError(accountHasChanged: true) }
        return token
    }
}

extension MemoryCredentials: AccountEnding {
    /// The token that is sent, as it stays until somebody signs in again.
    package var lastToken: AccessToken? { token() }
}

/// A source that knows when an account signs out, so that caches need not wait for a request.
package protocol AccountEnding: CredentialSource {
    /// The token of the account that is signed in, also one that can't be sent any more, nor be
    /// refreshed; `nil` if nobody is signed in.
    var lastToken: AccessToken? { get async throws }

    /// Where caches listen for a sign-out.
    var endedAccounts: EndedAccounts { get }
}

extension MemoryCredentials: CustomReflectable {
    /// No children, because `dump(_:)` would print the token.
    public var customMirror: Mirror { .hidden(self) }
}
