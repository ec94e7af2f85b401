/// What a schema says, with the schemas of its `allOf` merged into it.
package struct Shape {
    package var types: [String] = []
    package var isNullable = false
    package var format: String?
    package var values: [Node]?
    package private(set) var properties: [(name: String, node: Node)] = []
    private var places: [String: Int] = [:]
    package var required: Set<String> = []
    package var items: Node?
    package var additional: Node?
    package var parts: [Node] = []
    package var discriminator: Node?
    /// The schemas that a parent's discriminator tells apart.
    package var subtypes: [Node] = []
    package var isReadOnly = false
    package var isWriteOnly = false
    package var minimum: String?
    package var maximum: String?

    package init() {}

    package func property(_ name: String) -> Node? { places[name].map { properties[$0].node } }

    package mutating func set(_ name: String, _ node: Node) {
        if let place = places[name] {
            properties[place].node = node
        } else {
            places[name] = properties.count
            properties.append((name, node))
        }
    }

    package mutating func removeProperties() { (properties, places) = ([], [:]) }

    /// Adds what another schema says of the same value.
    package mutating func merge(_ other: Shape) {
        if types.isEmpty { types = other.types }
        isNullable = isNullable || other.isNullable
        format = format ?? other.format
        values = Self.common(values, other.values)
        for property in other.properties { set(property.name, property.node) }
        required.formUnion(other.required)
        items = items ?? other.items
        additional = additional ?? other.additional
        if parts.isEmpty { parts = other.parts }
        discriminator = discriminator ?? other.discriminator
        isReadOnly = isReadOnly || other.isReadOnly
        isWriteOnly = isWriteOnly || other.isWriteOnly
        minimum = minimum ?? other.minimum
        maximum = maximum ?? other.maximum
    }

    /// The values that both allow; those of the first if they have none in common.
    private static func common(_ one: [Node]?, _ other: [Node]?) -> [Node]? {
        guard let one, let other else { return one ?? other }
        let allowed = Set(other.map(\.json))
        let both = one.filter { allowed.contains($0.json) }
        return both.isEmpty ? one : both
    }

    /// Whether nothing is known of the values.
    package var isFree: Bool {
        types.isEmpty && values == nil && properties.isEmpty && items == nil && parts.isEmpty
            && additional == nil
    }

    /// Whether only `null` is allowed.
    package var isOnlyNull: Bool { isNullable && isFree }
}

extension Document {
    /// The shape of a schema; a reference is followed.
    ///
    /// - Throws: A ``DocumentError`` for the first thing that is wrong.
    package func shape(of node: Node) throws(DocumentError) -> Shape {
        guard let reference = node.json["$ref"]?.text else { return try ownShape(node) }
        let key = "\(node.pointer.file) \(reference)"
        let target = try schema(node)
        var known: Shape
        if let shape = shapes[key] {
            known = shape
        } else {
            // A reference that says more is merged with what it refers to.
            known =
                target.json["$ref"] == nil ? try ownShape(target) : try shape(of: target)
            shapes[key] = known
        }
        // Many write it beside a reference, also where OpenAPI 3.0 ignores it.
        if node.json["nullable"]?.bool == true { known.isNullable = true }
        guard hasSiblings(node) else { return known }
        var shape = try ownShape(node)
        let isNullable = shape.types.isEmpty ? known.isNullable : shape.isNullable
        shape.merge(known)
        shape.isNullable = isNullable
        return shape
    }

    /// Whether a reference has something beside it that says more of the value (JSON Schema
    /// 2020-12, section 8.2.3.1). In OpenAPI 3.0 it is ignored.
    package func hasSiblings(_ node: Node) -> Bool {
        guard !isVersion30, node.json["$ref"] != nil, let members = node.json.members,
            members.list.count > 1
        else { return false }
        return members.list.contains { Self.saying.contains($0.name) }
    }

    /// The members of a schema that say which values there are.
    private static let saying: Set = [
        "properties", "required", "enum", "const", "items", "prefixItems", "additionalProperties",
        "patternProperties", "allOf", "oneOf", "anyOf", "format",
    ]

    private func ownShape(_ node: Node) throws(DocumentError) -> Shape {
        if node.json.bool != nil { return Shape() }
        guard node.json.members != nil else {
            throw DocumentError(node.pointer, "must be a schema, and is \(node.json.kind)")
        }
        var shape = try plainShape(of: node)
        if shape.parts.isEmpty, let discriminator = shape.discriminator {
            shape.subtypes = subtypes(of: node, discriminator)
        }
        guard node.json["allOf"] != nil else { return shape }
        let place = node.pointer.description
        // Each has the members of those that it consists of, so the time is that of all pairs.
        guard allOfPlaces.count < 500 else {
            throw DocumentError(node.pointer, "`allOf` leads to more than 500 schemas in a row")
        }
        guard allOfPlaces.insert(place).inserted else {
            throw DocumentError(node.pointer, "`allOf` goes in a circle")
        }
        defer { allOfPlaces.remove(place) }
        var merged = Shape()
        for part in try node.list("allOf") {
            var other = try self.shape(of: part)
            // What tells a parent's children apart isn't said of a child.
            if !other.subtypes.isEmpty { (other.subtypes, other.discriminator) = ([], nil) }
            merged.merge(other)
        }
        let isNullable = shape.isNullable
        merged.isNullable =
            node.json["nullable"] == nil && node.json["type"] == nil && merged.isNullable
        let subtypes = shape.subtypes
        var values = shape.values
        if let own = values, let other = merged.values {
            let allowed = Set(other.map(\.json))
            let both = own.filter { allowed.contains($0.json) }
            values = both.isEmpty ? own : both
        }
        (merged.types, shape.types) = (shape.types.isEmpty ? merged.types : shape.types, [])
        merged.merge(shape)
        merged.isNullable = merged.isNullable || isNullable
        merged.subtypes = subtypes
        merged.values = values ?? merged.values
        return merged
    }

    private func plainShape(of node: Node) throws(DocumentError) -> Shape {
        var shape = Shape()
        if let type = node["type"] {
            guard type.text != nil || type.json.elements != nil else {
                throw DocumentError(
                    type.pointer, "must be a text or a list of texts, and is \(type.json.kind)")
            }
            shape.types = (type.text.map { [$0] } ?? type.texts).compactMap(\.schemaType)
        }
        shape.isNullable =
            node.json["nullable"]?.bool == true || node.json["x-nullable"]?.bool == true
            || shape.types.contains("null")
        shape.types.removeAll { $0 == "null" }
        shape.format = node.json["format"]?.text ?? node.json["contentEncoding"]?.text
        try setValues(of: node, &shape)
        for (name, member) in try node.object("properties")?.allMembers ?? [] {
            shape.set(name, member)
        }
        if node.json["required"]?.bool == nil {
            shape.required = Set(try node.list("required").compactMap(\.text))
        }
        shape.items = items(of: node)
        shape.additional = additional(of: node)
        shape.parts = try node.list("oneOf") + node.list("anyOf")
        shape.discriminator = try node.object("discriminator")
        shape.isReadOnly = node.json["readOnly"]?.bool == true
        shape.isWriteOnly = node.json["writeOnly"]?.bool == true
        if case .number(let text)? = node.json["minimum"] { shape.minimum = text }
        if case .number(let text)? = node.json["maximum"] { shape.maximum = text }
        return shape
    }

    private func setValues(of node: Node, _ shape: inout Shape) throws(DocumentError) {
        var values: [Node]?
        if let constant = node["const"] {
            values = [constant]
        } else if node.json["enum"] != nil {
            values = try node.list("enum")
        }
        guard let values else { return }
        if values.contains(where: { $0.json == .null }) { shape.isNullable = true }
        // A list without values says nothing: an API has some.
        let others = values.filter { $0.json != .null }
        shape.values = others.isEmpty ? nil : others
        guard !others.isEmpty else { return }
        // Values tell their type where the schema doesn't, and where all numbers are whole.
        if shape.types.isEmpty || shape.types == ["number"] {
            let types = Set(others.compactMap { $0.json.schemaTypes.first })
            if types.count == 1, let type = types.first,
                shape.types.isEmpty || type == "integer"
            {
                shape.types = [type]
            }
        }
    }

    /// The schema of all elements; `nil` if they have several.
    private func items(of node: Node) -> Node? {
        // Before JSON Schema 2020-12, a list of schemas in `items` was what `prefixItems` is.
        guard let first = (node["prefixItems"] ?? node["items"])?.elements, !first.isEmpty else {
            return node["items"]
        }
        let rest = node["items"] ?? Node(.bool(true))
        let all = first + (rest.json.members == nil ? [] : [rest])
        return Set(all.map(\.json)).count == 1 ? all.first : nil
    }

    /// The schema of the members without a name of their own; any value if they have several.
    private func additional(of node: Node) -> Node? {
        let patterns = node["patternProperties"]?.allMembers.map(\.node) ?? []
        guard let first = patterns.first else { return node["additionalProperties"] }
        let isOne = Set(patterns.map(\.json)).count == 1
        let other = node["additionalProperties"].flatMap { $0.json.members == nil ? nil : $0 }
        if isOne, other == nil || other?.json == first.json { return first }
        return Node(.bool(true), at: first.pointer)
    }

    /// The only schema that says something, among those of `allOf`, or the one of a reference with
    /// others beside it, if the rest says nothing of the type.
    package func onlyPart(of node: Node) throws(DocumentError) -> Node? {
        let own = ["properties", "oneOf", "anyOf", "items", "required", "prefixItems"]
        guard node.json["allOf"] != nil, !own.contains(where: { node.json[$0] != nil }) else {
            return nil
        }
        let says =
            own + ["$ref", "allOf", "additionalProperties", "format", "enum", "const"]
        let parts = try node.list("allOf").filter { part in
            says.contains { part.json[$0] != nil }
        }
        guard parts.count == 1, let only = parts.first else { return nil }
        guard node.json["enum"] != nil || node.json["const"] != nil else { return only }
        return try hasSameValues(node, only) ? only : nil
    }

    /// Whether the values of a schema are all those that another one has.
    private func hasSameValues(_ node: Node, _ other: Node) throws(DocumentError) -> Bool {
        let own = try plainShape(of: node).values
        let others = try shape(of: other).values
        guard let own, let others else { return false }
        return Set(own.map(\.json)).isSuperset(of: others.map(\.json))
    }
}

extension String {
    /// The type of JSON Schema that a word stands for; `nil` if it stands for any.
    fileprivate var schemaType: String? {
        switch self {
        case "null", "boolean", "object", "array", "number", "string", "integer": self
        case "int", "int32", "int64", "long": "integer"
        case "float", "double", "decimal": "number"
        case "bool": "boolean"
        case "text", "str", "date", "date-time", "datetime", "uuid", "file", "enum": "string"
        case "list": "array"
        case "map", "dict": "object"
        default: nil
        }
    }
}

extension JSON {
    /// The types of a schema that the value has, the narrowest first.
    package var schemaTypes: [String] {
        switch self {
        case .null: ["null"]
        case .bool: ["boolean"]
        case .number(let text):
            Double(text).map { $0.rounded() == $0 } == true ? ["integer", "number"] : ["number"]
        case .string: ["string"]
        case .array: ["array"]
        case .object: ["object"]
        }
    }

    /// Whether the value has one of a schema's types.
    package func has(types: [String]) -> Bool { schemaTypes.contains(where: types.contains) }
}
