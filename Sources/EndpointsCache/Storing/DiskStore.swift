import Endpoints
import EndpointsFolder
import Foundation

/// Keeps responses in the files of a folder.
final class DiskStore: ResponseStore {
    fileprivate struct State {
        var index = EntryIndex<Void>()
        /// The number of the folder's changes that the index knows; `nil` if it must be made anew.
        var changes: UInt64?
        /// What is to be dropped when the folder can be read again.
        var dropped: [Selection] = []
        /// Responses that were read or written, while these are few bytes, so that they are not
        /// read again. Each change of the folder that another process makes empties this.
        var recent: [EntryName: StoredResponse] = [:]
        var recentSize = 0
    }

    private let folder: SharedFolder
    private let limit: Int
    private let state = Locked(State())
    /// Whether the last change was given up, as a process stands still that holds the lock.
    private let isHeldUp = Locked(false)

    init(_ folder: SharedFolder, limit: Int) {
        self.folder = folder
        self.limit = limit
    }

    func responses(at place: Place) -> [(name: EntryName, response: StoredResponse)] {
        let digests = place.digests
        let (names, changes, recent) = state.withLock { state in
            lookUp(&state)
            let names = state.index.entries(at: digests).map(\.name)
            return (names, state.changes, names.map { state.recent[$0] })
        }
        return zip(names, recent).compactMap { name, known in
            // Somebody may have removed the file to empty the cache.
            if let known { return folder.file(name.fileName) == nil ? nil : (name, known) }
            guard let file = folder.read(name.fileName, limit: limit) else { return nil }
            guard let response = EntryFile.response(file, name.fileName) else {
                drop(.entry(name))
                return nil
            }
            state.withLock { state in
                guard state.changes == changes else { return }
                state.keep(response, as: name, size: file.count)
            }
            return (name, response)
        }
    }

    func use(_ name: EntryName) {
        let name = name.isOfDigests ? name : name.digests
        folder.use(name.fileName)
        state.withLock { $0.index.use(name, at: Date().timeIntervalSince1970) }
    }

    func store(_ response: StoredResponse, as name: EntryName, over older: [EntryName]) {
        let name = name.isOfDigests ? name : name.digests
        let file = EntryFile.data(response, name.fileName)
        change { state in
            remove(state.index.replaced(by: name, and: older), &state)
            guard file.count <= limit else { return remove([name], &state) }
            remove(state.index.crowded(by: name), &state)
            makeRoom(for: file.count, &state)
            guard (try? folder.write(file, as: name.fileName)) != nil
            else { return remove([name], &state) }
            let moment = Date().timeIntervalSince1970
            state.index.add(
                EntryIndex.Entry(name: name, size: file.count, lastUse: moment, content: ()))
            state.keep(response, as: name, size: file.count)
        } orElse: { state in
            // What is there is older.
            note(.variants(of: name.place), &state)
        }
    }

    func drop(_ selection: Selection) {
        let selection = selection.digests
        change { state in
            remove(state.index.names(in: selection), &state)
        } orElse: { state in
            note(selection, &state)
        }
    }

    /// Notes what is to be dropped when the folder can be changed again, as a file may be written
    /// at the moment. It isn't found before. The files that are there are removed at once, which
    /// other processes see without a change.
    private func note(_ selection: Selection, _ state: inout State) {
        let isFull = state.dropped.count >= 100
        state = State(dropped: isFull ? [.all] : state.dropped + [selection])
        let index = index(of: folder.files(EntryName.suffix) ?? []).index
        for name in index.names(in: isFull ? .all : selection) {
            folder.remove(name.fileName)
        }
    }

    /// Runs a change with an index of all files. Runs `otherwise` if the folder can't be read, or
    /// if a process holds the lock for a second, such as one that was stopped: it must not hold up
    /// the others.
    private func change(
        _ body: (inout State) -> Void, orElse otherwise: (inout State) -> Void
    ) {
        state.withLock { state in
            var isDone = false
            // Otherwise many changes would wait one after the other.
            let seconds = isHeldUp.withLock { $0 } ? 0 : 1.0
            _ = folder.change(waiting: seconds) { changes in
                guard list(changes, &state) else { return }
                folder.setChanges(changes &+ 1)
                body(&state)
                state.changes = changes &+ 1
                isDone = true
            }
            isHeldUp.withLock { $0 = !isDone }
            if !isDone { otherwise(&state) }
        }
    }

    /// Makes the index anew if another process has changed the folder, or made it again. If one
    /// is changing it, what is there already is found, and the next lookup looks again.
    private func lookUp(_ state: inout State) {
        if let changes = state.changes, changes == folder.changes { return }
        if folder.change(waiting: 0, { list($0, &state) }) { return }
        let index = index(of: folder.files(EntryName.suffix) ?? []).index
        state = State(index: index, dropped: state.dropped)
        for selection in state.dropped {
            for name in state.index.names(in: selection) { state.index.remove(name) }
        }
    }

    /// Reads which files there are, unless the index knows them. `false` if they can't be read.
    @discardableResult
    private func list(_ changes: UInt64, _ state: inout State) -> Bool {
        guard state.changes != changes || changes == 0 else { return true }
        let dropped = state.dropped
        guard let files = folder.files(EntryName.suffix) else {
            state = State(dropped: dropped)
            return false
        }
        // What a process that was killed has left. Only one process writes at a time.
        folder.remove(SharedFolder.temporaryName)
        let (index, tooLarge) = index(of: files)
        state = State(index: index, changes: changes)
        for name in tooLarge { folder.remove(name.fileName) }
        for selection in dropped { remove(state.index.names(in: selection), &state) }
        // The last launch may have had a higher limit.
        remove(state.index.evicted(toAdd: 0, limit: limit), &state)
        return true
    }

    /// The index of the files, and those that are larger than the limit, or make the sum of all too
    /// large for a number.
    private func index(
        of files: [SharedFolder.File]
    ) -> (index: EntryIndex<Void>, tooLarge: [EntryName]) {
        var index = EntryIndex<Void>()
        var tooLarge: [EntryName] = []
        for file in files {
            guard let name = EntryName(fileName: file.name) else { continue }
            if file.size <= limit {
                index.add(
                    EntryIndex.Entry(
                        name: name, size: file.size, lastUse: file.lastUse, content: ()))
            }
            if !index.contains(name) { tooLarge.append(name) }
        }
        return (index, tooLarge)
    }

    private func makeRoom(for size: Int, _ state: inout State) {
        guard state.index.exceeds(limit, with: size) else { return }
        // Other processes may have used files since the index was made.
        for entry in state.index.all {
            guard let file = folder.file(entry.name.fileName) else { continue }
            state.index.use(entry.name, at: max(entry.lastUse, file.lastUse))
        }
        remove(state.index.evicted(toAdd: size, limit: limit), &state)
    }

    private func remove(_ names: [EntryName], _ state: inout State) {
        for name in names {
            folder.remove(name.fileName)
            state.index.remove(name)
            state.recent[name] = nil
        }
    }
}

extension DiskStore.State {
    fileprivate mutating func keep(_ response: StoredResponse, as name: EntryName, size: Int) {
        let most = 4_000_000
        if recentSize + size > most { (recent, recentSize) = ([:], 0) }
        guard size <= most / 4 else { return recent[name] = nil }
        recent[name] = response
        recentSize += size
    }
}
