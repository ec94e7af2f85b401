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
