import Foundation

/// Names of query items, form fields, headers, JSON keys, XML elements and parts whose values are
/// secrets, which must not be printed.
///
///     SecretNames.usual.masked(URL(string: "https://h/login?user=ann&access_token=t0k3n"))
///     // https://h/login?user=ann&access_token=…
///
/// The last words of a name count, wherever it stands, and case makes no difference: `token` also
/// hides `auth_token`, `SessionToken`, `X-User-Token` and `user[token]`, but not `token_type`.
/// Words end at `_`, `-` and other signs, and before a capital letter.
public struct SecretNames: Sendable, ExpressibleByArrayLiteral {
    /// The names that APIs use for tokens, keys, passwords and signatures.
    ///
    /// A `key` is secret, but not a `public_key`, `primary_key`, `sort_key` or the like, nor an
    /// `Idempotency-Key`. A `token` is secret, but not a `next_page_token` or `max_tokens`.
    ///
    /// A `code` is secret in a request, and in any URL, even inside a response. In the JSON or
    /// XML of a response it is shown, because there it is usually the code of an error.
    public static let usual: SecretNames = {
        var usual: SecretNames = [
            "auth", "sig", "key", "keys", "tokens", "secrets", "passwords", "cookies", "session",
            "session id", "sess id", "csrf", "xsrf", "jwt", "otp", "totp", "pin", "cvv",
            "cvc", "ssn", "card number", "security code", "auth code", "authorization code",
            "verification code", "recovery code", "backup codes",
            "password confirmation", "password hash", "token hint", "saml response",
            "connection string",
        ]
        usual.endings = [
            "token", "secret", "password", "passwd", "passcode", "passphrase", "pwd", "signature",
            "credential", "credentials", "assertion", "verifier", "authorization", "cookie",
            "apikey", "authkey", "accesskey", "privatekey", "secretkey", "subscriptionkey",
            "functionskey", "sessionid", "sessid",
        ]
        usual.harmless = Set(
            [
                "public", "primary", "foreign", "partition", "sort", "hash", "range", "row",
                "websocket",
                "cache", "idempotency", "routing", "object", "issue", "project", "message",
                "translation",
            ].map { "\($0)key" }
                + ["page", "continuation", "sync"].map { "\($0)token" }
                + ["max", "total", "prompt", "completion", "input", "output"].map { "\($0)tokens" })
        usual.namesInRequests = ["code"]
        return usual
    }()

    /// The last words of secret names, in lower case and without anything between them.
    private var names: Set<String>
    /// Whole names that are secret.
    private var wholeNames: Set<String> = []
    /// How the last word of a secret name may end, even if it is written in one: `authtoken`.
    private var endings: Set<String> = []
    /// Last words that aren't secret, although the last of them is.
    private var harmless: Set<String> = []
    /// Whole names that are secret everywhere except in the body of a response. In a URL or a form
    /// inside that body they are secret too.
    private var namesInRequests: Set<String> = []

    /// A set of names. A name also hides longer names that end in it: `pin` hides `user_pin`.
    public init(arrayLiteral names: String...) {
        self.names = Set(names.map { Self.words(of: $0).joined() })
        wholeNames = Set(names.map(Self.normalized))
    }

    /// The names of both sets.
    public func union(_ others: SecretNames) -> SecretNames {
        var union = self
        union.names.formUnion(others.names)
        union.wholeNames.formUnion(others.wholeNames)
        union.endings.formUnion(others.endings)
        union.harmless.formUnion(others.harmless)
        union.namesInRequests.formUnion(others.namesInRequests)
        return union
    }

    /// The names of a literal, which hide no longer names.
    package var exactly: SecretNames {
        var exactly: SecretNames = []
        exactly.wholeNames = wholeNames
        return exactly
    }

    /// The names that are secret in the body of a response.
    var inResponses: SecretNames {
        var names = self
        names.namesInRequests = []
        return names
    }

    /// Whether a name is secret by its last words, or has a part in brackets, or before or after a
    /// dot, that is: `user[password]`, `token[0]`.
    public func contains(_ name: some StringProtocol) -> Bool {
        let name = name.removingPercentEncoding ?? String(name)
        return has(name) || name.split(whereSeparator: { "[].".contains($0) }).contains(where: has)
    }

    private func has(_ name: some StringProtocol) -> Bool {
        let whole = Self.normalized(name)
        if wholeNames.contains(whole) || namesInRequests.contains(whole) { return true }
        let words = Self.words(of: name)
        for start in words.indices {
            let end = words[start...].joined()
            if names.contains(end) { return true }
            if harmless.contains(end) { return false }
        }
        guard let last = words.last, endings.contains(where: last.hasSuffix) else { return false }
        return !harmless.contains(where: last.hasSuffix)
    }

    /// The name in lower case, without `-` and `_`.
    private static func normalized(_ name: some StringProtocol) -> String {
        name.lowercased().filter { $0 != "-" && $0 != "_" }
    }

    /// The words of a name in lower case; a number after the last is left out.
    ///
    /// `X-Api-Key` has the words `x`, `api` and `key`, `APIKey2` has `api` and `key`, and
    /// `clientSecret` has `client` and `secret`.
    private static func words(of name: some StringProtocol) -> [String] {
        var words = [""]
        let letters = Array(name)
        for (index, letter) in letters.enumerated() {
            guard letter.isLetter || letter.isNumber else {
                words.append("")
                continue
            }
            let begins =
                letter.isUppercase && index > 0
                && (!letters[index - 1].isUppercase
                    || index + 1 < letters.count && letters[index + 1].isLowercase)
            if begins { words.append("") }
            words[words.count - 1] += letter.lowercased()
        }
        words.removeAll { $0.allSatisfy(\.isNumber) }
        while words.last?.last?.isNumber == true { words[words.count - 1].removeLast() }
        return words
    }
}
