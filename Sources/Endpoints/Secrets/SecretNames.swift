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

    /// A hash of each name's words, written together, in ascending order. Its last bits are the
    /// places; none if the name isn't secret.
    private(set) var entries: [UInt64] = []
    private static let everywhere: UInt8 = 31
    /// Instead of places: a word after a name that says what of it this is, as in `token_hash`.
    private static let ending: UInt8 = 32

    /// No names.
    public init() {}

    /// Names that are secret everywhere. They also hide longer names that end in them: `pin` hides
    /// `user_pin`. `[]` has none.
    public init(arrayLiteral names: String...) {
        for name in names { insert(NameReader(Array(name.utf8)).all, Self.everywhere) }
    }

    /// - Parameter table: The sum of some places, such as `3:`, before the names that are secret in
    ///   them. `0:` is before names that aren't, although they end in the words of a secret one. A
    ///   name after `=` is a whole name.
    init(table: StaticString) {
        var (mask, word): (UInt8, [UInt8]) = (0, [])
        for index in 0...table.utf8CodeUnitCount {
            let byte = index < table.utf8CodeUnitCount ? table.utf8Start[index] : .space
            guard byte.isBlank else {
                word.append(byte)
                continue
            }
            if word.last == .colon {
                mask = word.dropLast().reduce(0) { $0 &* 10 &+ $1 &- 0x30 }
            } else if !word.isEmpty {
                let hash = NameReader(word).all
                insert(word[0] == .equals ? NameReader.whole(hash) : hash, mask)
            }
            word = []
        }
    }

    /// The names of both sets. What `others` says of a name counts.
    public func union(_ others: SecretNames) -> SecretNames {
        var names = self
        for entry in others.entries {
            let whole = NameReader.whole(entry)
            if names.places(of: whole) != nil { names.entries.remove(at: names.index(of: whole)) }
        }
        for entry in others.entries { names.insert(entry, UInt8(entry & NameReader.placeBits)) }
        return names
    }

    /// These names without others, which are then shown.
    ///
    ///     SecretNames.usual.subtracting(["license_token"])   // hides `token`, not `license_token`
    ///
    /// `SecretNames().subtracting(["key"])` only says that a name isn't secret, for a policy's
    /// ``LoadPolicy/secretNames``.
    public func subtracting(_ others: SecretNames) -> SecretNames {
        var none = others
        for index in none.entries.indices { none.entries[index] &= ~NameReader.placeBits }
        return union(none)
    }

    /// The names of a literal, which hide no longer names.
    package var exactly: SecretNames {
        var names = SecretNames()
        for entry in entries {
            names.insert(NameReader.whole(entry), UInt8(entry & NameReader.placeBits))
        }
        return names
    }

    /// Whether this is `[]`, or only says what isn't secret.
    var isEmpty: Bool { entries.allSatisfy { $0 & NameReader.placeBits == 0 } }

    /// The index of a name's entry, or the one at which it would be.
    private func index(of hash: UInt64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle] | NameReader.placeBits < hash {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    private func places(of hash: UInt64) -> UInt8? {
        let index = index(of: hash)
        guard index < entries.count, (entries[index] ^ hash) <= NameReader.placeBits
        else { return nil }
        return UInt8(entries[index] & NameReader.placeBits)
    }

    private mutating func insert(_ hash: UInt64, _ places: UInt8) {
        let entry = hash & ~NameReader.placeBits | UInt64(places)
        let index = index(of: entry)
        if self.places(of: hash) == nil {
            entries.insert(entry, at: index)
        } else {
            entries[index] = entry
        }
    }

    /// Whether the value of a name is secret in a place.
    ///
    ///     SecretNames.usual.contains("license_key", in: .json)   // false
    public func contains(_ name: some StringProtocol, in place: Place = .query) -> Bool {
        contains(Array(name.utf8), in: place)
    }

    func contains(_ name: [UInt8], in place: Place) -> Bool {
        guard !entries.isEmpty else { return false }
        let name = name.contains(.percent) ? name.unescaped : name
        var start = 0
        for index in 0...name.count where index == name.count || name[index].isIn("[].") {
            if isSecret(NameReader(name, start, index), place) { return true }
            start = index + 1
        }
        return start > 0 && isSecret(NameReader(name), place)
    }

    /// Of the last words that are in the table, the most count. No name there has more than 8.
    /// - Parameter isWhole: Whether no word was left out at the end, such as that of `token_hash`.
    private func isSecret(_ name: NameReader, _ place: Place, isWhole: Bool = true) -> Bool {
        var (name, places, count) = (name, UInt8?.none, 0)
        var rest: NameReader?
        while count < 8, name.readWord() {
            let found = self.places(of: name.hash)
            if found == Self.ending {
                if count == 0, isWhole { rest = name.forgettingWords }
            } else {
                places = found ?? places
            }
            count += 1
        }
        if isWhole, let found = self.places(of: NameReader.whole(name.hash)), !name.readWord() {
            places = found
        }
        if let places { return places & place.rawValue > 0 }
        return rest.map { isSecret($0, place, isWhole: false) } ?? false
    }
}

/// Reads the words of a name from the last to the first, and has a hash of them in lower case.
///
/// `X-Api-Key` has the words `x`, `api` and `key`, `APIKey2` has `api` and `key`, and
/// `clientSecret` has `client` and `secret`. A number after the last word is left out.
private struct NameReader {
    /// Where a name's entry has its places, not its hash.
    static let placeBits: UInt64 = 63

    let name: [UInt8]
    let start: Int
    private var index: Int
    private(set) var hash: UInt64 = 0

    init(_ name: [UInt8], _ start: Int, _ end: Int) {
        (self.name, self.start, index) = (name, start, end)
        while index > start, !name[index - 1].isWordByte || name[index - 1].isDigit { index -= 1 }
    }

    init(_ name: [UInt8]) { self.init(name, 0, name.count) }

    /// The hash of all words.
    var all: UInt64 {
        var reader = self
        while reader.readWord() {}
        return reader.hash
    }

    /// A reader of the words before those that are read.
    var forgettingWords: NameReader {
        var reader = self
        reader.hash = 0
        return reader
    }

    /// The hash of a whole name, from that of its words.
    static func whole(_ hash: UInt64) -> UInt64 { next(hash, .equals) }

    private static func next(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        let mixed = (hash & ~placeBits ^ UInt64(byte) << 8) &* 0x9E37_79B9_7F4A_7C15
        return (mixed ^ mixed >> 29) & ~placeBits
    }

    /// Adds the word before those that are read; returns whether there is one.
    mutating func readWord() -> Bool {
        var isInWord = false
        while index > start {
            let byte = name[index - 1]
            index -= 1
            guard byte.isWordByte else {
                if isInWord { return true }
                continue
            }
            hash = Self.next(hash, isUpper(index) ? byte | 0x20 : byte)
            isInWord = true
            // A word begins with a capital letter after another letter, or before a small one.
            let isFirst = index == start || !isUpper(index - 1) || isLower(index + 1)
            if isUpper(index), isFirst { return true }
        }
        return isInWord
    }

    private func isUpper(_ index: Int) -> Bool { (0x41...0x5A).contains(name[index]) }

    private func isLower(_ index: Int) -> Bool {
        index < name.count && (0x61...0x7A).contains(name[index])
    }
}

extension SecretNames {
    /// The names that APIs use for tokens, keys, passwords, codes and signatures.
    ///
    /// <doc:Secrets> lists them with the reasons, and names that look like secrets and aren't.
    public static let usual = SecretNames(table: table)

    static let table: StaticString = """
        31: password passwords passwd passwort pwd pw passcode passphrase \
        passwordhash passwordconfirmation passwordconfirm passwordrepeat newpassword \
        oldpassword currentpassword userpassword userpass dbpassword dbpass adminpassword \
        rootpassword masterpassword smtppassword loginpassword hashedpassword
        31: secret secrets clientsecret appsecret apisecret consumersecret sharedsecret \
        webhooksecret totpsecret secretid secretstring secretbinary \
        credential credentials cred creds
        31: token authtoken accesstoken refreshtoken idtoken sessiontoken apitoken \
        usertoken bearertoken logintoken devicetoken pushtoken securitytoken resettoken \
        oauthtoken tokensecret oauthtokensecret idtokenhint bearer jwt dpop authorization \
        tokenv assertion verifier codeverifier samlrequest samlresponse \
        samlassertion
        31: csrf xsrf csrftoken xsrftoken csrfmiddlewaretoken authenticitytoken cookie \
        cookies setcookie sessionid sessid phpsessid jsessionid sastoken connectionstring
        31: apikey appkey authkey accesskey secretkey secretaccesskey privatekey signingkey \
        encryptionkey masterkey sharedkey sharedaccesskey sessionkey accountkey storagekey \
        subscriptionkey functionskey licensekey deploykey hmackey webhookkey adminkey \
        serverkey clientkey devkey userkey ephemeralkey decryptionkey keymaterial
        15: signature signatures sig hmac nextnonce cnonce
        31: otp totp totpcode hotp 2fa 2facode mfacode otpcode twofactorcode devicecode \
        usercode verificationcode emailcode smscode phonecode recoverycode recoverycodes \
        backupcode backupcodes securitycode confirmationcode resetcode logincode accesscode \
        authcode authorizationcode authenticationcode activationcode onetimecode \
        onetimepassword pairingcode authenticatorcode userpin cardpin newpin oldpin \
        currentpin
        31: cvv cvc ssn cardnumber creditcardnumber socialsecuritynumber mnemonic \
        seedphrase recoveryphrase
        15: pass tokens accesstokens refreshtokens authtokens apitokens devicetokens
        5: =key xkey =sid connectsid
        7: =session xsession =auth xauth basicauth =pin xpin nonce opaque mfa
        3: =code sign
        4: =authentication
        0: pagetoken nexttoken continuationtoken synctoken paginationtoken cursortoken \
        resumetoken idempotencytoken starttoken endtoken stoptoken bostoken eostoken \
        padtoken unktoken masktoken septoken clstoken maxtokens mintokens totaltokens \
        prompttokens completiontokens inputtokens outputtokens cachedtokens \
        reasoningtokens audiotokens texttokens imagetokens thinkingtokens usedtokens \
        numtokens remainingtokens limittokens stoptokens specialtokens designtokens newtokens \
        isnewtoken timesignature keysignature boardingpass seasonpass lowpass highpass \
        acceptcookies publickeytoken
        32: hash digest value pem base64 plain plaintext encrypted confirmation confirm \
        repeat live test c
        """
}

extension Mirror {
    /// A mirror without children, so that `dump(_:)` shows no more of a value than its description.
    package static func hidden(_ value: Any) -> Mirror { Mirror(value, children: [:]) }
}
