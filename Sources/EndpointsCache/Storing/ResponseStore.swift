import Foundation

/// Where a cache keeps its responses.
protocol ResponseStore: Sendable {
    /// The responses to requests of a place, with their names.
    func responses(at place: Place) -> [(name: EntryName, response: StoredResponse)]
    /// Remembers that a response was used, so that it is evicted later.
    func use(_ name: EntryName)
    /// Stores a response in place of older ones: of the same name, of the same variant of its
    /// place, and of other names. One larger than the limit isn't stored, and they are dropped.
    func store(_ response: StoredResponse, as name: EntryName, over older: [EntryName])
    /// Drops responses.
    func drop(_ selection: Selection)
}
