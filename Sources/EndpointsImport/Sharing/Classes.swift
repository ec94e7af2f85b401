import EndpointsDocuments

/// Numbers the models so that equal ones have the same number.
struct Classes {
    private(set) var classes: [Int]

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
        // Models that name others are equal if those are; until nothing is told apart anymore.
        classes = own
        var count = 0
        while true {
            var numbers: [[Int]: Int] = [:]
            let next = models.indices.map { index in
                let key = [own[index]] + parts[index].map { $0 < 0 ? -1 : classes[$0] }
                let number = numbers[key] ?? numbers.count
                numbers[key] = number
                return number
            }
            classes = next
            if numbers.count == count { return }
            count = numbers.count
        }
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
