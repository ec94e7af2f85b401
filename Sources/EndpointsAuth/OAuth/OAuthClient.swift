import Endpoints
import Foundation

/// A program that is registered with an authorization server, and how it proves who it is.
///
///     OAuthClient("my-app")                              // has no secret, such as an app
///     OAuthClient("service", .basic(secret: "s3cret"))   // Authorization: Basic …
///
/// The descriptions don't show the secret.
public struct OAuthClient: Sendable {
    /// The client's id; empty for one that is ``registered(as:orBy:)`` at its first sign-in.
    public let id: String
    /// How the client proves who it is.
    public let authentication: OAuthClientAuthentication
    /// What the client registers with; `nil` for one that has an id.
    let metadata: ClientMetadata?

    /// Makes a client.
    public init(_ id: String, _ authentication: OAuthClientAuthentication = .none) {
        self.id = id
        self.authentication = authentication
        metadata = nil
    }

    init(metadata: ClientMetadata) {
        id = ""
        authentication = .none
        self.metadata = metadata
    }
}

/// How a client proves to an authorization server who it is (RFC 6749, section 2.3).
public struct OAuthClientAuthentication: Sendable {
    enum Kind: Sendable {
        case none
        case basic(String)
        case post(String)
        case assertion(AssertionSigner)
    }

    let kind: Kind

    /// Not at all: only the client's id is sent, as a program that people have can't keep a secret.
    public static let none = OAuthClientAuthentication(kind: .none)

    /// The id and a secret in an `Authorization` header, `client_secret_basic`.
    ///
    /// Both are encoded as in a form before they are joined (RFC 6749, section 2.3.1): `a b` and
    /// `p:w` are sent as `a%20b:p%3Aw` in Base64. If a server doesn't decode them, and the secret
    /// has other characters than letters, digits and `-._`, use ``post(secret:)``.
    public static func basic(secret: String) -> OAuthClientAuthentication {
        OAuthClientAuthentication(kind: .basic(secret))
    }

    /// The id and a secret in the body, `client_secret_post`.
    public static func post(secret: String) -> OAuthClientAuthentication {
        OAuthClientAuthentication(kind: .post(secret))
    }

    /// A JSON web token, which a function of yours signs (RFC 7523, section 2.2), such as
    /// `private_key_jwt`. The token is valid for a minute and has a random `jti`.
    ///
    ///     OAuthClient("service", .signedJWT(algorithm: "ES256") { try await sign($0) })
    ///
    /// - Parameters:
    ///   - algorithm: The name of the algorithm (RFC 7518, section 3.1), such as `ES256`. `none` is
    ///     refused.
    ///   - keyID: The key's `kid`; `nil` leaves it out.
    ///   - audience: What the token is for; `nil` for the URL that it is sent to.
    ///   - sign: Returns the signature of bytes, as JSON Web Signatures have it: for `ES256`, 64
    ///     bytes and not DER (RFC 7518, section 3.4).
    public static func signedJWT(
        algorithm: String, keyID: String? = nil, audience: String? = nil,
        sign: @escaping @Sendable (_ bytes: Data) async throws -> Data
    ) -> OAuthClientAuthentication {
        OAuthClientAuthentication(
            kind: .assertion(
                AssertionSigner(
                    algorithm: algorithm, keyID: keyID, audience: audience, sign: sign)))
    }
}

extension OAuthClient: CustomStringConvertible, CustomReflectable {
    /// The id, without the secret.
    public var description: String { "OAuthClient(\(metadata?.name ?? id))" }
    /// No children, because `dump(_:)` would print the secret.
    public var customMirror: Mirror { .hidden(self) }
}

extension OAuthClientAuthentication: CustomStringConvertible, CustomReflectable {
    /// The kind, without the secret.
    public var description: String {
        switch kind {
        case .none: "none"
        case .basic: "basic (not shown)"
        case .post: "post (not shown)"
        case .assertion(let signer): "JWT, \(signer.algorithm)"
        }
    }
    /// No children, because `dump(_:)` would print the secret.
    public var customMirror: Mirror { .hidden(self) }
}

/// Makes the tokens that a client proves with who it is.
struct AssertionSigner: Sendable {
    let algorithm: String
    let keyID: String?
    let audience: String?
    let sign: @Sendable (Data) async throws -> Data

    private struct Header: Encodable {
        let alg: String
        let kid: String?
        let typ = "JWT"
    }

    private struct Claims: Encodable {
        let aud: String
        let exp: Int
        let iat: Int
        let iss: String
        let jti: String
        let sub: String
    }

    func assertion(of id: String, to url: URL, at now: Date) async throws -> String {
        guard algorithm.lowercased() != "none", !algorithm.isEmpty else {
            throw OAuthError(
                .invalidClient,
                because: "a JWT with the algorithm `none` proves nothing; name one that signs")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let start = Int(max(0, min(now.timeIntervalSince1970, 1e15)))
        let header = try encoder.encode(Header(alg: algorithm, kid: keyID))
        let claims = try encoder.encode(
            Claims(
                aud: audience ?? url.absoluteString, exp: start + 60, iat: start, iss: id,
                jti: RandomText.make(), sub: id))
        let content = "\(header.base64URL).\(claims.base64URL)"
        return "\(content).\(try await sign(Data(content.utf8)).base64URL)"
    }
}

/// Texts that nobody can guess.
enum RandomText {
    /// 43 characters of 256 random bits, from the system's generator.
    static func make() -> String {
        var system = SystemRandomNumberGenerator()
        return Data((0..<32).map { _ in UInt8.random(in: 0...255, using: &system) }).base64URL
    }
}

extension Data {
    /// Base64 for URLs, without padding (RFC 4648, section 5; RFC 7636, appendix A).
    var base64URL: String {
        base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
