/// Finds the Swift type of each schema, and declares the models.
final class Typer {
    /// A type, and whether `null` is allowed in its place.
    struct Found {
        var type: SwiftType
        var isNullable = false
    }

    let document: Document
    let names: Names
    let report: Report
    private(set) var models: [Model] = []
    /// The bodies of PATCH.
    var patched: Set<Model> = []
    private var found: [String: Found] = [:]
    private var inProgress: Set<String> = []

    init(_ document: Document, _ names: Names, _ report: Report) {
        (self.document, self.names, self.report) = (document, names, report)
    }

    /// The type of a schema. A model without a name of its own is nested in the scope.
    func type(of node: Node, named name: String, in scope: Scope, isPatch: Bool = false) throws
        -> Found
    {
        if let override = names.overrides.type(at: node.pointer) {
            return Found(type: .plain(override))
        }
        guard node["$ref"] != nil else {
            return try newType(of: node, named: name, in: scope, isPatch: isPatch)
        }
        let target = try document.resolved(node)
        let place = target.pointer.description
        if let override = names.overrides.type(at: target.pointer) {
            return Found(type: .plain(override))
        }
        guard let own = names.models[place] else {
            return try type(of: target, named: name, in: scope, isPatch: isPatch)
        }
        let hasPatch = try isPatch && self.hasPatch(target)
        let key = hasPatch ? "\(place) patch" : place
        if let known = found[key] { return known }
        guard inProgress.insert(key).inserted else {
            report.note(target.pointer, "has itself as its type, and is a `JSONValue`")
            return Found(type: .json)
        }
        defer { inProgress.remove(key) }
        let top = names.top
        let type = try newType(
            of: target, named: hasPatch ? own + "Changes" : own, in: top, isPatch: hasPatch,
            key: key)
        found[key] = type
        return type
    }

    /// A PATCH tells `null` and absent apart only where a member can be both.
    private func hasPatch(_ node: Node, seen: Set<String> = []) throws -> Bool {
        let shape = try document.shape(of: node)
        let place = try document.resolved(node).pointer.description
        guard !seen.contains(place) else { return false }
        let isOwn = try shape.properties.contains { property in
            try !shape.required.contains(property.name)
                && document.shape(of: property.node).isNullable
        }
        return try isOwn
            || shape.parts.contains { try hasPatch($0, seen: seen.union([place])) }
    }

    private func newType(
        of node: Node, named name: String, in scope: Scope, isPatch: Bool, key: String? = nil
    ) throws -> Found {
        if node.json.bool != nil { return Found(type: .json, isNullable: true) }
        guard node.json.members != nil else {
            throw DocumentError(node.pointer, "must be a schema, and is \(node.json.kind)")
        }
        if let only = try document.onlyPart(of: node) {
            var found = try type(of: only, named: name, in: scope, isPatch: isPatch)
            let nodes = try [node] + node.list("allOf")
            if nodes.contains(where: { $0["nullable"]?.json.bool == true }) {
                found.isNullable = true
            }
            return found
        }
        let shape = try document.shape(of: node)
        let type = try type(
            of: shape, node, named: name, in: scope, key: key, isPatch: isPatch)
        return Found(
            type: type, isNullable: shape.isNullable || type.isOptional)
    }

    /// The type of a shape that isn't a reference.
    func type(
        of shape: Shape, _ node: Node, named name: String, in scope: Scope, key: String?,
        isPatch: Bool = false
    ) throws -> SwiftType {
        // A schema without a name of its own that leads back to itself would be nested for ever.
        let target = try document.resolved(node)
        let place = "\(target.pointer) \(key ?? "")"
        guard inProgress.insert(place).inserted else {
            report.note(target.pointer, "has itself as its type, and is a `JSONValue`")
            return .json
        }
        defer { inProgress.remove(place) }
        if let values = shape.values {
            return choice(values, shape.types, node, named: name, in: scope, key)
        }
        let parts = try significant(shape.parts)
        if !parts.isEmpty {
            return try union(
                parts, shape, node, named: name, in: scope, key: key, isPatch: isPatch)
        }
        if !shape.properties.isEmpty, shape.types.isEmpty || shape.types.contains("object") {
            return try object(shape, node, named: name, in: scope, key: key)
        }
        if shape.types.count > 1 {
            return primitives(shape, node, named: name, in: scope, key)
        }
        switch shape.types.first {
        case "array": return try list(shape, named: name, in: scope)
        case "object": return try map(shape, named: name, in: scope)
        case nil where shape.items != nil: return try list(shape, named: name, in: scope)
        case nil where shape.additional != nil: return try map(shape, named: name, in: scope)
        case let type: return Self.primitive(type, shape.format)
        }
    }

    /// The parts of `oneOf` and `anyOf` that say something of the type.
    private func significant(_ parts: [Node]) throws -> [Node] {
        let words = [
            "$ref", "type", "properties", "enum", "const", "oneOf", "anyOf", "allOf", "items",
            "additionalProperties", "format", "nullable",
        ]
        return parts.contains { part in words.contains { part[$0] != nil } } ? parts : []
    }

    private func list(_ shape: Shape, named name: String, in scope: Scope) throws -> SwiftType {
        guard let items = shape.items else { return .list(.json) }
        let item = try type(of: items, named: name.singular, in: scope)
        return .list(item.type.optional(if: item.isNullable))
    }

    private func map(_ shape: Shape, named name: String, in scope: Scope) throws -> SwiftType {
        guard let additional = shape.additional, additional.json.members?.list.isEmpty == false
        else { return .map(.json) }
        let value = try type(of: additional, named: name.singular, in: scope)
        return .map(value.type.optional(if: value.isNullable))
    }

    static func primitive(_ type: String?, _ format: String?) -> SwiftType {
        switch (type, format) {
        case ("string", "date-time"): .plain("Date")
        case ("string", "date"): .plain("Day")
        case ("string", "byte"), ("string", "base64"): .data
        case ("string", _): .string
        case ("integer", _): .plain("Int")
        case ("number", _): .plain("Double")
        case ("boolean", _): .plain("Bool")
        case (nil, "date-time"): .plain("Date")
        default: .json
        }
    }

    /// Declares a model in a scope.
    func declare(_ name: String, _ node: Node, in scope: Scope, key: String?) -> Model {
        var name = name
        if key == nil {
            name =
                names.overrides.names[node.pointer.description]
                ?? scope.namer.name(name, or: "Value")
            scope.namer.take(name)
        }
        let model = Model(
            name: name, pointer: node.pointer, path: scope.path, scope: scope.nested(name))
        model.isDeprecated = node["deprecated"]?.json.bool == true
        scope.models.append(model)
        models.append(model)
        if let key { found[key] = Found(type: .model(model)) }
        return model
    }
}
