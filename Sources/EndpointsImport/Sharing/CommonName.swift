import EndpointsDocuments

/// The names that equal models can have together, the best one first.
enum CommonName {
    /// Words that say nothing about a model when they stand alone.
    private static let vague: Set<String> = [
        "any", "attributes", "body", "content", "create", "data", "detail", "details", "entry",
        "enum", "id",
        "info",
        "input", "item", "list", "metadata", "model", "object", "option", "options", "output",
        "param", "params", "request", "resource", "response", "result", "results", "schema",
        "settings", "source", "summary", "type", "update", "value", "values",
    ]

    /// Names that models have by where they are in a request, and not by what they are.
    private static let ofRequests: Set<String> = [
        "Accepted", "Body", "Content", "Created", "ErrorResponse", "Event", "Item", "Ok",
        "Response",
    ]

    static func candidates(_ group: [Model]) -> [String] {
        let words = group.map(\.nameWords)
        let end = common(words.map { $0.reversed() }).reversed().joined()
        let begin = common(words)
        var names: [String] = []
        if case .union(let union) = group[0].kind {
            let parts = union.parts.compactMap { $0.type.model?.nameWords }
            if parts.isEmpty {
                names.append(union.parts.map(\.name.startingUpper).joined(separator: "Or"))
            }
            if parts.count == union.parts.count, parts.count > 1 {
                let name = common(parts.map { $0.reversed() }).reversed()
                if name.count > 1 { names.append(name.joined()) }
            }
        }
        if !end.isEmpty, !isVague(end) { names.append(end) }
        // Members of the same name and schema are the same.
        let isSame = Set(group.map(\.name)).count == 1
        if isSame, !end.isEmpty, !ofRequests.contains(end) { names.append(end) }
        // A word that all have somewhere: `FlowFilterId` and `LogFilterFlowId` are a `FilterId`.
        if isVague(end) {
            let shared = (words.first ?? []).dropLast().filter { word in
                words.allSatisfy { $0.dropLast().contains(word) }
            }
            if !shared.isEmpty { names.append((shared + [end]).joined()) }
        }
        if begin.count > 1 { names.append(begin.joined()) }
        // Not `ItemItem`, where all of them are an `Item`.
        if let last = begin.last, !end.isEmpty, last != end, begin.joined() != end {
            names.append(begin.joined() + end)
        }
        if case .object(let properties) = group[0].kind, !end.isEmpty {
            names += contents(properties).map { $0 + end }
        }
        if isUnion(group[0]) { names += group.map(\.name).filter { !isVague($0.words.last ?? "") } }
        // Otherwise the name of one of them, with what it is nested in.
        let nested = group.filter { !$0.path.isEmpty }
        if nested.count == group.count, let first = nested.first {
            if !end.isEmpty, !isVague(end) || isUnion(first) || first.path.count > 1 {
                let parents = first.path.reversed()
                var name = end
                for parent in parents {
                    name = parent + name
                    names.append(name)
                }
            }
        }
        if nested.isEmpty, begin.count > 1 || !isVague(end) {
            names += group.map(\.name).sorted { ($0.count, $0) < ($1.count, $1) }.prefix(1)
        }
        return names.map(\.startingUpper)
    }

    /// What tells an object from others: its only property, its only list, or what it must have.
    private static func contents(_ properties: [Property]) -> [String] {
        let required = properties.filter { $0.isRequired && $0.constant == nil }
        let lists = properties.filter(\.type.isList)
        return [properties, lists, required].filter { (1...2).contains($0.count) }.map { found in
            found.map(\.swiftName.upperCamel).joined(separator: "And")
        }
    }

    private static func isUnion(_ model: Model) -> Bool {
        if case .union = model.kind { true } else { false }
    }

    static func isVague(_ name: String) -> Bool { vague.contains(name.lowercased()) }

    private static func common(_ all: [[String]]) -> [String] {
        guard let first = all.first else { return [] }
        let count = first.indices.first { index in
            all.contains { $0.count <= index || $0[index] != first[index] }
        }
        return Array(first.prefix(count ?? first.count))
    }
}

extension Model {
    /// The words of the name, without what only keeps it apart from others.
    var nameWords: [String] {
        var words = name.words
        while words.count > 1, let last = words.last,
            ["Value", "Enum"].contains(last) || Int(last) != nil
        {
            words.removeLast()
        }
        return words.map(\.startingUpper)
    }

    var lastWord: String { nameWords.last ?? "" }
    /// The first two words of a model that isn't nested.
    var firstWords: String {
        let words = nameWords
        return path.isEmpty && words.count > 2 ? words.prefix(2).joined() : ""
    }
}

extension String {
    fileprivate var startingUpper: String { prefix(1).uppercased() + dropFirst() }
}
