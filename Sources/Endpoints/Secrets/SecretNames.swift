import Foundation

/// Names of query items, form fields, headers and JSON members whose values are secrets, which must
/// not be printed.
///
///     SecretNames.usual.masked(URL(string: "https://h/login?user=ann&access_token=t0k3n"))
///     // https://h/login?user=ann&access_token=…
///
/// A name is read as words, which end at a sign such as `_` or `-` and before a capital letter. It
/// is secret if its last words are in the table: `token` also hides `auth_token`, `SessionToken`
/// and `X-User-Token`, but not `token_type` and not `tokenizer`. So is a name with a part in
/// brackets, or before a dot, that is: `user[password]`, `token[0]`. Case makes no difference.
/// <doc:Secrets> has the whole table of ``usual``.
///
/// A ``LoadPolicy/secretNames``, and the `masking:` of a recorder, a log or a snapshot, are changes
/// to ``usual``: a list adds names, ``subtracting(_:)`` takes some away, and ``nothing`` all.
///
///     LoadPolicy(secretNames: ["mfa"])                             // hides `mfa` too
///     try Recorder(session, to: file, masking: ["mfa"])            // hides `mfa` too
///     LoadPolicy(secretNames: SecretNames().subtracting(["sig"]))  // shows `sig`
///
/// A name is that of one value, without the names of what it is in: `pinCode`, not `user.pinCode`.
public struct SecretNames: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// Where a name stands. Some are secret in one place and ordinary in another: `key` is a secret
    /// in a query, and not in JSON.
    public enum Place: UInt8, Sendable, CaseIterable {
        /// The query of a URL, its fragment, and parameters in its path.
        case query = 1
        /// A form's fields, and the parts of a multipart form.
        case form = 2
        /// A header, and the parameters in a header's value.
        case header = 4
        /// A member in JSON.
        case json = 8
        /// A member in JSON whose value is a number.
        case number = 16
    }

    /// The places of each name, by a hash of its letters; 0 if it isn't secret.
    private var entries: [UInt64: UInt8] = [:]
    /// Whether these names stand alone, and aren't changes to others.
    private var isAlone = false
    /// Instead of places: a word after a name that says what of it this is, as in `token_hash`.
    private static let ending: UInt8 = 32
    /// Stands for a text with several names, which is refused where it is given. No name has this
    /// hash.
    private static let list: UInt64 = 1

    /// No names, which changes nothing.
    public init() {}

    /// No secret names, not even those of ``usual``: only sensitive headers, such as
    /// `Authorization`, are hidden.
    ///
    ///     try Recorder(session, to: file, masking: .nothing)
    ///
    /// `SecretNames.nothing.union(["mfa"])` hides `mfa` alone.
    public static let nothing: SecretNames = {
        var names = SecretNames()
        names.isAlone = true
        return names
    }()

    /// Names that are secret everywhere. They also hide longer names that end in them: `pin` hides
    /// `user_pin`. `[]` has none, which changes nothing.
    public init(arrayLiteral names: String...) {
        for name in names {
            let bytes = Array(name.utf8)
            if bytes.contains(where: { $0.isIn(",;|") }) {
                entries[Self.list] = 31
            } else {
                insert(bytes, 31)
            }
        }
    }

    /// - Parameter table: The sum of some places, such as `3:`, before the names that are secret in
    ///   them. `0:` is before names that aren't, although they end in the words of a secret one. A
    ///   name after `=` is a whole name.
    init(table: StaticString) {
        var places: UInt8 = 0
        for (word, _) in Array("\(table)".utf8).pieces(" \n") {
            if word.last == .colon {
                places = word.dropLast().reduce(0) { $0 &* 10 &+ $1 &- 0x30 }
            } else {
                insert(word, places, isWhole: word.first == .equals)
            }
        }
    }

    private mutating func insert(_ name: [UInt8], _ places: UInt8, isWhole: Bool = false) {
        let hash = Self.hash(of: name[...]) { _, _ in }
        entries[isWhole ? Self.whole(hash) : hash] = places
    }

    /// The names of both sets. What `others` says of a name counts. If `others` is ``nothing``, or
    /// made from it, these names are left out.
    public func union(_ others: SecretNames) -> SecretNames {
        others.isAlone ? others : adding(others, asShown: false)
    }

    /// These names without others, which are then shown.
    ///
    ///     SecretNames.usual.subtracting(["license_token"])   // hides `token`, not `license_token`
    ///
    /// `SecretNames().subtracting(["key"])` only says that a name isn't secret, for a policy's
    /// ``LoadPolicy/secretNames`` and for `masking:`.
    public func subtracting(_ others: SecretNames) -> SecretNames { adding(others, asShown: true) }

    private func adding(_ others: SecretNames, asShown: Bool) -> SecretNames {
        var names = self
        for hash in others.entries.keys { names.entries[Self.whole(hash)] = nil }
        for (hash, places) in others.entries { names.entries[hash] = asShown ? 0 : places }
        return names
    }

    /// The names of a literal, which hide no longer names.
    package var exactly: SecretNames {
        var names = SecretNames()
        for (hash, places) in entries { names.entries[Self.whole(hash)] = places }
        return names
    }

    /// Whether this has no names, or only says what isn't secret.
    var isEmpty: Bool { entries.values.allSatisfy { $0 == 0 } }

    /// Whether one of the texts that were given has several names.
    var hasList: Bool { entries[Self.list] == 31 }

    /// Whether the value of a name is secret in a place. Only these names count, so `SecretNames()`
    /// has none: begin with ``usual``.
    ///
    ///     SecretNames.usual.contains("license_key", in: .json)   // false
    public func contains(_ name: some StringProtocol, in place: Place = .query) -> Bool {
        contains(Array(name.utf8)[...], in: place)
    }

    func contains(_ name: ArraySlice<UInt8>, in place: Place) -> Bool {
        places(of: name) & place.rawValue > 0
    }

    /// The places in which a name is secret, or a part of it in brackets or beside a dot.
    /// - Parameter count: How many letters its words in the table must have.
    func places(of name: ArraySlice<UInt8>, ofLetters count: Int = 1) -> UInt8 {
        guard name.contains(where: { $0.isIn("[].%") }) else { return lastWords(name, count) }
        let name = Array(name).unescaped
        let parts = name.pieces("[].")
        let all = parts.count > 1 ? lastWords(name[...], count) : 0
        return parts.reduce(all) { $0 | lastWords($1.text[...], count) }
    }

    /// Of the last words that are in the table, the most count.
    private func lastWords(
        _ name: ArraySlice<UInt8>, _ letters: Int, isWhole: Bool = true
    ) -> UInt8 {
        var (words, found): (Int, UInt8?) = (0, nil)
        // What is before a word that says what of the rest this is.
        var rest: ArraySlice<UInt8>?
        let hash = Self.hash(of: name) { hash, start in
            words += 1
            // No name in the table has more words.
            guard words <= 8, name.endIndex - start >= letters, let places = entries[hash]
            else { return }
            if places != Self.ending { found = places } else if words == 1 { rest = name[..<start] }
        }
        if isWhole, name.count >= letters, let places = entries[Self.whole(hash)] { return places }
        return found ?? (isWhole ? rest.map { lastWords($0, letters, isWhole: false) } : nil) ?? 0
    }

    /// The hash of a name in any case; 0 if it has no letters. A number at its end is left out.
    ///
    /// `X-Api-Key` has the words `x`, `api` and `key`, `APIKey2` has `api` and `key`, and
    /// `clientSecret` has `client` and `secret`.
    /// - Parameter word: Is called with the hash of the last word, of the last two together, and so
    ///   on, and where they begin.
    private static func hash(
        of name: ArraySlice<UInt8>, word: (_ hash: UInt64, _ start: Int) -> Void
    ) -> UInt64 {
        var hash: UInt64 = 0
        // The byte after the one that is read, without a number at the end.
        var after: UInt8 = 0
        var index = (name.lastIndex { $0.isWordByte && !$0.isDigit } ?? name.startIndex - 1)
        while index >= name.startIndex {
            let (byte, before) = (name[index], index > name.startIndex ? name[index - 1] : 0)
            if byte.isWordByte {
                hash = next(hash, byte.isCapital ? byte | 0x20 : byte)
                let isBeforeSmall = (0x61...0x7A).contains(after)
                // A word begins after a sign, and at a capital letter after or before a small one.
                if !before.isWordByte || byte.isCapital && (!before.isCapital || isBeforeSmall) {
                    word(hash, index)
                }
            }
            after = byte
            index -= 1
        }
        return hash
    }

    /// The hash of a whole name, from that of its words.
    private static func whole(_ hash: UInt64) -> UInt64 { next(hash, .equals) }

    private static func next(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        let mixed = (hash ^ UInt64(byte) << 8) &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ mixed >> 29
    }
}

extension UInt8 {
    fileprivate var isCapital: Bool { (0x41...0x5A).contains(self) }
}

extension SecretNames {
    /// The names that APIs use for tokens, keys, passwords, codes and signatures.
    ///
    /// <doc:Secrets> lists them with the reasons, and names that look like secrets and aren't.
    public static let usual = SecretNames(table: table)

    static let table: StaticString = """
        31: password passwords passwd passwort pwd pw passcode passphrase
        passwordhash passwordconfirmation passwordconfirm passwordrepeat newpassword
        oldpassword currentpassword userpassword userpass dbpassword dbpass adminpassword
        rootpassword masterpassword smtppassword loginpassword hashedpassword
        31: secret secrets clientsecret appsecret apisecret consumersecret sharedsecret
        webhooksecret totpsecret secretid secretstring secretbinary
        credential credentials cred creds
        31: token authtoken accesstoken refreshtoken idtoken sessiontoken apitoken
        usertoken bearertoken logintoken devicetoken pushtoken securitytoken resettoken
        oauthtoken tokensecret oauthtokensecret idtokenhint bearer jwt dpop authorization
        tokenv assertion verifier codeverifier samlrequest samlresponse
        samlassertion
        31: csrf xsrf csrftoken xsrftoken csrfmiddlewaretoken authenticitytoken cookie
        cookies setcookie sessionid sessid phpsessid jsessionid sastoken connectionstring
        31: apikey appkey authkey accesskey secretkey secretaccesskey privatekey signingkey
        encryptionkey masterkey sharedkey sharedaccesskey sessionkey accountkey storagekey
        subscriptionkey functionskey licensekey deploykey hmackey webhookkey adminkey
        serverkey clientkey devkey userkey ephemeralkey decryptionkey keymaterial
        15: signature signatures sig hmac nextnonce cnonce
        31: otp totp totpcode hotp 2fa 2facode mfacode otpcode twofactorcode devicecode
        usercode verificationcode emailcode smscode phonecode recoverycode recoverycodes
        backupcode backupcodes securitycode confirmationcode resetcode logincode accesscode
        authcode authorizationcode authenticationcode activationcode onetimecode
        onetimepassword pairingcode authenticatorcode userpin cardpin newpin oldpin
        currentpin
        31: cvv cvc ssn cardnumber creditcardnumber socialsecuritynumber mnemonic
        seedphrase recoveryphrase
        15: pass tokens accesstokens refreshtokens authtokens apitokens devicetokens
        5: =key xkey =sid connectsid
        7: =session xsession =auth xauth basicauth =pin xpin nonce opaque mfa
        3: =code sign
        4: =authentication
        0: pagetoken nexttoken continuationtoken synctoken paginationtoken cursortoken
        resumetoken idempotencytoken starttoken endtoken stoptoken bostoken eostoken
        padtoken unktoken masktoken septoken clstoken maxtokens mintokens totaltokens
        prompttokens completiontokens inputtokens outputtokens cachedtokens
        reasoningtokens audiotokens texttokens imagetokens thinkingtokens usedtokens
        numtokens remainingtokens limittokens stoptokens specialtokens designtokens newtokens
        isnewtoken timesignature keysignature boardingpass seasonpass lowpass highpass
        acceptcookies publickeytoken
        32: hash digest value pem base64 plain plaintext encrypted confirmation confirm
        repeat live test c
        """
}

extension Mirror {
    /// A mirror without children, so that `dump(_:)` shows no more of a value than its description.
    package static func hidden(_ value: Any) -> Mirror { Mirror(value, children: [:]) }
}

extension [UInt8] {
    /// The text without percent encoding, even if it was escaped several times: both `%3D` and
    /// `%25253D` become `=`.
    var unescaped: [UInt8] { plain("%") }

    /// The text without the escapes that begin with some marks.
    func plain(_ marks: StaticString) -> [UInt8] {
        first(of: marks) < count ? unescaped(marks).bytes : self
    }
}
