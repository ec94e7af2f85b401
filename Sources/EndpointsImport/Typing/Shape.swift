/// What a schema says, with the schemas of its `allOf` merged into it.
struct Shape {
    var types: [String] = []
    var isNullable = false
    var format: String?
    var values: [Node]?
    var properties: [(name: String, node: Node)] = []
    var required: Set<String> = []
    var items: Node?
    var additional: Node?
    var parts: [Node] = []
    var discriminator: Node?

    mutating func merge(_ other: Shape) {
        if types.isEmpty { types = other.types }
        isNullable = isNullable || other.isNullable
        format = format ?? other.format
        values = values ?? other.values
        for property in other.properties {
            if let place = properties.firstIndex(where: { $0.name == property.name }) {
                properties[place] = property
            } else {
                properties.append(property)
            }
        }
        required.formUnion(other.required)
        items = items ?? other.items
        additional = additional ?? other.additional
        if parts.isEmpty { parts = other.parts }
        discriminator = discriminator ?? other.discriminator
    }
}

extension Document {
    /// The shape of a schema; a reference is followed.
    func shape(of node: Node, seen: Set<String> = []) throws -> Shape {
        let node = try resolved(node)
        var shape = try ownShape(of: node)
        guard node["allOf"] != nil else { return shape }
        let place = node.pointer.description
        guard !seen.contains(place) else {
            throw DocumentError(node.pointer, "`allOf` goes in a circle")
        }
        var merged = Shape()
        for part in try node.list("allOf") {
            merged.merge(try self.shape(of: part, seen: seen.union([place])))
        }
        let isNullable = shape.isNullable
        merged.isNullable = node["nullable"] == nil && node["type"] == nil && merged.isNullable
        (merged.types, shape.types) = (shape.types.isEmpty ? merged.types : shape.types, [])
        merged.merge(shape)
        merged.isNullable = merged.isNullable || isNullable
        return merged
    }

    private func ownShape(of node: Node) throws -> Shape {
        var shape = Shape()
        if let type = node["type"] {
            guard type.text != nil || type.json.elements != nil else {
                throw DocumentError(
                    type.pointer, "must be a text or a list of texts, and is \(type.json.kind)")
            }
            shape.types = type.text.map { [$0] } ?? type.texts
        }
        shape.isNullable = node["nullable"]?.json.bool == true || shape.types.contains("null")
        shape.types.removeAll { $0 == "null" }
        shape.format = node["format"]?.text ?? node["contentEncoding"]?.text
        if let constant = node["const"] {
            shape.values = [constant]
        } else if node["enum"] != nil {
            let values = try node.list("enum")
            if values.contains(where: { $0.json == .null }) { shape.isNullable = true }
            // A list without values says nothing: an API has some.
            let others = values.filter { $0.json != .null }
            shape.values = others.isEmpty ? nil : others
        }
        shape.properties = try node.object("properties")?.allMembers ?? []
        shape.required = Set(
            try node["required"]?.json.bool == nil ? node.list("required").compactMap(\.text) : [])
        shape.items = node["items"]
        if let additional = node["additionalProperties"] { shape.additional = additional }
        if let patterns = node["patternProperties"]?.allMembers.first {
            shape.additional = patterns.node
        }
        shape.parts = try node.list("oneOf") + node.list("anyOf")
        shape.discriminator = try node.object("discriminator")
        return shape
    }

    /// The only schema in `allOf` that says something, if the rest says nothing of the type.
    func onlyPart(of node: Node) throws -> Node? {
        let own = ["properties", "enum", "const", "oneOf", "anyOf", "items", "required"]
        guard node["allOf"] != nil, !own.contains(where: { node[$0] != nil }) else { return nil }
        let parts = try node.list("allOf").filter { part in
            (own + ["$ref", "allOf", "additionalProperties", "format"]).contains { part[$0] != nil }
        }
        return parts.count == 1 ? parts.first : nil
    }
}
