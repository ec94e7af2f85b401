/// Which stored responses are meant.
enum Selection: Sendable {
    case all
    case url(String)
    case place(url: String, content: String)
    case variants(of: Place)
    case type(String)
    case account(String)
    case entry(EntryName)

    func contains(_ name: EntryName) -> Bool {
        switch self {
        case .all: true
        case .url(let url): name.place.url == url
        case .place(let url, let content): name.place.url == url && name.place.content == content
        case .variants(let place): name.place == place
        case .type(let type): name.type == type
        case .account(let account): name.place.account == account
        case .entry(let entry): name == entry
        }
    }

    /// The same for names that are digests.
    var digests: Selection {
        switch self {
        case .all: .all
        case .url(let url): .url(Place.digest(url))
        case .place(let url, let content):
            .place(url: Place.digest(url), content: Place.digest(content))
        case .variants(let place): .variants(of: place.digests)
        case .type(let type): .type(Place.digest(type))
        case .account(let account): .account(Place.digest(account))
        case .entry(let entry): .entry(entry.isOfDigests ? entry : entry.digests)
        }
    }
}
