import Testing

@testable import EndpointsCache

@Suite("The index of a store")
struct EntryIndexTests {
    private func name(_ url: Int) -> EntryName {
        EntryName(
            place: Place(url: "\(url)", content: "", account: "", credentials: ""), type: "",
            variant: "")
    }

    @Test(
        "Sizes of any sum are counted",
        arguments: [
            [1, 2, 3], [.max, .max, 1], [.max / 2, .max / 2, .max / 2, 7], [.max - 1, 1, 1],
        ])
    func sum(sizes: [Int]) {
        var index = EntryIndex<Void>()
        for (number, size) in sizes.enumerated() {
            index.add(.init(name: name(number), size: size, lastUse: 0, content: ()))
        }
        let known = index.all.map(\.size)
        #expect(index.total == known.reduce(0, +))
        #expect(index.exceeds(.max / 2, with: .max / 2) == (index.total > 0))
        _ = index.evicted(toAdd: .max / 2, limit: .max / 2)
        for entry in index.all { index.remove(entry.name) }
        #expect(index.total == 0)
    }

    @Test("An entry takes the place of the one of its name")
    func replaced() {
        var index = EntryIndex<Void>()
        for size in [5, 7, 2] {
            index.add(.init(name: name(1), size: size, lastUse: 0, content: ()))
        }
        #expect(index.total == 2 && index.all.count == 1)
    }
}
