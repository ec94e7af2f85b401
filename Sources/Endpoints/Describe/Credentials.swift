import Foundation

/// The value of an `Authorization` header.
///
///     headers: [.authorization: .field(path: \.credentials)]
///     // .basic(username: "Aladdin", password: "open sesame")
///     //                  ->  Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==
///     // .bearer("t0k3n") ->  Authorization: Bearer t0k3n
///
/// Its descriptions show the scheme, never the secret.
public struct Credentials: Hashable, Sendable {
    private enum Secret: Hashable {
        case basic(username: String, password: String)
        case token(String)
        case parameters(String)
    }

    private let scheme: String
    private let secret: Secret

    /// A user name and a password, in UTF-8 (RFC 7617, section 2).
    ///
    /// A `:` in the user name is an ``EndpointError``, because a server would take it for the end
    /// of the name. A control character in the name or the password is an error, too.
    public static func basic(username: String, password: String) -> Credentials {
        Credentials(scheme: "Basic", secret: .basic(username: username, password: password))
    }

    /// A bearer token (RFC 6750, section 2.1).
    ///
    /// A token that is empty, or has a space, a control character or a non-ASCII character, is an
    /// ``EndpointError``. The RFC allows fewer characters, but servers issue tokens like `1|abc`.
    public static func bearer(_ token: String) -> Credentials {
        Credentials(scheme: "Bearer", secret: .token(token))
    }

    /// Credentials of any other scheme (RFC 9110, section 11.4).
    ///
    ///     .scheme("DPoP", "t0k3n")                  // ->  Authorization: DPoP t0k3n
    ///     .scheme("Digest", #"username="Mufasa""#)  // ->  Authorization: Digest username="Mufasa"
    ///
    /// It is an ``EndpointError`` if the scheme is empty or has an illegal character, such as a
    /// space (RFC 9110, section 5.6.2), or if the parameters are empty or have a control character
    /// or a non-ASCII character. So are a name and a password without Base64, as in
    /// `.scheme("Basic", "ann:s3cret")`.
    public static func scheme(_ scheme: String, _ parameters: String) -> Credentials {
        Credentials(scheme: scheme, secret: .parameters(parameters))
    }
}

extension Credentials: PathRepresentable {
    /// The value of the `Authorization` header.
    public var pathRepresentation: String? {
        get throws {
            switch secret {
            case .token(let token):
                guard !token.isEmpty && token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
                    throw UnrepresentableValue(
                        """
                        a bearer token must not be empty, and may have only ASCII characters \
                        other than spaces and control characters
                        """)
                }
                return "\(scheme) \(token)"
            case .parameters(let parameters):
                guard scheme.isToken else {
                    throw UnrepresentableValue(
                        "the scheme of the credentials is empty or has an illegal character, such "
                            + "as a space; use a name like `DPoP`")
                }
                guard !parameters.isEmpty, parameters.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
                    throw UnrepresentableValue(
                        """
                        the credentials after the scheme must not be empty, and may have only \
                        ASCII characters other than control characters
                        """)
                }
                guard !parameters.utf8.contains(.colon) || scheme.lowercased() != "basic" else {
                    throw UnrepresentableValue(
                        "Basic credentials are sent in Base64; write .basic(username:password:)")
                }
                return "\(scheme) \(parameters)"
            case .basic(let username, let password):
                guard !username.utf8.contains(UInt8(ascii: ":")) else {
                    throw UnrepresentableValue(
                        """
                        the user name of Basic credentials has a `:`, which a server would take \
                        for the end of the name; remove it
                        """)
                }
                let pair = "\(username):\(password)"
                guard !pair.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
                    throw UnrepresentableValue(
                        """
                        the user name or password of Basic credentials has a control character; \
                        remove it
                        """)
                }
                return "\(scheme) \(Data(pair.utf8).base64EncodedString())"
            }
        }
    }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The scheme, without the secret.
    public var description: String { "\(scheme) (not shown)" }
    /// The scheme, without the secret.
    public var debugDescription: String { description }
    /// No children, because `dump(_:)` would print the secret.
    public var customMirror: Mirror { .hidden(self) }
}

/// A text that is a secret, such as an API key or the token of a webhook.
///
///     headers: ["X-Api-Key": .field(path: \.key)]   // key == Secret("k3y")  ->  X-Api-Key: k3y
///     path: "hooks/\(secret: \.token)"              // token == Secret("t0k3n")  ->  /hooks/t0k3n
///
/// Its descriptions don't show it, and texts of the library show `…` wherever it stands. In a
/// header it isn't sent to another origin. In a path it has to be written as `\(secret:)`. In a
/// query or a form it is an ``EndpointError``, because these are often logged.
public struct Secret: Hashable, Sendable, PathRepresentable, SecretValue {
    let text: String

    /// Makes a secret of a text. An empty one is sent, as every empty header is; to send none,
    /// declare a `Secret?` that is `nil`.
    public init(_ text: String) { self.text = text }

    /// The text.
    public var pathRepresentation: String? { text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `Secret (not shown)`.
    public var description: String { "Secret (not shown)" }
    /// `Secret (not shown)`.
    public var debugDescription: String { description }
    /// No children, because `dump(_:)` would print the secret.
    public var customMirror: Mirror { .hidden(self) }
}

extension DefaultStringInterpolation {
    /// Appends `Secret (not shown)`, with a warning, because such a text is easily sent.
    ///
    ///     "X-Api-Key": .field(path: \.key)   // the secret is sent
    ///     String(describing: key)            // Secret (not shown), without a warning
    @available(
        *, deprecated,
        message: """
            a text has `(not shown)` in place of a secret; to send it, declare the Secret itself, \
            as in `.field(path:)`, or `Credentials.scheme(_:_:)`; to print it, write \
            `String(describing:)`
            """
    )
    public mutating func appendInterpolation(_ secret: Secret) {
        appendLiteral(secret.description)
    }

    /// Appends the scheme and `(not shown)`, with a warning, because such a text is easily sent.
    @available(
        *, deprecated,
        message: """
            a text has `(not shown)` in place of a secret; to send it, declare the Credentials \
            themselves, as in `.field(path:)`; to print them, write `String(describing:)`
            """
    )
    public mutating func appendInterpolation(_ credentials: Credentials) {
        appendLiteral(credentials.description)
    }
}

/// A value that may be sent in a header only: a ``Secret``, ``Credentials``, and optionals, arrays
/// and dictionaries of them.
///
/// Such a value is an error in a URL or a form, except for a secret in `\(secret:)`. A redirect to
/// another origin removes its header.
protocol SecretValue {}

extension Credentials: SecretValue {}
extension Optional: SecretValue where Wrapped: SecretValue {}
extension Array: SecretValue where Element: SecretValue {}
extension Dictionary: SecretValue where Value: SecretValue {}
extension HeaderDictionary: SecretValue where Value: SecretValue {}
