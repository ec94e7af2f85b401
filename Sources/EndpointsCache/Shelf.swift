import Endpoints
import Foundation

/// A store, and the loads whose responses will be stored.
final class Shelf: Sendable {
    private struct Load {
        let name: EntryName
        let fields: [String: String]
        var isVoid = false

        /// Whether this load is for the same as another. How they use the cache doesn't count.
        func isSame(as other: Load) -> Bool {
            guard name.place == other.name.place else { return false }
            let policies: Set<Headers> = [.cacheControl, "Pragma"]
            return fields.filter { !policies.contains(Headers(name: $0.key)) }
                == other.fields.filter { !policies.contains(Headers(name: $0.key)) }
        }
    }

    private struct State {
        var loads: [Int: Load] = [:]
        var count = 0
        var validated: Set<EntryName> = []
    }

    /// The store, or why there is none.
    let store: Result<any ResponseStore, EndpointError>
    private let state = Locked(State())

    init(_ store: Result<any ResponseStore, EndpointError>) {
        self.store = store
    }

    /// Notes that a load begins whose response may be stored.
    func begin(_ call: CacheCall, _ type: String) -> Int {
        state.withLock { state in
            state.count += 1
            let name = EntryName(place: call.place, type: type, variant: "")
            state.loads[state.count] = Load(name: name, fields: call.varying)
            return state.count
        }
    }

    /// Whether what a load's response would be stored as was dropped since the load began, or a
    /// later load of the same has ended. What was found before, and the response, may be older
    /// then.
    func isVoid(_ load: Int) -> Bool {
        state.withLock { $0.loads[load]?.isVoid ?? true }
    }

    /// Ends a load, and calls `store` unless the load is void. Earlier loads of the same are void
    /// then.
    func end(_ load: Int, store: (any ResponseStore) -> Void) {
        state.withLock { state in
            guard let ended = state.loads.removeValue(forKey: load), !ended.isVoid,
                case .success(let responses) = self.store
            else { return }
            for (number, other) in state.loads where number < load && other.isSame(as: ended) {
                state.loads[number]?.isVoid = true
            }
            store(responses)
        }
    }

    func end(_ load: Int) {
        state.withLock { _ = $0.loads.removeValue(forKey: load) }
    }

    /// Drops what is stored, and what the loads in flight would store.
    func drop(_ selection: Selection) {
        state.withLock { state in
            for (number, load) in state.loads where selection.contains(load.name) {
                state.loads[number]?.isVoid = true
            }
            if case .success(let store) = store { store.drop(selection) }
        }
    }

    /// Notes that a response is being validated while a stale one is used; `false` if it was
    /// already.
    func beginValidation(of name: EntryName) -> Bool {
        state.withLock { $0.validated.insert(name).inserted }
    }

    func endValidation(of name: EntryName) {
        state.withLock { _ = $0.validated.remove(name) }
    }
}
