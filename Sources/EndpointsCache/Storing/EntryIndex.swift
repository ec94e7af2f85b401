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
