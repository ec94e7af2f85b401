/// What a store has: the sizes of its entries, and when each was last used.
struct EntryIndex: Sendable {
    struct Entry: Sendable {
        var size: Int
        /// A number that is larger for a later use.
        var lastUse: Double
    }

    private(set) var entries: [EntryName: Entry] = [:]
    private(set) var total = 0
    private var names: [Place: [EntryName]] = [:]
    private var places: [String: Set<Place>] = [:]

    func names(at place: Place) -> [EntryName] { names[place] ?? [] }

    mutating func use(_ name: EntryName, at moment: Double) {
        entries[name]?.lastUse = moment
    }

    mutating func add(_ name: EntryName, _ entry: Entry) {
        remove(name)
        entries[name] = entry
        total += entry.size
        names[name.place, default: []].append(name)
        places[name.place.url, default: []].insert(name.place)
    }

    mutating func remove(_ name: EntryName) {
        guard let old = entries.removeValue(forKey: name) else { return }
        total -= old.size
        names[name.place]?.removeAll { $0 == name }
        guard names[name.place]?.isEmpty == true else { return }
        names[name.place] = nil
        places[name.place.url]?.remove(name.place)
        if places[name.place.url]?.isEmpty == true { places[name.place.url] = nil }
    }

    /// The entries that are meant. Those of one URL are found without looking at all others.
    func names(in selection: Selection) -> [EntryName] {
        switch selection {
        case .entry(let name): entries[name] == nil ? [] : [name]
        case .url(let url), .place(let url, _):
            (places[url] ?? []).flatMap { names[$0] ?? [] }.filter(selection.contains)
        default: entries.keys.filter(selection.contains)
        }
    }

    /// The entries that were used longest ago, whose removal leaves room for `size` bytes. If there
    /// isn't enough room, a tenth of the limit is freed besides, so that not each entry evicts one.
    func evicted(toAdd size: Int, limit: Int) -> [EntryName] {
        guard total + size > limit else { return [] }
        var left = total
        let goal = max(0, limit - limit / 10 - size)
        var evicted: [EntryName] = []
        for (name, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard left > goal else { break }
            left -= entry.size
            evicted.append(name)
        }
        return evicted
    }
}
