import Endpoints
import Foundation

/// Keeps responses in memory.
final class MemoryStore: ResponseStore {
    fileprivate struct State {
        var index = EntryIndex()
        var responses: [EntryName: StoredResponse] = [:]
        var uses = 0.0
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) {
        self.limit = limit
    }

    func responses(at place: Place) -> [(name: EntryName, response: StoredResponse)] {
        state.withLock { state in
            state.index.names(at: place).compactMap { name in
                state.responses[name].map { (name, $0) }
            }
        }
    }

    func use(_ name: EntryName) {
        state.withLock { state in
            state.uses += 1
            state.index.use(name, at: state.uses)
        }
    }

    func store(_ response: StoredResponse, as name: EntryName) {
        let size = response.size
        state.withLock { state in
            guard size <= limit else { return state.remove([name]) }
            state.remove(state.index.evicted(toAdd: size, limit: limit))
            state.uses += 1
            state.index.add(name, EntryIndex.Entry(size: size, lastUse: state.uses))
            state.responses[name] = response
        }
    }

    func drop(_ selection: Selection) {
        state.withLock { $0.remove($0.index.names(in: selection)) }
    }
}

extension MemoryStore.State {
    fileprivate mutating func remove(_ names: [EntryName]) {
        for name in names {
            index.remove(name)
            responses[name] = nil
        }
    }
}

extension StoredResponse {
    /// About how many bytes of memory the response takes.
    fileprivate var size: Int {
        fields.list.reduce(body.count + 1000) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 }
    }
}
