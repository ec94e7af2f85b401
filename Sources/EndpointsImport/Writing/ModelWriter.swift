/// Writes the declaration of a model.
struct ModelWriter {
    let names: Names
    let patched: Set<Model>

    /// The name of a type: as it is written where the model is nested, or as it is elsewhere.
    func text(_ type: SwiftType, isRead: Bool, isElsewhere: Bool = false) -> String {
        func text(_ type: SwiftType) -> String {
            self.text(type, isRead: isRead, isElsewhere: isElsewhere)
        }
        switch type {
        case .plain(let name): return name
        case .model(let model):
            let name = isElsewhere ? model.qualifiedName : model.name
            return isRead && model.isChoice ? "OrUnknown<\(name)>" : name
        case .list(let item): return "[\(text(item))]"
        case .map(let value): return "[String: \(text(value))]"
        case .optional(let type): return text(type) + "?"
        }
    }

    func lines(_ model: Model, _ indent: Int) -> [String] {
        switch model.kind {
        case .object(let properties): object(model, properties, indent)
        case .choice(let raw, let cases): choice(model, raw, cases, indent)
        case .union(let union): self.union(model, union, indent)
        }
    }

    /// `Sendable` only where Swift doesn't find it out: in a model that has itself as a member.
    private func conformances(_ model: Model, isRecursive: Bool) -> String {
        let coding: [String] =
            switch (model.isRead, model.isWritten) {
            case (true, true): ["Codable"]
            case (true, false): ["Decodable"]
            case (false, true): ["Encodable"]
            case (false, false): []
            }
        let all = coding + (isRecursive ? ["Sendable"] : [])
        return all.isEmpty ? "" : ": \(all.joined(separator: ", "))"
    }

    private func nested(_ model: Model, _ indent: Int) -> [[String]] {
        model.scope.models.filter { !$0.tags.isEmpty }.map { lines($0, indent + 4).indented }
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
        let parents = conformances(model, isRecursive: properties.contains(where: \.isBoxed))
        let head = "struct \(model.name)\(parents) {"
        if lines.isEmpty && nested.isEmpty { return [head + "}"] }
        if lines.count == 1, nested.isEmpty, head.count + lines[0].count + 3 + indent <= Lines.width
        {
            return ["\(head) \(lines[0]) }"]
        }
        return Lines.head(head, indent) + nested.joined(after: lines.indented) + ["}"]
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

    private func choice(_ model: Model, _ raw: String, _ cases: [Case], _ indent: Int) -> [String] {
        var parents = [raw]
        if model.isParameter { parents.append("PathRepresentable") }
        if model.isWritten { parents.append("Encodable") }
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
            if union.tag == nil, union.isAmbiguous {
                lines.append("// Nothing tells some of these apart: the first that fits is taken.")
            }
            let options = self.options(union, indent + 4)
            if lines.count > 1 || options.count > 1 { lines.append("") }
            lines += options
        }
        let prefix = model.isIndirect ? "indirect " : ""
        let head = "\(prefix)enum \(model.name): \(parent) {"
        let nested = self.nested(model, indent)
        let line = "\(head) \(lines.first ?? "") }"
        if lines.count == 1, nested.isEmpty, line.count + indent <= Lines.width { return [line] }
        return Lines.head(head, indent) + ([lines.indented] + nested).spaced + ["}"]
    }

    /// How the cases are told apart.
    private func options(_ union: Union, _ indent: Int) -> [String] {
        let head = "static let options = Options("
        let parts = union.parts.map { part in
            let name = part.name.escapedName
            guard union.tag != nil else { return name }
            let tags = part.tags.unique.map { "\"\($0.swiftLiteral)\"" }
            return ".init(\((tags + ["as: \(name)"]).joined(separator: ", ")))"
        }
        let tag = union.tag.map { "by: \"\(names.codingKey($0).swiftLiteral)\"" }
        return Lines.call(head, (tag.map { [$0] } ?? []) + parts, indent)
    }
}
