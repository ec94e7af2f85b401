import EndpointsDocuments

/// What was not declared, or not as exactly as the document says it.
final class Report {
    struct Entry: Hashable {
        let pointer: String
        let reason: String

        var line: String { "\(pointer): \(reason)" }

        /// The reason without what it says of this place only.
        fileprivate var kind: String {
            let plain = ["`", "\""].reduce(reason) { reason, quote in
                reason.split(separator: quote, omittingEmptySubsequences: false).enumerated()
                    .map { $0.isMultiple(of: 2) ? String($1) : "…" }.joined(separator: quote)
            }
            return plain.split(whereSeparator: \.isNumber).joined(separator: "0")
        }
    }

    /// What isn't declared.
    private(set) var skipped: [Entry] = []
    /// What is declared in a looser way.
    private(set) var notes: [Entry] = []
    /// How many operations aren't declared: the others of ``skipped`` are parts of declared ones.
    private(set) var missing = 0
    private var seen: Set<Entry> = []

    func skip(_ pointer: Pointer, _ reason: String) {
        skip(Entry(pointer: pointer.description, reason: reason))
    }

    /// Lists what is wrong, and what becomes of it.
    func skip(_ error: any Error, _ consequence: String) {
        guard let error = error as? DocumentError else { return }
        skip(Entry(pointer: error.pointer, reason: "\(error.reason); \(consequence)"))
    }

    /// Lists an operation that isn't declared, and what is wrong with it.
    func skip(_ error: DocumentError, operation: String) {
        skipOperation(
            error.pointer,
            """
            \(error.reason); `\(operation)` isn't declared: write "\(operation)" in `leaveOut` if \
            it needn't be
            """)
    }

    /// Lists an operation that isn't written.
    func skipOperation(_ pointer: String, _ reason: String) {
        if skip(Entry(pointer: pointer, reason: reason)) { missing += 1 }
    }

    @discardableResult
    private func skip(_ entry: Entry) -> Bool {
        let isNew = seen.insert(entry).inserted
        if isNew { skipped.append(entry) }
        return isNew
    }

    func note(_ pointer: Pointer, _ reason: String) {
        let entry = Entry(pointer: pointer.description, reason: reason)
        if seen.insert(entry).inserted { notes.append(entry) }
    }

    /// How much isn't declared: operations, and parts of the declared ones.
    var counts: String {
        let parts = skipped.count - missing
        let others = parts == 1 ? "; a part isn't declared" : "; \(parts) parts aren't declared"
        return "\(missing) skipped\(parts == 0 ? "" : others)"
    }

    /// All that was listed, a line each.
    var lines: [String] {
        skipped.map { "skipped: \($0.line)" } + notes.map { "note: \($0.line)" }
    }

    /// What a terminal shows: each kind once, with how many there are and one of them.
    var summary: [String] {
        Self.summary(skipped, "skipped", atMost: 14) + Self.summary(notes, "note", atMost: 11)
    }

    private static func summary(_ entries: [Entry], _ word: String, atMost limit: Int) -> [String] {
        var (order, groups) = ([String](), [String: [Entry]]())
        for entry in entries {
            if groups[entry.kind] == nil { order.append(entry.kind) }
            groups[entry.kind, default: []].append(entry)
        }
        let kinds = order.compactMap { groups[$0] }
        let lines = kinds.prefix(limit).map { group in
            let line = "\(word): \(group[0].line)".inOneLine
            return group.count == 1 ? line : "\(line) (and \(group.count - 1) more of this kind)"
        }
        let rest = kinds.dropFirst(limit)
        guard !rest.isEmpty else { return lines }
        let count = rest.map(\.count).reduce(0, +)
        return lines + ["\(word): \(count) more, of \(rest.count) other kinds"]
    }
}

extension String {
    /// The text without line breaks and other control characters, at most 400 of it.
    fileprivate var inOneLine: String {
        let line = String(Written.comment(self).text.prefix(400))
        return line.count == 400 ? line + "…" : line
    }
}
