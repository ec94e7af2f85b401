import Endpoints
import Foundation

/// Keeps responses in memory.
final class MemoryStore: ResponseStore {
    private struct State {
        var index = EntryIndex<StoredResponse>()
        var uses = 0.0
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) {
        self.limit = limit
    }

    func responses(at place: Place) -> [(name: EntryName, response: StoredResponse)] {
        state.withLock { $0.index.entries(at: place) }.map { ($0.name, $0.content) }
    }

    func use(_ name: EntryName) {
        state.withLock { state in
            state.uses += 1
            state.index.use(name, at: state.uses)
        }
    }

    func store(_ response: StoredResponse, as name: EntryName, over older: [EntryName]) {
        let size = response.size
        state.withLock { state in
            for old in state.index.replaced(by: name, and: older) { state.index.remove(old) }
            guard size <= limit else { return state.index.remove(name) }
            for crowded in state.index.crowded(by: name) { state.index.remove(crowded) }
            for evicted in state.index.evicted(toAdd: size, limit: limit) {
                state.index.remove(evicted)
            }
            state.uses += 1
            state.index.add(
                EntryIndex.Entry(name: name, size: size, lastUse: state.uses, content: response))
        }
    }

    func drop(_ selection: Selection) {
        state.withLock { state in
            for name in state.index.names(in: selection) { state.index.remove(name) }
        }
    }
}

extension StoredResponse {
    /// About how many bytes of memory the response takes.
    fileprivate var size: Int {
        fields.list.reduce(body.count + 1000) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 }
    }
}

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
