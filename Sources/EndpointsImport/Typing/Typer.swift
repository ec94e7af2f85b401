import EndpointsDocuments

/// What a value of a schema is for.
enum Purpose {
    /// A response has it.
    case read
    /// A request has it.
    case write
    /// The body of a PATCH has it: nothing is sent that the caller didn't set.
    case patch
}

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
    private var found: [String: Found] = [:]
    /// The keys of ``found`` in the order in which they came.
    private var keys: [String] = []
    private var inProgress: Set<String> = []
    /// The key of the schema with a name whose type is being found.
    private var owner = ""
    /// The names of schemas that their type in a PATCH has.
    private var taken: Set<String> = []
    private lazy var variants = Variants(document)

    init(_ document: Document, _ names: Names, _ report: Report) {
        (self.document, self.names, self.report) = (document, names, report)
    }

    /// The type of a schema. A model without a name of its own is nested in the scope.
    func type(
        of node: Node, named name: String, in scope: Scope, for purpose: Purpose
    ) throws -> Found {
        if let override = names.overrides.type(at: node.pointer) {
            return Found(type: .plain(override))
        }
        guard node.json["$ref"] != nil, try !document.saysMore(node) else {
            return try newType(of: node, named: name, in: scope, for: purpose)
        }
        let target = try document.schema(node)
        let place = target.pointer.description
        if let override = names.overrides.type(at: target.pointer) {
            return Found(type: .plain(override))
        }
        guard let own = names.models[place] else {
            return try type(of: target, named: name, in: scope, for: purpose)
        }
        let variant = try variants.variant(of: target, for: purpose)
        let key = "\(place)\(variant.rawValue)"
        if let known = found[key] { return known }
        guard inProgress.insert(key).inserted else {
            if let found = try collection(target, for: purpose) { return found }
            report.note(target.pointer, "has itself as its type, and is a `JSONValue`")
            return Found(type: .json)
        }
        let outer = owner
        owner = key
        defer {
            inProgress.remove(key)
            owner = outer
        }
        let mark = keys.count
        do {
            // What is named by its changes already is, unless the same schema has another type.
            let isNamed =
                variant == .patch && own.hasSuffix("Changes") && found[place] == nil
            let isSecond = variant == .none && taken.contains(own)
            if isNamed { taken.insert(own) }
            let name = variant == .patch ? names.changes(of: own) : own + variant.suffix
            let type = try newType(
                of: target, named: isNamed ? own : name, in: names.top, for: purpose, key: key,
                isVariant: variant != .none && !isNamed || isSecond)
            set(type, for: key)
            return type
        } catch {
            // What was found meanwhile may have this one as a part.
            for key in keys[mark...] { found[key] = nil }
            keys.removeSubrange(mark...)
            throw error
        }
    }

    /// The type of a named list or map that leads back to itself, where its elements are a model
    /// that is declared already.
    private func collection(_ target: Node, for purpose: Purpose) throws -> Found? {
        let shape = try document.shape(of: target)
        guard shape.values == nil, shape.parts.isEmpty, shape.properties.isEmpty,
            let element = shape.items ?? shape.additional, element.json["$ref"] != nil
        else { return nil }
        let schema = try document.schema(element)
        let variant = try variants.variant(of: schema, for: purpose)
        guard let known = found["\(schema.pointer)\(variant.rawValue)"] else { return nil }
        let type = known.type.optional(if: known.isNullable)
        return Found(
            type: shape.items == nil ? .map(type) : .list(type), isNullable: shape.isNullable)
    }

    private func set(_ type: Found, for key: String) {
        if found.updateValue(type, forKey: key) == nil { keys.append(key) }
    }

    private func newType(
        of node: Node, named name: String, in scope: Scope, for purpose: Purpose,
        key: String? = nil, isVariant: Bool = false
    ) throws -> Found {
        if node.json.bool != nil { return Found(type: .json, isNullable: true) }
        guard node.json.members != nil else {
            throw DocumentError(node.pointer, "must be a schema, and is \(node.json.kind)")
        }
        if let only = try document.onlyPart(of: node), try !document.isChild(node, of: only) {
            var found = try type(of: only, named: name, in: scope, for: purpose)
            let nodes = try [node] + node.list("allOf")
            // Zod adds `null` by a part of its own, `{"type": ["object", "null"]}`. Strictly that
            // allows none, as the other part doesn't.
            if nodes.contains(where: {
                $0.json["nullable"]?.bool == true
                    || $0.json["type"]?.elements?.contains(.string("null")) == true
            }) {
                found.isNullable = true
            }
            return found
        }
        let shape = try document.shape(of: node)
        let type = try type(
            of: shape, node, named: name, in: scope, for: purpose, key: key, isVariant: isVariant)
        return Found(type: type, isNullable: shape.isNullable || type.isOptional)
    }

    /// The type of a shape that isn't a reference.
    func type(
        of shape: Shape, _ node: Node, named name: String, in scope: Scope, for purpose: Purpose,
        key: String?, isVariant: Bool = false
    ) throws -> SwiftType {
        // A schema without a name of its own that leads back to itself would be nested for ever.
        // Models that have it by `allOf` each have their own.
        let target = document.hasSiblings(node) ? node : try document.schema(node)
        let place = "\(target.pointer) \(key ?? "in \(owner)")"
        guard inProgress.insert(place).inserted else {
            report.note(target.pointer, "has itself as its type, and is a `JSONValue`")
            return .json
        }
        defer { inProgress.remove(place) }
        let naming = Naming(
            name: name, scope: scope, purpose: purpose, key: key, isVariant: isVariant)
        if let values = shape.values { return choice(values, shape.types, node, naming) }
        let parts = significant(shape.parts)
        if !parts.isEmpty { return try union(parts, shape, node, naming) }
        if !shape.subtypes.isEmpty {
            var base = Shape()
            base.discriminator = shape.discriminator
            return try declared(shape.subtypes, base, node, naming)
        }
        if !shape.properties.isEmpty, shape.types.isEmpty || shape.types.contains("object") {
            return try object(shape, node, naming)
        }
        if shape.types.count > 1 { return primitives(shape) }
        switch shape.types.first {
        case "array": return try list(shape, naming)
        case "object": return try map(shape, naming)
        case nil where shape.items != nil: return try list(shape, naming)
        case nil where shape.additional != nil: return try map(shape, naming)
        case "integer": return Self.integer(shape)
        case let type: return Self.primitive(type, shape.format)
        }
    }

    /// How a new model is named, where it is, and what it is for.
    struct Naming {
        let name: String
        let scope: Scope
        let purpose: Purpose
        /// The key of a schema with a name of its own.
        var key: String?
        /// Whether the name isn't the one that ``Names`` keeps for the schema.
        var isVariant = false
    }

    /// The parts of `oneOf` and `anyOf` that say something of the type.
    private func significant(_ parts: [Node]) -> [Node] {
        let words = [
            "$ref", "type", "properties", "enum", "const", "oneOf", "anyOf", "allOf", "items",
            "additionalProperties", "format", "nullable",
        ]
        return parts.contains { part in words.contains { part.json[$0] != nil } } ? parts : []
    }

    private func list(_ shape: Shape, _ naming: Naming) throws -> SwiftType {
        guard let items = shape.items else { return .list(.json) }
        let item = try type(
            of: items, named: naming.name.singular, in: naming.scope, for: naming.purpose)
        return .list(item.type.optional(if: item.isNullable))
    }

    private func map(_ shape: Shape, _ naming: Naming) throws -> SwiftType {
        guard let additional = shape.additional, additional.json.members?.list.isEmpty == false
        else { return .map(.json) }
        let value = try type(
            of: additional, named: naming.name.singular, in: naming.scope, for: naming.purpose)
        return .map(value.type.optional(if: value.isNullable))
    }

    static func primitive(_ type: String?, _ format: String?) -> SwiftType {
        switch (type, format) {
        case ("string", "date-time"): .plain("Date")
        case ("string", "date"): .plain("Day")
        case ("string", "byte"), ("string", "base64"): .data
        case ("string", _): .string
        case ("integer", "uint64"): .plain("UInt64")
        case ("integer", _), ("number", "int32"), ("number", "int64"): .plain("Int")
        case ("number", _): .plain("Double")
        case ("boolean", _): .plain("Bool")
        case (nil, "date-time"): .plain("Date")
        default: .json
        }
    }

    /// The type that has all values between the limits.
    static func integer(_ shape: Shape) -> SwiftType {
        let limits = [shape.minimum, shape.maximum].compactMap(\.self)
        // The largest number of a type isn't a `Double`, and JavaScript writes the next one.
        let isInt = limits.allSatisfy { limit in
            Int(limit) != nil || Double(limit).map { abs($0) < 0x1p63 } == true
                || limit.hasSuffix("9223372036854776000")
        }
        if isInt { return primitive("integer", shape.format) }
        let isUInt64 =
            shape.minimum != nil
            && limits.allSatisfy { limit in
                UInt64(limit) != nil || Double(limit).map { (0..<0x1p64).contains($0) } == true
                    || limit == "18446744073709552000"
            }
        return isUInt64 ? .plain("UInt64") : .plain("Decimal")
    }

    /// Declares a model in a scope.
    func declare(_ node: Node, _ naming: Naming) -> Model {
        var name = naming.name
        if naming.key == nil || naming.isVariant {
            let scope = naming.isVariant ? names.top : naming.scope
            name =
                (naming.isVariant ? nil : names.overrides.names[node.pointer.description])
                ?? scope.namer.name(name, or: "Value")
            scope.namer.take(name)
        }
        let model = Model(
            name: name, pointer: node.pointer, path: naming.scope.path,
            scope: naming.scope.nested(name))
        model.isDeprecated = node["deprecated"]?.isTrue == true
        // One that is named by its changes is no variant, and has a key of its own.
        let isOfPatch = naming.key?.hasSuffix(Variants.Variant.patch.rawValue) ?? true
        model.isPatch = naming.purpose == .patch && (isOfPatch || naming.isVariant)
        naming.scope.models.append(model)
        models.append(model)
        if let key = naming.key { set(Found(type: .model(model)), for: key) }
        return model
    }
}

/// Schemas that have another type in requests than in responses.
private final class Variants {
    enum Variant: String {
        case none = ""
        case patch = " patch"
        case input = " input"

        var suffix: String {
            switch self {
            case .none: ""
            case .patch: "Changes"
            case .input: "Input"
            }
        }
    }

    private let document: Document
    private var known: [String: Bool] = [:]
    /// Whether some member is only written: if none is, no schema is looked through for one.
    private let hasWriteOnly: Bool

    init(_ document: Document) {
        self.document = document
        hasWriteOnly = document.root.json.hasMember("writeOnly", .bool(true))
    }

    func variant(of node: Node, for purpose: Purpose) throws -> Variant {
        switch purpose {
        case .read: .none
        case .patch:
            if try reaches(node, isPatched, "patch") { .patch } else { try input(node) }
        case .write: try input(node)
        }
    }

    private func input(_ node: Node) throws -> Variant {
        try hasWriteOnly && reaches(node, isOnlyWritten, "input") ? .input : .none
    }

    /// A PATCH tells `null` and absent apart where a member can be both, and sends no default.
    private func isPatched(_ name: String, _ node: Node, _ shape: Shape) throws -> Bool {
        guard shape.required.contains(name) else {
            let member = try document.shape(of: node)
            // `null` may be a part of its own.
            return try member.isNullable
                || member.parts.contains { try document.shape(of: $0).isOnlyNull }
        }
        return try document.schema(node).json["default"] != nil || node.json["default"] != nil
    }

    /// A member that requests must have, and responses don't.
    private func isOnlyWritten(_ name: String, _ node: Node, _ shape: Shape) throws -> Bool {
        try shape.required.contains(name)
            && (node["writeOnly"]?.isTrue == true
                || document.schema(node)["writeOnly"]?.isTrue == true)
    }

    /// Whether a schema, or one inside it, has a member of some kind.
    private func reaches(
        _ start: Node, _ matches: (String, Node, Shape) throws -> Bool, _ kind: String
    ) throws -> Bool {
        var (seen, queue) = ([String](), [start])
        var visited: Set<String> = []
        while let node = queue.popLast() {
            guard node.json.members != nil, let target = try? document.schema(node) else {
                continue
            }
            let place = "\(kind) \(document.hasSiblings(node) ? node.pointer : target.pointer)"
            if known[place] == true { return remember(start, kind) }
            guard known[place] == nil, visited.insert(place).inserted,
                let shape = try? document.shape(of: node)
            else { continue }
            seen.append(place)
            for (name, member) in shape.properties {
                if (try? matches(name, member, shape)) == true { return remember(start, kind) }
                queue.append(member)
            }
            queue += [shape.items, shape.additional].compactMap(\.self) + shape.parts
            queue += shape.subtypes
        }
        for place in seen { known[place] = false }
        return false
    }

    private func remember(_ node: Node, _ kind: String) -> Bool {
        if let target = try? document.schema(node) { known["\(kind) \(target.pointer)"] = true }
        return true
    }
}

extension JSON {
    /// Whether an object in this value has a member with this value.
    fileprivate func hasMember(_ name: String, _ value: JSON) -> Bool {
        switch self {
        case .object(let members):
            members[name] == value || members.list.contains { $0.value.hasMember(name, value) }
        case .array(let elements): elements.contains { $0.hasMember(name, value) }
        default: false
        }
    }
}

extension Document {
    /// Whether what stands beside a reference says more than the schema that it leads to.
    func saysMore(_ node: Node) throws -> Bool {
        guard hasSiblings(node) else { return false }
        let target = try shape(of: schema(node))
        let own = node.json.members?.list ?? []
        return own.contains { member in
            switch member.name {
            case "required":
                !target.required.isSuperset(of: member.value.elements?.compactMap(\.text) ?? [])
            case "enum":
                target.values.map { values in
                    !Set(member.value.elements ?? []).isSuperset(of: values.map(\.json))
                } ?? true
            case "format": target.format != member.value.text
            case "properties", "const", "items", "prefixItems", "additionalProperties",
                "patternProperties", "allOf", "oneOf", "anyOf":
                true
            default: false
            }
        }
    }
}
