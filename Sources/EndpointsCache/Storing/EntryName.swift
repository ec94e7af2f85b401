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
