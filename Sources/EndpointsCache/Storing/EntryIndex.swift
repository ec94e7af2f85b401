import Endpoints
import EndpointsShared
import Foundation

/// What a store has: its entries by place, their sizes, and when each was last used.
struct EntryIndex<Content: Sendable>: Sendable {
    struct Entry: Sendable {
        let name: EntryName
        var size: Int
        /// A number that is larger for a later use.
        var lastUse: Double
        /// What the store keeps besides.
        var content: Content
    }

    /// By URL, and then by place, as an unsafe request drops all entries of a URL.
    private var places: [String: [Place: [Entry]]] = [:]
    private(set) var total = 0

    var all: [Entry] { places.values.flatMap { $0.values.joined() } }

    func entries(at place: Place) -> [Entry] { places[place.url]?[place] ?? [] }

    func contains(_ name: EntryName) -> Bool { index(of: name) != nil }

    mutating func use(_ name: EntryName, at moment: Double) {
        guard let index = index(of: name) else { return }
        places[name.place.url]?[name.place]?[index].lastUse = moment
    }

    /// Adds an entry, or replaces the one of its name. An entry whose size makes the sum of all too
    /// large for a number, as sparse files have, isn't added.
    mutating func add(_ entry: Entry) {
        let place = entry.name.place
        remove(entry.name)
        let (sum, isTooLarge) = total.addingReportingOverflow(entry.size)
        guard !isTooLarge else { return }
        total = sum
        places[place.url, default: [:]][place, default: []].append(entry)
    }

    /// Whether an entry of this size can't be added to those that are there.
    func exceeds(_ limit: Int, with size: Int) -> Bool { size > limit - total }

    mutating func remove(_ name: EntryName) {
        let place = name.place
        guard let index = index(of: name),
            let old = places[place.url]?[place]?.remove(at: index)
        else { return }
        total -= old.size
        guard entries(at: place).isEmpty else { return }
        places[place.url]?[place] = nil
        if places[place.url]?.isEmpty == true { places[place.url] = nil }
    }

    private func index(of name: EntryName) -> Int? {
        places[name.place.url]?[name.place]?.firstIndex { $0.name == name }
    }

    /// The entries that are meant. Those of one URL are found without looking at all others.
    func names(in selection: Selection) -> [EntryName] {
        let entries: [Entry]? =
            switch selection {
            case .entry(let name): self.entries(at: name.place)
            case .variants(let place): self.entries(at: place)
            case .url(let url), .place(let url, _): places[url].map { Array($0.values.joined()) }
            default: all
            }
        return (entries ?? []).map(\.name).filter(selection.contains)
    }

    /// The entries of other names that one takes the place of: those of its variant, and some.
    func replaced(by name: EntryName, and older: [EntryName]) -> [EntryName] {
        entries(at: name.place).map(\.name).filter { other in
            other != name
                && (other.variant.hasSameBytes(as: name.variant) || older.contains(other))
        }
    }

    /// The entries that were used longest ago at the place of a new one, beyond 20 with it. A
    /// server whose `Vary` names what each request has anew would fill the place, and validations
    /// would send an entity tag of each.
    func crowded(by name: EntryName) -> [EntryName] {
        let others = entries(at: name.place).filter { $0.name != name }
        return others.count < 20
            ? []
            : others.sorted { $0.lastUse < $1.lastUse }.prefix(others.count - 19).map(\.name)
    }

    /// The entries that were used longest ago, whose removal leaves room for `size` bytes. If there
    /// isn't enough room, a tenth of the limit is freed besides, so that not each entry evicts one.
    func evicted(toAdd size: Int, limit: Int) -> [EntryName] {
        guard exceeds(limit, with: size) else { return [] }
        var left = total
        let goal = max(0, limit - limit / 10 - size)
        var evicted: [EntryName] = []
        for entry in all.sorted(by: { $0.lastUse < $1.lastUse }) {
            guard left > goal else { break }
            left -= entry.size
            evicted.append(entry.name)
        }
        return evicted
    }
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
        let parts = fileName.utf8.dropLast(Self.suffix.utf8.count)
            .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 6, !parts.contains(where: \.isEmpty) else { return nil }
        let texts = parts.map { String(Substring($0)) }
        self.init(
            place: Place(
                url: texts[0], content: texts[1], account: texts[2], credentials: texts[3]),
            type: texts[4], variant: texts[5], isOfDigests: true)
    }
}

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

extension URL {
    /// The URL without its fragment, and without what two equal URLs may differ in: the port that
    /// the scheme has anyway, upper case in the scheme and the host, and the `/` of an empty path.
    var cacheKey: String {
        let text = absoluteString
        let end = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let start = text.utf8[..<end].dropFirst(8).firstIndex { "/?".utf8.contains($0) } ?? end
        let (head, rest) = (text.utf8[..<start], text[start..<end])
        let slash = rest.first == "/" ? "" : "/"
        let mayDiffer =
            head.dropFirst(6).contains(UInt8(ascii: ":"))
            || head.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        // A user in the URL, as in https://user@host, tells requests apart.
        guard mayDiffer, !head.contains(UInt8(ascii: "@")), let origin = Origin(of: self)
        else { return slash.isEmpty ? String(text[..<end]) : "\(text[..<start])\(slash)\(rest)" }
        return "\(origin.text)\(slash)\(rest)"
    }

    /// Whether two URLs are the same but for their fragments, and for the `/` of an empty path.
    func isSame(as other: URL) -> Bool {
        if absoluteString == other.absoluteString { return true }
        return Origin(of: self) == Origin(of: other) && query == other.query
            && pathWithSlash == other.pathWithSlash
    }

    private var pathWithSlash: String {
        let path = URLComponents(url: self, resolvingAgainstBaseURL: true)?.percentEncodedPath
        return path?.isEmpty == false ? path ?? "/" : "/"
    }
}

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

/// The names of request types, which Swift would make anew each time.
enum TypeNames {
    private static let names = Locked<[ObjectIdentifier: String]>([:])

    static func name(of type: any RequestType.Type) -> String {
        names.withLock { names in
            if let name = names[ObjectIdentifier(type)] { return name }
            var name = String(reflecting: type)
            // The name of a private type has an address, which another launch doesn't have.
            while let start = name.range(of: "(unknown context at $"),
                let end = name.range(of: ").", range: start.upperBound..<name.endIndex)
            {
                name.removeSubrange(start.lowerBound..<end.upperBound)
            }
            names[ObjectIdentifier(type)] = name
            return name
        }
    }
}
