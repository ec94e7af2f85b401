/// What was not declared, or not as exactly as the document says it.
final class Report {
    struct Entry: Hashable {
        let pointer: String
        let reason: String

        var line: String { "\(pointer): \(reason)" }
    }

    /// What isn't declared.
    private(set) var skipped: [Entry] = []
    /// What is declared in a looser way.
    private(set) var notes: [Entry] = []
    private var seen: Set<Entry> = []

    func skip(_ pointer: Pointer, _ reason: String) {
        let entry = Entry(pointer: pointer.description, reason: reason)
        if seen.insert(entry).inserted { skipped.append(entry) }
    }

    func note(_ pointer: Pointer, _ reason: String) {
        let entry = Entry(pointer: pointer.description, reason: reason)
        if seen.insert(entry).inserted { notes.append(entry) }
    }
}
