/// Writes the declaration of a model.
struct ModelWriter {
    let names: Names
    let patched: Set<Model>

    func text(_ type: SwiftType, isRead: Bool) -> String {
        switch type {
        case .plain(let name): name
        case .model(let model): isRead && model.isChoice ? "OrUnknown<\(model.name)>" : model.name
        case .list(let item): "[\(text(item, isRead: isRead))]"
        case .map(let value): "[String: \(text(value, isRead: isRead))]"
        case .optional(let type): text(type, isRead: isRead) + "?"
        }
    }

    func lines(_ model: Model, _ indent: Int) -> [String] {
        switch model.kind {
        case .object(let properties): object(model, properties, indent)
        case .choice(let raw, let cases): choice(model, raw, cases, indent)
        case .union(let union): self.union(model, union, indent)
        }
    }

    private func conformances(_ model: Model) -> String {
        switch (model.isRead, model.isWritten) {
        case (true, true): "Codable, Sendable"
        case (true, false): "Decodable, Sendable"
        case (false, true): "Encodable, Sendable"
        case (false, false): "Sendable"
        }
    }

    private func nested(_ model: Model, _ indent: Int) -> [String] {
        let texts = model.scope.models.filter { !$0.tags.isEmpty }.map {
            lines($0, indent + 4).indented
        }
        return texts.isEmpty ? [] : [""] + texts.spaced
    }

    private func object(_ model: Model, _ all: [Property], _ indent: Int) -> [String] {
        let properties = all.filter {
            !($0.isReadOnly && !model.isRead) && !($0.isWriteOnly && !model.isWritten)
        }
        var lines = Lines.declarations(properties.map { property($0, model) }, indent + 4)
        let nested = self.nested(model, indent)
        if properties.contains(where: { names.codingKey($0.name) != $0.swiftName }) {
            lines +=
                ["", "enum CodingKeys: String, CodingKey {"]
                + codingKeys(properties, indent + 8).indented + ["}"]
        }
        let head = "struct \(model.name): \(conformances(model)) {"
        if lines.isEmpty && nested.isEmpty { return [head + "}"] }
        if lines.count == 1, nested.isEmpty, head.count + lines[0].count + 3 + indent <= Lines.width
        {
            return ["\(head) \(lines[0]) }"]
        }
        return Lines.head(head, indent) + lines.indented + nested + ["}"]
    }

    private func codingKeys(_ properties: [Property], _ indent: Int) -> [String] {
        let keys = properties.map { property in
            let key = names.codingKey(property.name)
            let name = property.swiftName.escapedName
            return key == property.swiftName ? name : "\(name) = \"\(key.swiftLiteral)\""
        }
        return Lines.cases(keys, indent)
    }

    func deprecation(_ isDeprecated: Bool) -> [String] {
        isDeprecated ? ["@available(*, deprecated)"] : []
    }

    private func property(_ property: Property, _ model: Model) -> Declaration {
        func declared(_ word: String, _ type: String, _ standard: String? = nil) -> Declaration {
            Declaration(
                prefix: deprecation(property.isDeprecated), word: word,
                name: property.swiftName.escapedName, type: type, standard: standard)
        }
        var type = text(property.type, isRead: model.isRead)
        if property.isBoxed { type = "Boxed<\(type)>" }
        let isRequired = property.isRequired && !(property.isReadOnly && model.isWritten)
        guard model.isWritten else {
            return declared("let", type + (isRequired && !property.isNullable ? "" : "?"))
        }
        if isRequired && property.isNullable { return declared("let", "OrNull<\(type)>") }
        if isRequired, let constant = property.constant {
            return declared(model.isRead ? "var" : "let", "", "\"\(constant.swiftLiteral)\"")
        }
        let isPatched = patched.contains(model)
        let standard =
            isPatched || property.isReadOnly
            ? nil : literal(property.standard, property.type, isRead: model.isRead)
        if isRequired {
            return declared(standard == nil ? "let" : "var", type, standard)
        }
        if isPatched && property.isNullable && !model.isRead {
            return declared("var", "Change<\(type)>", ".keep")
        }
        return declared("var", "\(type)?", standard)
    }

    /// A default as it is written in Swift, if it is one value of this type.
    func literal(_ json: JSON?, _ type: SwiftType, isRead: Bool) -> String? {
        switch (json, type) {
        case (.string(let text), .plain("String")): return "\"\(text.swiftLiteral)\""
        case (.object(let members), .map) where members.list.isEmpty: return "[:]"
        case (.bool(let bool), .plain("Bool")): return "\(bool)"
        case (.number(let text), .plain("Int")): return Int(text).map { "\($0)" }
        case (.number(let text), .plain("Double")): return Double(text).map { "\($0)" }
        case (let json?, .model(let model)):
            guard case .choice(_, let cases) = model.kind,
                let match = cases.first(where: { $0.value == json })
            else { return nil }
            return isRead ? ".known(.\(match.name.memberName))" : ".\(match.name.memberName)"
        default: return nil
        }
    }

    private func choice(_ model: Model, _ raw: String, _ cases: [Case], _ indent: Int) -> [String] {
        var parents = [raw]
        if model.isParameter { parents.append("PathRepresentable") }
        if model.isWritten { parents.append("Encodable") }
        parents.append("Sendable")
        let names = cases.map { item in
            let name = item.name.escapedName
            let isPlain = raw == "String" && item.value.text == item.name
            return isPlain
                ? name
                : "\(name) = \(item.value.text.map { "\"\($0.swiftLiteral)\"" } ?? item.value.written)"
        }
        let head = "enum \(model.name): \(parents.joined(separator: ", ")) {"
        let lines = Lines.cases(names, indent + 4)
        if lines.count == 1, head.count + lines[0].count + 3 + indent <= Lines.width {
            return ["\(head) \(lines[0]) }"]
        }
        return Lines.head(head, indent) + lines.indented + ["}"]
    }

    private func union(_ model: Model, _ union: Union, _ indent: Int) -> [String] {
        var parts = union.parts.map { part in
            "\(part.name.escapedName)(\(text(part.type, isRead: model.isRead)))"
        }
        if model.isRead { parts.append("unknown(JSONValue)") }
        let parent =
            switch (model.isRead, model.isWritten) {
            case (true, true): "OneOf"
            case (true, false): "ReadOneOf"
            default: "WrittenOneOf"
            }
        var lines = Lines.cases(parts, indent + 4)
        if model.isRead {
            lines.append("")
            if let tag = union.tag {
                lines.append("static var tag: String? { \"\(names.codingKey(tag).swiftLiteral)\" }")
            } else if union.isAmbiguous {
                lines.append("// Nothing tells some of these apart: the first that fits is taken.")
            }
            let options = union.parts.map { part in
                let tags = part.tags.unique.map { "\"\($0.swiftLiteral)\"" }
                return
                    ".init(\((tags + ["as: Self.\(part.name.memberName)"]).joined(separator: ", ")))"
            }
            let head = "static var options: [Option<Self>] {"
            let line = "\(head) [\(options.joined(separator: ", "))] }"
            lines +=
                line.count + indent + 4 < Lines.width
                ? [line] : [head] + Lines.list("", options, "", indent + 8).indented + ["}"]
        }
        let prefix = model.isIndirect ? "indirect " : ""
        let head = "\(prefix)enum \(model.name): \(parent) {"
        return Lines.head(head, indent) + lines.indented + nested(model, indent) + ["}"]
    }
}
