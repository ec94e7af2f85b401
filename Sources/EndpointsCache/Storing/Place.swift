import EndpointsShared

/// Which requests a stored response is for.
struct Place: Sendable, Hashable {
    /// The URL without a fragment.
    var url: String
    /// The method and the body, where these tell requests apart: empty for GET and HEAD.
    var content: String
    /// The account that the sign-in says; empty without one.
    var account: String
    /// The request's own headers with secrets, such as `Authorization` or `X-Api-Key`.
    var credentials: String
}

extension Place {
    // Swift takes texts for equal that Unicode says are, though their bytes differ.
    static func == (left: Place, right: Place) -> Bool {
        left.url.hasSameBytes(as: right.url) && left.content.hasSameBytes(as: right.content)
            && left.account.hasSameBytes(as: right.account)
            && left.credentials.hasSameBytes(as: right.credentials)
    }

    var digests: Place {
        Place(
            url: Place.digest(url), content: Place.digest(content),
            account: Place.digest(account), credentials: Place.digest(credentials))
    }

    /// The first 128 bits of a digest; `0` for an empty text.
    static func digest(_ text: String) -> String {
        text.isEmpty ? "0" : String(Digest(text).hex.prefix(32))
    }
}

extension String {
    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
