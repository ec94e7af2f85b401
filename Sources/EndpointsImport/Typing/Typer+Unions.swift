import EndpointsDocuments

extension Typer {
    /// The type of `oneOf` or `anyOf`.
    func union(
        _ all: [Node], _ shape: Shape, _ node: Node, _ naming: Naming
    ) throws -> SwiftType {
        let shapes = try all.map { try document.shape(of: $0) }
        let isNull = zip(all, shapes).map { part, shape in
            part["type"]?.text == "null" || part["enum"]?.json == .array([.null])
                || (shape.isOnlyNull && part.json.members?.list.count == 1)
        }
        let parts = zip(all, isNull).filter { !$1 }.map(\.0)
        let hasNull = isNull.contains(true)
        guard let first = parts.first else { return .json }
        if parts.count == 1, shape.properties.isEmpty {
            let found = try type(
                of: first, named: naming.name, in: naming.scope, for: naming.purpose)
            return found.type.optional(if: hasNull || found.isNullable)
        }
        let type = try several(parts, shape, node, naming)
        return type.optional(if: hasNull)
    }

    private func several(
        _ parts: [Node], _ base: Shape, _ node: Node, _ naming: Naming
    ) throws -> SwiftType {
        let shapes = try parts.map { try document.shape(of: $0) }
        let values = shapes.map { $0.values?.count == 1 ? $0.values?.first?.json : nil }
        if values.allSatisfy({ $0?.text != nil }) {
            let titles = parts.map { $0["title"]?.text }
            return .model(
                choice(
                    .string,
                    zip(titles, values).compactMap { title, value in value.map { (title, $0) } },
                    node, naming))
        }
        if values.allSatisfy({ if case .number(let text) = $0 { Int(text) != nil } else { false } })
        {
            let titles = parts.map { $0["title"]?.text }
            return .model(
                choice(
                    .int,
                    zip(titles, values).compactMap { title, value in value.map { (title, $0) } },
                    node, naming))
        }
        if shapes.allSatisfy({ $0.types == ["string"] && $0.parts.isEmpty }) {
            let enums = shapes.compactMap(\.values)
            guard enums.count == shapes.count else { return Self.stringType(shapes) }
            return choice(enums.flatMap(\.self), ["string"], node, naming)
        }
        if shapes.allSatisfy({
            ["integer", "number"].contains($0.types.first) && $0.types.count == 1
        }) {
            let types = Set(shapes.map(Self.integer))
            return shapes.contains { $0.types == ["number"] }
                ? .plain("Double") : types.count == 1 ? types.first ?? .json : .plain("Decimal")
        }
        return try declared(parts, base, node, naming)
    }

    /// Texts of several formats are one type if all have the same, and a `String` otherwise.
    private static func stringType(_ shapes: [Shape]) -> SwiftType {
        let types = Set(shapes.map { primitive("string", $0.values == nil ? $0.format : "enum") })
        return types.count == 1 ? types.first ?? .string : .string
    }

    /// An enum with a case for each part.
    func declared(
        _ parts: [Node], _ base: Shape, _ node: Node, _ naming: Naming
    ) throws -> SwiftType {
        let shapes = try parts.map { try document.shape(of: $0) }
        let model = declare(node, naming)
        var union = Union()
        union.tag = try tag(parts, shapes, base)
        var namer = Namer(taken: [
            "unknown", "init", "self", "options", "tag", "none", "some",
        ])
        let allTags = try zip(parts, shapes).map { part, shape in
            try union.tag.map { try self.tags($0, part, shape, base) } ?? []
        }
        for (index, part) in parts.enumerated() {
            let tags = allTags[index]
            let isOnly = tags.count == 1 && allTags.count { $0.contains(tags[0]) } == 1
            var hint = partName(part, shapes, index, tag: isOnly ? tags[0] : nil)
            let found: Found
            if base.discriminator != nil, try isItself(part, of: node) {
                // A parent that its own discriminator names, beside its children.
                var own = shapes[index]
                (own.subtypes, own.discriminator) = ([], nil)
                hint = tags.first ?? "own"
                found = Found(
                    type: try type(
                        of: own, part, named: hint.upperCamel, in: model.scope,
                        for: naming.purpose, key: nil))
            } else if base.properties.isEmpty {
                found = try type(
                    of: part, named: hint.upperCamel, in: model.scope, for: naming.purpose)
            } else {
                var whole = base
                whole.parts = []
                whole.merge(shapes[index])
                found = Found(
                    type: try type(
                        of: whole, part, named: hint.upperCamel, in: model.scope,
                        for: naming.purpose, key: nil))
            }
            let name = isOnly ? tags[0].lowerCamel : ""
            let type = found.type.unwrapped
            if let place = union.parts.firstIndex(where: { $0.type == type }) {
                union.parts[place].tags += tags
                continue
            }
            union.parts.append(
                Union.Part(
                    name: namer.name(name.isEmpty ? hint.lowerCamel : name, or: "value"),
                    type: type, tags: tags))
        }
        if union.tag == nil { order(&union, parts, shapes) }
        model.kind = .union(union)
        return .model(model)
    }

    private func isItself(_ part: Node, of node: Node) throws -> Bool {
        try document.schema(part).pointer.description == document.schema(node).pointer.description
    }

    /// Leaves out of the unions each part that leads back to it through parts alone: a value of it
    /// would have no end.
    func leaveOutEndless() {
        var done: Set<Model> = []
        func visit(_ model: Model, _ path: Set<Model>) {
            guard case .union(var union) = model.kind, !done.contains(model) else { return }
            let path = path.union([model])
            union.parts.removeAll { part in
                guard let next = part.type.model, path.contains(next) else { return false }
                report.note(
                    model.pointer,
                    "is itself as its part `\(part.name)`, which has no end; it isn't declared")
                return true
            }
            model.kind = .union(union)
            for part in union.parts { if let next = part.type.model { visit(next, path) } }
            done.insert(model)
        }
        for model in models { visit(model, []) }
    }

    /// What a part is called: by its own name, its tag, its only value, its type, or a member that
    /// no other part has.
    private func partName(
        _ part: Node, _ shapes: [Shape], _ index: Int, tag: String?
    ) -> String {
        if let reference = part["$ref"]?.text, let last = reference.split(separator: "/").last {
            return String(last)
        }
        if let title = part["title"]?.text, !title.words.isEmpty { return title }
        let shape = shapes[index]
        if let only = tag ?? (shape.values?.count == 1 ? shape.values?.first?.text : nil),
            !only.words.isEmpty
        {
            return only
        }
        switch shape.types.first {
        case "string": return shape.format == "date-time" ? "date" : "text"
        case "integer", "number": return "number"
        case "boolean": return "bool"
        case "array": return "list"
        default: break
        }
        let others = shapes.enumerated().filter { $0.offset != index }.map(\.element)
        let own = shape.properties.map(\.name).filter { name in
            !name.words.isEmpty && !others.contains { $0.property(name) != nil }
        }
        if let name = own.first(where: shape.required.contains) ?? own.first { return name }
        let isMap = shape.properties.isEmpty && shape.additional?.json.members != nil
        return isMap ? "map" : "option \(index + 1)"
    }

    /// The member that tells the parts apart: the discriminator, or one that has other values in
    /// each part.
    private func tag(_ parts: [Node], _ shapes: [Shape], _ base: Shape) throws -> String? {
        if let tag = base.discriminator?["propertyName"]?.text { return tag }
        guard let first = shapes.first else { return nil }
        return try first.properties.map(\.name).first { name in
            var seen: Set<String> = []
            for shape in shapes {
                guard let property = shape.property(name),
                    let values = try document.shape(of: property).values, !values.isEmpty
                else { return false }
                for value in values {
                    guard seen.insert(value.text ?? value.json.written).inserted else {
                        return false
                    }
                }
            }
            return true
        }
    }

    private func tags(
        _ tag: String, _ part: Node, _ shape: Shape, _ base: Shape
    ) throws -> [String] {
        var seen: Set<String> = []
        return try tags(tag, part, shape, base, &seen)
    }

    private func tags(
        _ tag: String, _ part: Node, _ shape: Shape, _ base: Shape, _ seen: inout Set<String>
    ) throws -> [String] {
        let place = try document.schema(part).pointer.description
        guard seen.insert(place).inserted else { return [] }
        let reference = part["$ref"]?.text
        let last = reference?.split(separator: "/").last.map(String.init)
        let mapped = (base.discriminator?["mapping"]?.allMembers ?? []).filter { member in
            guard let target = member.node.text else { return false }
            return target == reference || target == last
        }
        if !mapped.isEmpty { return mapped.map(\.name) }
        if let property = shape.property(tag) {
            let value = try document.shape(of: property)
            let values = try [value] + value.parts.map { try document.shape(of: $0) }
            let texts = values.flatMap { $0.values ?? [] }.map { $0.text ?? $0.json.written }
            // Parts that share an enum are told apart by the names of their schemas.
            if texts.count > 1, base.discriminator != nil, let last, texts.contains(last) {
                return [last]
            }
            if !texts.isEmpty { return texts }
        } else if !shape.parts.isEmpty {
            var inner = shape
            inner.discriminator = shape.discriminator ?? base.discriminator
            return try shape.parts.flatMap {
                try tags(tag, $0, document.shape(of: $0), inner, &seen)
            }
        }
        return last.map { [$0] } ?? []
    }

    /// Without a tag the parts are tried one after another: first those that need the most.
    private func order(_ union: inout Union, _ parts: [Node], _ shapes: [Shape]) {
        func weight(_ type: SwiftType) -> Int {
            switch type {
            case .plain("String"): return -2
            case .plain("JSONValue"), .map(.plain("JSONValue")): return -3
            case .plain: return 1000
            case .model(let model):
                switch model.kind {
                case .object(let properties): return properties.count { $0.isRequired }
                case .choice(raw: .string, _): return -1
                case .choice: return 999
                case .union: return 0
                }
            case .list, .map, .optional, .wrapped: return 500
            }
        }
        let weights = union.parts.map { weight($0.type) }
        let objects = union.parts.filter { $0.type.model.map { !$0.isChoice } == true }
        let required = objects.map { part -> Set<String> in
            guard case .object(let properties) = part.type.model?.kind else { return [] }
            return Set(properties.filter(\.isRequired).map(\.name))
        }
        union.isAmbiguous = Set(required).count < required.count
        union.parts = zip(union.parts, weights).enumerated().sorted {
            ($1.element.1, $0.offset) < ($0.element.1, $1.offset)
        }.map(\.element.0)
    }

    /// A value of several primitive types (`type: [string, integer]`).
    func primitives(_ shape: Shape) -> SwiftType {
        shape.types.allSatisfy { ["integer", "number"].contains($0) } ? .plain("Double") : .json
    }
}
