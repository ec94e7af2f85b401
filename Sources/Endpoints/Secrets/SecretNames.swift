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
/// Add names with ``union(_:)``, and take names from it with ``subtracting(_:)``: for all requests
/// and for a request type in ``LoadPolicy/secretNames``, for a recorder or a log in `masking:`.
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

    /// The places of each name's words, written together; none if the name isn't secret. A name
    /// after `=` is a whole name.
    let places: [String: UInt8]
    /// The last two letters of each name. Most names that aren't secret have others.
    private let endings: Set<UInt16>
    private static let everywhere: UInt8 = 31

    private init(_ places: [String: UInt8]) {
        self.places = places
        endings = Set(places.keys.map { Self.ending($0.utf8) })
    }

    /// No names.
    public init() { self.init([:] as [String: UInt8]) }

    /// Names that are secret everywhere. They also hide longer names that end in them: `pin` hides
    /// `user_pin`. `[]` has none.
    public init(arrayLiteral names: String...) {
        var places: [String: UInt8] = [:]
        for name in names { places[Self.words(of: name).joined()] = Self.everywhere }
        self.init(places)
    }

    /// - Parameter table: Lines such as `query form: code`. A line `none:` has names that aren't
    ///   secret, although they end in the words of one.
    init(table: String) {
        var places: [String: UInt8] = [:]
        for line in table.split(at: .lineFeed, outsideQuotes: false) {
            var mask: UInt8 = 0
            for word in line.split(at: .space, outsideQuotes: false) {
                switch word {
                case "all:": mask = Self.everywhere
                case "text:": mask = Self.everywhere - Place.number.rawValue
                case "sent:": mask = Place.query.rawValue + Place.form.rawValue
                case "meta:": mask = Self.everywhere - Place.json.rawValue - Place.number.rawValue
                case "address:": mask = Place.query.rawValue + Place.header.rawValue
                case "none:", "": break
                default: places[word] = mask
                }
            }
        }
        self.init(places)
    }

    /// The names of both sets. What `others` says of a name counts.
    public func union(_ others: SecretNames) -> SecretNames {
        var places = places
        for name in others.places.keys { places["=" + name] = nil }
        return SecretNames(places.merging(others.places) { $1 })
    }

    /// These names without others, which are then shown.
    ///
    ///     SecretNames.usual.subtracting(["license_token"])   // hides `token`, not `license_token`
    ///
    /// `SecretNames().subtracting(["key"])` only says that a name isn't secret, for a policy's
    /// ``LoadPolicy/secretNames``.
    public func subtracting(_ others: SecretNames) -> SecretNames {
        union(SecretNames(others.places.mapValues { _ in 0 }))
    }

    /// The names of a literal, which hide no longer names.
    package var exactly: SecretNames {
        SecretNames(Dictionary(places.map { ("=" + $0, $1) }) { $1 })
    }

    /// Whether this is `[]`, or only says what isn't secret.
    var isEmpty: Bool { places.values.allSatisfy { $0 == 0 } }

    /// Whether the value of a name is secret in a place.
    ///
    ///     SecretNames.usual.contains("license_key", in: .json)   // false
    public func contains(_ name: some StringProtocol, in place: Place = .query) -> Bool {
        contains(Array(name.utf8), in: place)
    }

    @inline(never)
    func contains(_ name: [UInt8], in place: Place) -> Bool {
        guard !places.isEmpty else { return false }
        let name = name.contains(.percent) ? name.unescaped : name
        var start = 0
        for index in 0...name.count
        where index == name.count || [0x5B, 0x5D, UInt8.dot].contains(name[index]) {
            if index > start, isSecret(Array(name[start..<index]), place) { return true }
            start = index + 1
        }
        return isSecret(name, place)
    }

    /// The last two letters of a name in lower case, without what is between them, and without a
    /// number at its end.
    private static func ending(_ name: some BidirectionalCollection<UInt8>) -> UInt16 {
        var (ending, count): (UInt16, UInt16) = (0, 0)
        for byte in name.reversed() where count < 2 {
            guard byte.isWordByte, count > 0 || !byte.isDigit else { continue }
            let isUpper = (0x41...0x5A).contains(byte)
            ending |= UInt16(isUpper ? byte | 0x20 : byte) << (8 * count)
            count += 1
        }
        return ending
    }

    private func isSecret(_ name: [UInt8], _ place: Place) -> Bool {
        guard endings.contains(Self.ending(name)) else { return false }
        let words = Self.words(of: String(decoding: name, as: UTF8.self))
        var (end, isSecret) = ("", false)
        // Of the last words that are in the table, the most count. No name there has more.
        for word in words.suffix(8).reversed() {
            end = word + end
            if let mask = places[end] { isSecret = mask & place.rawValue > 0 }
        }
        if words.count <= 8, let mask = places["=" + end] { isSecret = mask & place.rawValue > 0 }
        return isSecret
    }

    /// The words of a name in lower case; a number after the last is left out.
    ///
    /// `X-Api-Key` has the words `x`, `api` and `key`, `APIKey2` has `api` and `key`, and
    /// `clientSecret` has `client` and `secret`.
    private static func words(of name: String) -> [String] {
        let bytes = Array(name.utf8)
        var (words, word): ([String], [UInt8]) = ([], [])
        func isUpper(_ index: Int) -> Bool {
            index < bytes.count && (0x41...0x5A).contains(bytes[index])
        }
        func isLower(_ index: Int) -> Bool {
            index < bytes.count && (0x61...0x7A).contains(bytes[index])
        }
        for index in 0...bytes.count {
            let isInWord = index < bytes.count && bytes[index].isWordByte
            let begins =
                isUpper(index) && (index > 0 && !isUpper(index - 1) || isLower(index + 1))
            if !isInWord || begins, !word.isEmpty {
                words.append(String(decoding: word, as: UTF8.self))
                word = []
            }
            if isInWord { word.append(isUpper(index) ? bytes[index] | 0x20 : bytes[index]) }
        }
        while let last = words.last, let end = last.utf8.last, end.isDigit {
            words.removeLast()
            let name = Substring(
                last.utf8.reversed().drop(while: \.isDigit).reversed().map { $0 }
                    .string)
            if !name.isEmpty {
                words.append(String(name))
                break
            }
        }
        return words
    }
}

extension UInt8 {
    /// Whether this is an ASCII letter, a digit, or a byte of another letter.
    var isWordByte: Bool { isDigit || (0x61...0x7A).contains(self | 0x20) || self > 127 }
}

extension SecretNames {
    /// The names that APIs use for tokens, keys, passwords, codes and signatures.
    ///
    /// <doc:Secrets> lists them with the reasons, and names that look like secrets and aren't.
    public static let usual = SecretNames(
        table: """
            all: password passwords passwd passwort pwd pw pass passcode passphrase \
            passwordhash passwordconfirmation passwordconfirm passwordrepeat newpassword \
            oldpassword currentpassword userpassword userpass dbpassword dbpass adminpassword \
            rootpassword masterpassword smtppassword loginpassword hashedpassword
            all: secret secrets clientsecret appsecret apisecret consumersecret sharedsecret \
            webhooksecret totpsecret secretid credential credentials cred creds
            all: token authtoken accesstoken refreshtoken idtoken sessiontoken apitoken \
            usertoken bearertoken logintoken devicetoken pushtoken securitytoken resettoken \
            oauthtoken tokensecret oauthtokensecret idtokenhint bearer jwt dpop authorization \
            assertion verifier codeverifier samlrequest samlresponse samlassertion
            all: csrf xsrf csrftoken xsrftoken csrfmiddlewaretoken authenticitytoken cookie \
            cookies setcookie sessionid sessid phpsessid jsessionid sastoken connectionstring
            all: apikey appkey authkey accesskey secretkey secretaccesskey privatekey signingkey \
            encryptionkey masterkey sharedkey sharedaccesskey sessionkey accountkey storagekey \
            subscriptionkey functionskey licensekey deploykey hmackey webhookkey adminkey \
            serverkey clientkey devkey userkey ephemeralkey decryptionkey
            all: signature signatures sig hmac nextnonce cnonce
            all: otp totp totpcode hotp 2fa 2facode mfacode otpcode twofactorcode devicecode \
            usercode verificationcode emailcode smscode phonecode recoverycode recoverycodes \
            backupcode backupcodes securitycode confirmationcode resetcode logincode accesscode \
            authcode authorizationcode authenticationcode activationcode onetimecode \
            onetimepassword pairingcode authenticatorcode userpin cardpin newpin oldpin \
            currentpin
            all: cvv cvc ssn cardnumber creditcardnumber socialsecuritynumber mnemonic \
            seedphrase recoveryphrase
            text: tokens accesstokens refreshtokens authtokens apitokens devicetokens
            address: =key xkey =sid connectsid
            meta: =session xsession =auth xauth basicauth =pin xpin nonce opaque mfa
            sent: =code sign
            none: pagetoken nexttoken continuationtoken synctoken paginationtoken cursortoken \
            resumetoken idempotencytoken starttoken endtoken stoptoken bostoken eostoken \
            padtoken unktoken masktoken septoken clstoken maxtokens mintokens totaltokens \
            prompttokens completiontokens inputtokens outputtokens cachedtokens \
            reasoningtokens audiotokens texttokens imagetokens thinkingtokens usedtokens \
            numtokens remainingtokens limittokens stoptokens specialtokens designtokens newtokens \
            isnewtoken boardingpass seasonpass lowpass highpass acceptcookies publickeytoken
            """)
}

extension Mirror {
    /// A mirror without children, so that `dump(_:)` shows no more of a value than its description.
    package static func hidden(_ value: Any) -> Mirror { Mirror(value, children: [:]) }
}

extension Masking: CustomReflectable {
    package var customMirror: Mirror { .hidden(self) }
}

extension KnownSecrets: CustomReflectable {
    package var customMirror: Mirror { .hidden(self) }
}
