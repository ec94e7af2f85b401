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
        var usual = SecretNames()
        let rules = """
            auth sig key keys tokens secrets passwords cookies session sessionid sessid csrf xsrf \
            jwt otp totp pin cvv cvc ssn cardnumber securitycode authcode authorizationcode \
            verificationcode recoverycode backupcodes passwordconfirmation passwordhash tokenhint \
            samlresponse connectionstring \
            *token *secret *password *passwd *passcode *passphrase *pwd *signature *credential \
            *credentials *assertion *verifier *authorization *cookie *apikey *authkey *accesskey \
            *privatekey *secretkey *subscriptionkey *functionskey *sessionid *sessid \
            !publickey !primarykey !foreignkey !partitionkey !sortkey !hashkey !rangekey !rowkey \
            !websocketkey !cachekey !idempotencykey !routingkey !objectkey !issuekey !projectkey \
            !messagekey !translationkey !pagetoken !continuationtoken !synctoken !maxtokens \
            !totaltokens !prompttokens !completiontokens !inputtokens !outputtokens ?code
            """
        usual.rules = rules.split(at: .space, outsideQuotes: false)
        return usual
    }()

    /// The names, in lower case and without anything between their words.
    ///
    ///     sessionid     // the last words of a secret name
    ///     =sessionid    // a whole name that is secret, without `-` and `_` only
    ///     *token        // how the last word may end, even if it is written in one: `authtoken`
    ///     !publickey    // last words that aren't secret, although the last of them is
    ///     ?code         // a whole name that is secret everywhere except in a response's body. In
    ///                   // a URL or a form inside that body it is secret too.
    private var rules: [String] = []

    /// A set of names. A name also hides longer names that end in it: `pin` hides `user_pin`.
    public init(arrayLiteral names: String...) {
        for name in names {
            rules += [Self.words(of: name).joined(), "=" + Self.normalized(name)]
        }
    }

    /// The names of both sets.
    public func union(_ others: SecretNames) -> SecretNames {
        var union = self
        union.rules += others.rules
        return union
    }

    /// The names of a literal, which hide no longer names.
    package var exactly: SecretNames {
        var exactly = self
        exactly.rules.removeAll { $0.utf8.first != .equals }
        return exactly
    }

    @inline(never)
    var isEmpty: Bool { rules.isEmpty }

    private func has(_ rule: String) -> Bool { rules.contains(rule) }

    /// Whether a name is secret by its last words, or has a part in brackets, or before or after a
    /// dot, that is: `user[password]`, `token[0]`.
    public func contains(_ name: some StringProtocol) -> Bool {
        contains(String(name), inResponse: false)
    }

    /// Whether a name is secret, in the body of a response or anywhere else.
    @inline(never)
    func contains(_ name: String, inResponse: Bool) -> Bool {
        let name = name.removingPercentEncoding ?? name
        var part: [UInt8] = []
        for byte in Array(name.utf8) + [.dot] {
            guard byte.isIn("[].") else {
                part.append(byte)
                continue
            }
            // In a name with brackets, `URL` escapes a `%` a second time.
            let text = part.string.removingPercentEncoding ?? part.string
            if !part.isEmpty, isSecret(text, inResponse) { return true }
            part = []
        }
        return isSecret(name, inResponse)
    }

    private func isSecret(_ name: String, _ inResponse: Bool) -> Bool {
        let whole = Self.normalized(name)
        if has("=" + whole) || !inResponse && has("?" + whole) { return true }
        let words = Self.words(of: name)
        var (end, isSecret): (String, Bool?) = ("", nil)
        // Of the words at the end that have a rule, the most count.
        for word in words.reversed() {
            end = word + end
            if has(end) { isSecret = true } else if has("!" + end) { isSecret = false }
        }
        if let isSecret { return isSecret }
        var (last, hasEnding) = (words.last ?? "", false)
        while !last.isEmpty {
            if has("!" + last) { return false }
            if has("*" + last) { hasEnding = true }
            last.removeFirst()
        }
        return hasEnding
    }

    /// The name in lower case, without `-` and `_`.
    private static func normalized(_ name: String) -> String {
        name.lowercased().filter { $0 != "-" && $0 != "_" }
    }

    /// The words of a name in lower case; a number after the last is left out.
    ///
    /// `X-Api-Key` has the words `x`, `api` and `key`, `APIKey2` has `api` and `key`, and
    /// `clientSecret` has `client` and `secret`.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        // The word so far, and the capital after it, which may begin the next word.
        var (word, capital) = ("", "")
        for letter in name + "-" {
            let isInWord = letter.isLetter || letter.isNumber
            if !isInWord { (word, capital) = (word + capital, "") }
            if !isInWord || (capital.isEmpty ? letter.isUppercase : letter.isLowercase) {
                if word.contains(where: { !$0.isNumber }) { words.append(word) }
                word = ""
            }
            (word, capital) = (word + capital, isInWord ? letter.lowercased() : "")
            if !letter.isUppercase { (word, capital) = (word + capital, "") }
        }
        while words.last?.last?.isNumber == true { words[words.count - 1].removeLast() }
        return words
    }
}
