import EndpointsDocuments

/// Numbers the models so that equal ones have the same number.
struct Classes {
    private(set) var classes: [Int]
    /// The models that each names.
    private let parts: [[Int]]

    init(_ models: [Model]) {
        let indices = Dictionary(uniqueKeysWithValues: models.enumerated().map { ($1, $0) })
        var texts: [String: Int] = [:]
        var own: [Int] = []
        var parts: [[Int]] = []
        for model in models {
            let text = Self.text(model)
            own.append(texts[text] ?? texts.count)
            texts[text] = own[own.count - 1]
            parts.append(model.typesInOrder.flatMap(\.models).map { indices[$0] ?? -1 })
        }
        // Models that name others are equal if those are; until nothing is told apart anymore. Only
        // the users of models with a new number are looked at again.
        (classes, self.parts) = (own, parts)
        var users = Array(repeating: [Int](), count: models.count)
        for (user, parts) in parts.enumerated() {
            for part in Set(parts) where part >= 0 { users[part].append(user) }
        }
        var sizes = own.reduce(into: Array(repeating: 0, count: texts.count)) { $0[$1] += 1 }
        var next = Array(models.indices)
        while !next.isEmpty {
            let changed = split(next, &sizes)
            next = Array(Set(changed.flatMap { users[$0] }))
        }
    }

    /// Gives a new number to each of these models that differs from the others of its number, and
    /// returns those that have one.
    private mutating func split(_ models: [Int], _ sizes: inout [Int]) -> [Int] {
        let groups = Dictionary(grouping: models) { model in
            [classes[model]] + parts[model].map { $0 < 0 ? -1 : classes[$0] }
        }
        let numbers = Dictionary(grouping: groups) { $0.key[0] }
        var changed: [Int] = []
        for (number, groups) in numbers {
            var groups = groups.map(\.value).sorted { $0.count < $1.count }
            // The others of this number keep it, or else the largest group.
            if groups.reduce(0, { $0 + $1.count }) == sizes[number] { groups.removeLast() }
            for group in groups {
                sizes[number] -= group.count
                for model in group { classes[model] = sizes.count }
                sizes.append(group.count)
                changed += group
            }
        }
        return changed
    }

    /// What the model is, without the names of other models.
    private static func text(_ model: Model) -> String {
        switch model.kind {
        case .choice(let raw, let cases):
            return "choice \(raw) \(model.isDeprecated) "
                + cases.map { item -> String in
                    "\(item.name) \(item.value.written)"
                }.sorted().joined(separator: " ")
        case .union(let union):
            let parts = union.parts.map { "\($0.name) \($0.tags) \(text($0.type))" }
            return "union \(model.isRead) \(model.isWritten) \(union.tag ?? "") "
                + parts.joined(separator: " ")
        case .object(let properties):
            let texts = model.sorted(properties).map { property in
                let value =
                    model.isWritten
                    ? "\(property.constant?.written ?? "") \(property.standard?.written ?? "") "
                        + "\(property.isReadOnly) \(property.isNullable)"
                    : "\(property.isNullable || !property.isRequired)"
                let isRequired = model.isWritten ? "\(property.isRequired)" : ""
                return "\(property.name) \(property.swiftName) \(text(property.type)) "
                    + "\(isRequired) \(property.isDeprecated) \(value)"
            }
            return "object \(model.isRead) \(model.isWritten) \(model.isPatch) "
                + texts.joined(separator: ", ")
        }
    }

    private static func text(_ type: SwiftType) -> String {
        switch type {
        case .plain(let name): name.text
        case .model: "*"
        case .list(let item): "[\(text(item))]"
        case .map(let value): "[:\(text(value))]"
        case .optional(let type): "\(text(type))?"
        case .wrapped(let wrapper, let type): "\(wrapper.rawValue) \(text(type))"
        }
    }
}

extension Model {
    /// The properties that are written, by their names.
    fileprivate func sorted(_ properties: [Property]) -> [Property] {
        properties.filter { !($0.isReadOnly && !isRead) && !($0.isWriteOnly && !isWritten) }
            .sorted { $0.name < $1.name }
    }

    /// The types of what is written of its members.
    var typesInOrder: [SwiftType] {
        switch kind {
        case .object(let properties):
            sorted(properties).map(\.type)
        case .union(let union): union.parts.map(\.type)
        case .choice: []
        }
    }
}
