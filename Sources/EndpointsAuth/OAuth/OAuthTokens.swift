import Endpoints
import EndpointsMiddleware
import Foundation

/// What a sign-in has given: an access token, the refresh token for the next one, and what a
/// program that goes on after a crash has to know. It is what an ``OAuthStore`` keeps.
///
/// The descriptions show no token. `JSONEncoder` writes them all, so the data is a secret.
public struct OAuthTokens: Codable, Hashable, Sendable {
    /// The token that is sent to the API.
    public internal(set) var accessToken: String
    /// The scheme that the token is sent with, such as `Bearer`.
    public internal(set) var tokenType: String
    /// When the access token expires; `nil` if the server doesn't tell.
    public internal(set) var expires: Date?
    /// The token with which a new one is requested; `nil` if there is none.
    public internal(set) var refreshToken: String?
    /// The scopes of the access token: those that the server has named or, if it named none, those
    /// that were asked for. `nil` if none were.
    public internal(set) var scopes: [String]?
    /// OpenID's token about the person, as the server has sent it. It isn't verified.
    public internal(set) var idToken: String?
    /// What tells this account from others: the name given to the sign-in or, without one, the
    /// client's id for ``OAuthFlow/clientCredentials``, the person that the ID token names, or a
    /// random text.
    public internal(set) var account: String
    /// `true` if `account` is a random text, so that the next sign-in of the same person has
    /// another.
    var isAccountRandom: Bool?
    /// The grant with which a new token is requested without a refresh token; `nil` if there is
    /// none.
    var renewingGrant: String?
    /// When a refresh with this refresh token has begun whose answer isn't known. The server may
    /// have replaced the refresh token.
    var refreshBegan: Date?
    /// The name of the error by which the sign-in has ended; `nil` if it goes on.
    var ended: String?
    /// A digest of the origins of the API and the server that the tokens are for; `nil` for tokens
    /// that were got elsewhere.
    var home: String?

    /// The client that has got the tokens, if it has registered itself.
    var client: Registration?

    /// Whether the refresh of these tokens has begun and isn't known to have ended, as after a
    /// crash or a lost connection. The next refresh sends the same refresh token again. Not every
    /// server allows that.
    public var isRefreshUnfinished: Bool { refreshBegan != nil }

    /// Makes tokens that were got elsewhere, such as by an earlier version of your program.
    public init(
        accessToken: String, tokenType: String = "Bearer", expires: Date? = nil,
        refreshToken: String? = nil, scopes: [String]? = nil, account: String? = nil
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expires = expires?.inWholeSeconds
        self.refreshToken = refreshToken
        self.scopes = scopes
        (self.account, isAccountRandom) = Self.named(account)
    }

    /// The tokens of a response.
    /// - Parameters:
    ///   - scopes: The scopes that were asked for, which the server need not repeat.
    init(
        _ response: TokenResponse, scopes: [String]?, account: String?,
        renewing grant: String? = nil
    ) throws(OAuthError) {
        let token = response.accessToken ?? ""
        tokenType = response.tokenType ?? "Bearer"
        guard (try? Self.credentials(tokenType, token).pathRepresentation) != nil else {
            throw OAuthError(
                .unusableToken,
                because: """
                    the authorization server's token is missing, or of a type or with a character \
                    that can't be sent; ask who runs the server
                    """)
        }
        accessToken = token
        // A server that says 0 doesn't mean that each request needs another token.
        expires = response.life.flatMap {
            $0 > 0 ? (response.asked + $0).inWholeSeconds : nil
        }
        refreshToken = response.refreshToken
        self.scopes = response.scope?.split(separator: " ").map(String.init) ?? scopes
        idToken = response.idToken
        (self.account, isAccountRandom) = Self.named(account ?? response.person)
        renewingGrant = grant
        client = response.registration
    }

    /// The tokens after a refresh. A server that sends no new refresh token lets the old one stand
    /// (RFC 6749, section 6).
    func renewed(by response: TokenResponse) throws(OAuthError) -> OAuthTokens {
        var new = try OAuthTokens(
            response, scopes: scopes, account: account, renewing: renewingGrant)
        new.isAccountRandom = isAccountRandom
        new.refreshToken = new.refreshToken ?? refreshToken
        new.idToken = new.idToken ?? idToken
        new.home = home
        return new
    }

    /// Whether both are the same tokens of the same sign-in, whatever else a store has kept.
    func isSameIssue(as other: OAuthTokens) -> Bool {
        accessToken == other.accessToken && refreshToken == other.refreshToken
            && account == other.account
    }

    private static func named(_ account: String?) -> (String, isRandom: Bool?) {
        account.map { ($0, nil) } ?? (RandomText.make(), true)
    }

    private static func credentials(_ type: String, _ token: String) -> Credentials {
        type.lowercased() == "bearer" ? .bearer(token) : .scheme(type, token)
    }

    /// The credentials that are sent.
    public var credentials: Credentials { Self.credentials(tokenType, accessToken) }

    var token: AccessToken {
        var token = AccessToken(
            credentials, expires: expires, refreshToken: refreshToken, account: account)
        token.isAccountOfSignIn = isAccountRandom == true
        return token
    }

    func hasExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }
}

extension TokenResponse {
    /// A name of the person of the ID token, who is the same at each sign-in (OpenID Connect Core
    /// 1.0, section 2); `nil` without such a token.
    ///
    /// The token comes from the server itself, so its signature need not be checked (section
    /// 3.1.3.7).
    fileprivate var person: String? {
        struct Claims: Decodable {
            let iss, sub: String
        }
        let parts = idToken?.split(separator: ".", omittingEmptySubsequences: false) ?? []
        guard parts.count == 3 else { return nil }
        var text = String(parts[1].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text),
            let claims = try? JSONDecoder().decode(Claims.self, from: data), !claims.sub.isEmpty
        else { return nil }
        return "\(claims.sub) of \(claims.iss)"
    }
}

extension OAuthTokens: CustomStringConvertible, CustomReflectable {
    /// The type, without the tokens: `Bearer (not shown)`.
    public var description: String { "\(tokenType) (not shown)" }
    /// No children, because `dump(_:)` would print the tokens.
    public var customMirror: Mirror { .hidden(self) }
}

extension Date {
    /// A date that is the same after it was written as a number of seconds.
    var inWholeSeconds: Date? {
        let seconds = timeIntervalSince1970
        guard abs(seconds) < 1e13 else { return nil }
        return Date(timeIntervalSince1970: seconds.rounded(.down))
    }
}
