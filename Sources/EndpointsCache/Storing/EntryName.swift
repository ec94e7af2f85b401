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

/// What tells a stored response from all others.
struct EntryName: Sendable, Hashable {
    var place: Place
    /// The name of the request type.
    var type: String
    /// The request's fields that `Vary` lists.
    var variant: String

    /// Whether this is a name with digests already.
    var isOfDigests = false

    /// The same with digests, so that a file's name doesn't show what it stands for.
    var digests: EntryName {
        EntryName(
            place: place.digests, type: Place.digest(type), variant: Place.digest(variant),
            isOfDigests: true)
    }
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

extension EntryName {
    static func == (left: EntryName, right: EntryName) -> Bool {
        left.place == right.place && left.type == right.type
            && left.variant.hasSameBytes(as: right.variant)
            && left.isOfDigests == right.isOfDigests
    }

    /// The name of the entry's file, if this has digests.
    var fileName: String {
        [place.url, place.content, place.account, place.credentials, type, variant]
            .joined(separator: "-") + Self.suffix
    }

    static let suffix = ".response"

    init?(fileName: String) {
        guard fileName.hasSuffix(Self.suffix) else { return nil }
        let parts = fileName.dropLast(Self.suffix.count).split(separator: "-").map(String.init)
        guard parts.count == 6 else { return nil }
        self.init(
            place: Place(
                url: parts[0], content: parts[1], account: parts[2], credentials: parts[3]),
            type: parts[4], variant: parts[5], isOfDigests: true)
        guard fileName == self.fileName else { return nil }
    }
}

extension String {
    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
