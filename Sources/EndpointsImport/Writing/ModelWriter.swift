import EndpointsDocuments

/// Writes the declaration of a model.
struct ModelWriter {
    let names: Names

    /// The name of a type: as it is written where the model is nested, or as it is elsewhere.
    func text(_ type: SwiftType, isRead: Bool, isElsewhere: Bool = false) -> Written {
        func text(_ type: SwiftType) -> Written {
            self.text(type, isRead: isRead, isElsewhere: isElsewhere)
        }
        switch type {
        case .plain(let name): return name
        case .model(let model):
            let name = isElsewhere ? model.qualifiedName : model.written
            return isRead && model.isChoice ? "OrUnknown<\(name)>" : name
        case .list(let item): return "[\(text(item))]"
        case .map(let value): return "[String: \(text(value))]"
        case .optional(let type): return "\(text(type))?"
        case .wrapped(let wrapper, let type): return "\(wrapper.written)<\(text(type))>"
        }
    }

    func lines(_ model: Model, _ indent: Int) -> [Written] {
        let lines =
            switch model.kind {
            case .object(let properties): object(model, properties, indent)
            case .choice(let raw, let cases): choice(model, raw, cases, indent)
            case .union(let union): self.union(model, union, indent)
            }
        return (model.comment.map { Lines.comment($0, indent) } ?? []) + lines
    }

    /// `Sendable` only where Swift doesn't find it out: in a model that leads back to itself.
    private func conformances(_ model: Model) -> Written {
        let coding: [Written] =
            switch (model.isRead, model.isWritten) {
            case (true, true): ["Codable"]
            case (true, false): ["Decodable"]
            case (false, true): ["Encodable"]
            case (false, false): []
            }
        let all = coding + (model.isInCircle ? ["Sendable"] : [])
        return all.isEmpty ? "" : ": \(all.joined(separator: ", "))"
    }

    /// Makes a model usable from everywhere, also in a target whose code is on the main actor by
    /// default. What is nested in it is so too, and a request is by its protocol.
    private func isolation(_ model: Model) -> Written { model.path.isEmpty ? "nonisolated " : "" }

    private func nested(_ model: Model, _ indent: Int) -> [[Written]] {
        model.scope.models.filter { !$0.tags.isEmpty }.map { lines($0, indent + 4).indented }
    }

    private func object(_ model: Model, _ all: [Property], _ indent: Int) -> [Written] {
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
        let head: Written = "\(isolation(model))struct \(model.written)\(conformances(model)) {"
        if lines.isEmpty && nested.isEmpty { return ["\(head)}"] }
        if lines.count == 1, nested.isEmpty, head.count + lines[0].count + 3 + indent <= Lines.width
        {
            return ["\(head) \(lines[0]) }"]
        }
        return Lines.head(head, indent) + nested.joined(after: lines.indented) + ["}"]
    }

    private func codingKeys(_ properties: [Property], _ indent: Int) -> [Written] {
        let keys = properties.map { property -> Written in
            let key = names.codingKey(property.name)
            let name = Written.name(property.swiftName)
            return key == property.swiftName ? name : "\(name) = \(.literal(key))"
        }
        return Lines.cases(keys, indent)
    }

    func deprecation(_ isDeprecated: Bool) -> [Written] {
        isDeprecated ? ["@available(*, deprecated)"] : []
    }

    private func choice(
        _ model: Model, _ raw: Model.Raw, _ cases: [Case], _ indent: Int
    ) -> [Written] {
        var parents = [raw.written]
        if model.isParameter { parents.append("PathRepresentable") }
        if model.isWritten { parents.append("Encodable") }
        let names = cases.map { item -> Written in
            let name = Written.name(item.name)
            if raw == .string, item.value.text == item.name { return name }
            let value = item.value.text.map(Written.literal) ?? .number(item.value.written)
            return "\(name) = \(value)"
        }
        let head: Written =
            "\(isolation(model))enum \(model.written): \(parents.joined(separator: ", ")) {"
        let lines = Lines.cases(names, indent + 4)
        if lines.count == 1, head.count + lines[0].count + 3 + indent <= Lines.width {
            return ["\(head) \(lines[0]) }"]
        }
        return Lines.head(head, indent) + lines.indented + ["}"]
    }

    private func union(_ model: Model, _ union: Union, _ indent: Int) -> [Written] {
        var parts = union.parts.map { part -> Written in
            "\(.name(part.name))(\(text(part.type, isRead: model.isRead)))"
        }
        if model.isRead { parts.append("unknown(JSONValue)") }
        let parent: Written =
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
        let prefix: Written = isolation(model) + (model.isIndirect ? "indirect " : "")
        let head: Written = "\(prefix)enum \(model.written): \(parent) {"
        let nested = self.nested(model, indent)
        let line: Written = "\(head) \(lines.first ?? "") }"
        if lines.count == 1, nested.isEmpty, line.count + indent <= Lines.width { return [line] }
        return Lines.head(head, indent) + ([lines.indented] + nested).spaced + ["}"]
    }

    /// How the cases are told apart.
    private func options(_ union: Union, _ indent: Int) -> [Written] {
        let head: Written = "static let options = Options("
        let parts = union.parts.map { part -> Written in
            let name = Written.name(part.name)
            guard union.tag != nil else { return name }
            let tags = part.tags.unique.map(Written.literal)
            return ".init(\((tags + ["as: \(name)"]).joined(separator: ", ")))"
        }
        let tag = union.tag.map { tag -> Written in "by: \(.literal(names.codingKey(tag)))" }
        return Lines.call(head, (tag.map { [$0] } ?? []) + parts, indent)
    }
}
