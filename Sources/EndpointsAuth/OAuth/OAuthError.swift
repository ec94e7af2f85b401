import Endpoints
import Foundation

/// Why an authorization server, or the library in its place, refuses a sign-in or a new token.
///
///     do {
///         try await gitHub.signIn(.device { print($0.userCode) })
///     } catch let error as OAuthError where error.code == .accessDenied {
///         print("Then not.")
///     }
///
/// A network that fails, and a response that isn't one of OAuth, such as a 503 with a web page, is
/// an ``EndpointTaskError`` instead.
public struct OAuthError: Error, Hashable, Sendable {
    /// The name of an error: one of RFC 6749, sections 4.1.2.1 and 5.2, of an extension, or one of
    /// the library's own, which have a space.
    public struct Code: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
        /// The name, such as `invalid_grant`.
        public let rawValue: String

        /// Makes a code of its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Makes a code of its name.
        public init(stringLiteral name: String) { rawValue = name }
    }

    /// What is wrong.
    public let code: Code
    /// The server's explanation, for developers, of at most 300 characters and without what was
    /// sent as a secret. `nil` if the server gave none.
    public let serverDescription: String?
    /// A page about the error, which the server names. `nil` if it names none with http or https.
    public let uri: URL?
    /// The library's explanation of a code of its own.
    let reason: String?

    /// Makes an error.
    /// - Parameters:
    ///   - code: What is wrong.
    ///   - description: The server's explanation.
    ///   - uri: A page about the error.
    public init(_ code: Code, description: String? = nil, uri: URL? = nil) {
        self.init(code, description, uri, reason: nil)
    }

    /// An error that the library has found.
    init(_ code: Code, because reason: String) { self.init(code, nil, nil, reason: reason) }

    private init(_ code: Code, _ text: String?, _ uri: URL?, reason: String?) {
        self.code = code
        serverDescription = text.map(Self.printable)
        self.uri = ["http", "https"].contains(uri?.scheme?.lowercased()) ? uri : nil
        self.reason = reason
    }

    /// An error as a server sends it. A name with other characters than those of the known ones is
    /// ``Code/unknown``.
    init(_ name: String?, _ text: String?, _ uri: String?) {
        let isName = name.map { name in
            (1...64).contains(name.utf8.count)
                && name.utf8.allSatisfy { $0.isNameByte }
        }
        self.init(
            isName == true ? Code(rawValue: name ?? "") : .unknown, text,
            uri.flatMap { $0.utf8.count <= 2000 ? URL(string: $0) : nil }, reason: nil)
    }

    private static func printable(_ text: String) -> String {
        let plain = text.unicodeScalars.prefix(300).map { scalar -> Character in
            switch scalar.properties.generalCategory {
            // Some of them end a line, or turn the direction of the text.
            case .control, .format, .lineSeparator, .paragraphSeparator: " "
            default: Character(scalar)
            }
        }
        return String(plain)
    }

    /// This error without texts that were sent as secrets, which a server may repeat.
    func hiding(_ secrets: [String]) -> OAuthError {
        let secrets = secrets.filter { $0.count > 3 }
        func hide(_ text: String) -> String {
            let text = secrets.reduce(text) { $0.replacingOccurrences(of: $1, with: "…") }
            // A text that was cut may end in a part of a secret.
            return secrets.reduce(text) { text, secret in
                let longest = min(secret.count, text.count + 1)
                let part = (4..<max(4, longest)).last { text.hasSuffix(secret.prefix($0)) }
                return part.map { text.dropLast($0) + "…" } ?? text
            }
        }
        let isShown = uri.map { hide($0.absoluteString) == $0.absoluteString } ?? true
        let code = hide(code.rawValue) == code.rawValue ? code : .unknown
        return OAuthError(
            code, serverDescription.map(hide), isShown ? uri : nil, reason: reason)
    }

    /// Whether the refresh token, or what else was exchanged, is of no use any more.
    var endsSignIn: Bool {
        // GitHub has a name of its own.
        code == .invalidGrant || code == "bad_refresh_token"
    }
}

extension UInt8 {
    /// A letter, a digit, or one of `_-.`.
    fileprivate var isNameByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }
}

extension OAuthError.Code {
    /// The request has a parameter that is missing or wrong.
    public static let invalidRequest: Self = "invalid_request"
    /// The client isn't known, or its authentication has failed.
    public static let invalidClient: Self = "invalid_client"
    /// The code, the refresh token or the assertion isn't valid, has expired or was revoked: sign
    /// in again.
    public static let invalidGrant: Self = "invalid_grant"
    /// The client may not sign in this way.
    public static let unauthorizedClient: Self = "unauthorized_client"
    /// The server doesn't know this way to sign in.
    public static let unsupportedGrantType: Self = "unsupported_grant_type"
    /// A scope isn't known, or may not be had.
    public static let invalidScope: Self = "invalid_scope"
    /// The server issues no tokens for the resource (RFC 8707, section 2).
    public static let invalidTarget: Self = "invalid_target"
    /// A redirect URL can't be registered (RFC 7591, section 3.2.2).
    public static let invalidRedirectURI: Self = "invalid_redirect_uri"
    /// The program can't be registered as it says (RFC 7591, section 3.2.2).
    public static let invalidClientMetadata: Self = "invalid_client_metadata"
    /// The person, or the server, has said no.
    public static let accessDenied: Self = "access_denied"
    /// The device code has expired before somebody has entered the user code (RFC 8628).
    public static let expiredToken: Self = "expired_token"
    /// Nobody has entered the user code yet (RFC 8628). A sign-in waits and doesn't throw it.
    public static let authorizationPending: Self = "authorization_pending"
    /// The server was asked too often (RFC 8628). A sign-in waits longer and doesn't throw it.
    public static let slowDown: Self = "slow_down"
    /// The server has failed.
    public static let serverError: Self = "server_error"
    /// The server is overloaded or being maintained.
    public static let temporarilyUnavailable: Self = "temporarily_unavailable"
    /// The server's response has no name of an error, or one that can't be one.
    public static let unknown: Self = "unknown error"

    /// The redirect isn't the one that belongs to this sign-in: another address or `state`.
    public static let wrongRedirect: Self = "wrong redirect"
    /// The redirect, or the metadata, is of another server (RFC 9207, RFC 8414 section 3.3).
    public static let wrongIssuer: Self = "wrong issuer"
    /// A URL that tokens would be sent to isn't https, nor http on this machine.
    public static let insecureURL: Self = "insecure URL"
    /// The server's metadata can't be used.
    public static let unusableMetadata: Self = "unusable metadata"
    /// The server has no URL for what is asked of it.
    public static let missingURL: Self = "missing URL"
    /// The server's token can't be sent.
    public static let unusableToken: Self = "unusable token"
    /// The sign-in has ended, and there is nothing to get a new token with: sign in again.
    public static let signInNeeded: Self = "sign in again"
    /// Nobody has signed in within the time.
    public static let timedOut: Self = "timed out"
    /// This machine gives no port to wait for the redirect at.
    public static let noListener: Self = "no listener"
}

extension OAuthError: CustomStringConvertible, LocalizedError {
    /// One sentence: the code, the server's or the library's explanation, and what to do.
    public var description: String {
        if let reason { return reason }
        let text = serverDescription.map { " (\($0))" } ?? ""
        return "the authorization server refused with `\(code.rawValue)`\(text)\(advice)"
    }

    /// The same text as `description`.
    public var errorDescription: String? { description }

    private var advice: String {
        switch code {
        case .invalidGrant, "bad_refresh_token": "; sign in again"
        case .invalidClient: "; check the client's id, its secret and how it authenticates"
        case .unauthorizedClient, .unsupportedGrantType:
            "; allow this way to sign in where the client is registered"
        case .invalidScope: "; check the scopes"
        case .invalidTarget: "; check the resources"
        case .invalidRedirectURI: "; sign in with another redirect URL"
        case .invalidClientMetadata:
            "; register the program at the server, and pass `OAuthClient` its id"
        case .accessDenied: "; nobody has signed in"
        case .expiredToken: "; begin the sign-in again"
        case .serverError, .temporarilyUnavailable: "; try again later"
        default: ""
        }
    }
}

extension OAuthError: TransientError {
    /// Whether the same may succeed later: the server is overloaded or has failed.
    public var isTransient: Bool {
        [.serverError, .temporarilyUnavailable, .slowDown].contains(code)
    }
}

extension OAuthError: Decodable {
    private enum Key: String, CodingKey {
        case error
        case text = "error_description"
        case uri = "error_uri"
    }

    /// Reads the error response of RFC 6749, section 5.2. JSON without an `error`, or with one that
    /// isn't a text, is ``Code/unknown``.
    public init(from decoder: any Decoder) throws {
        let fields = try? decoder.container(keyedBy: Key.self)
        func text(_ key: Key) -> String? { try? fields?.decode(String.self, forKey: key) }
        self.init(text(.error), text(.text), text(.uri))
    }
}
