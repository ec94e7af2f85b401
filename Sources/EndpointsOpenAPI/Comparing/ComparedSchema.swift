import EndpointsDocuments

/// What a schema says of a value that is compared.
struct ComparedSchema {
    /// The types but `null`; empty if any type is allowed.
    var types: Set<String> = []
    var isNullable = false
    var format: String?
    var values: [JSON]?
    var properties: [String: Node] = [:]
    var required: Set<String> = []
    /// The schema of members without a name of their own, where they are allowed explicitly.
    var additional: Node?
    var items: Node?
    /// The parts of `oneOf` or `anyOf`, or the children that a discriminator tells apart.
    var parts: [Node] = []
    var isReadOnly = false
    var isWriteOnly = false

    /// Whether nothing is known of the values.
    var isFree: Bool {
        types.isEmpty && values == nil && properties.isEmpty && items == nil && parts.isEmpty
    }

    /// Whether this is an object that may have members of any name.
    var isOpen: Bool { additional != nil || properties.isEmpty }

    init(_ shape: Shape) {
        types = Set(shape.types)
        isNullable = shape.isNullable
        format = shape.format
        properties = Dictionary(shape.properties) { $1 }
        required = shape.required
        additional = shape.additional.flatMap { $0.json.bool == false ? nil : $0 }
        items = shape.items
        parts = shape.parts + shape.subtypes
        (isReadOnly, isWriteOnly) = (shape.isReadOnly, shape.isWriteOnly)
        values = shape.values?.map(\.json)
        let valueTypes = (values ?? []).map(\.schemaTypes)
        // If no value is of the type, the values say more about what is sent.
        if !valueTypes.isEmpty, types.isEmpty || valueTypes.allSatisfy(types.isDisjoint) {
            types = Set(valueTypes.compactMap(\.first))
        }
        if types.isEmpty {
            if !properties.isEmpty || additional != nil { types = ["object"] }
            if items != nil { types = ["array"] }
        }
    }

    /// Adds what another schema says of the same value.
    mutating func merge(_ other: ComparedSchema) {
        if types.isEmpty { types = other.types }
        isNullable = isNullable || other.isNullable
        format = format ?? other.format
        values = values ?? other.values
        properties.merge(other.properties) { $1 }
        required.formUnion(other.required)
        additional = additional ?? other.additional
        items = items ?? other.items
        parts += other.parts
        isReadOnly = isReadOnly || other.isReadOnly
        isWriteOnly = isWriteOnly || other.isWriteOnly
    }
}

/// A document whose schemas are compared. What each says is found once.
final class ComparedDocument {
    let document: Document
    private var known: [String: ComparedSchema] = [:]
    private var knownVariants: [String: [ComparedSchema]] = [:]
    private var inProgress: Set<String> = []

    init(_ document: Document) { self.document = document }

    /// The place of what a schema says: that of the schema it refers to, if it says nothing more.
    func place(of node: Node) -> String {
        guard node.json["$ref"] != nil, !document.hasSiblings(node), node.json["nullable"] == nil,
            let target = try? document.schema(node)
        else { return node.pointer.description }
        return target.pointer.description
    }

    /// What a schema says. One that can't be read allows any value.
    func schema(_ node: Node) -> ComparedSchema {
        let place = place(of: node)
        if let schema = known[place] { return schema }
        guard inProgress.insert(place).inserted else { return ComparedSchema(Shape()) }
        defer { inProgress.remove(place) }
        var schema = ComparedSchema((try? document.shape(of: node)) ?? Shape())
        let parts = schema.parts.map { (node: $0, schema: self.schema($0)) }
        let others = parts.filter { !($0.schema.isNullable && $0.schema.isFree) }
        if others.count < parts.count { schema.isNullable = true }
        schema.parts = []
        if others.count == 1 {
            schema.merge(others[0].schema)
        } else if others.contains(where: { !$0.schema.isFree }) {
            schema.parts = others.map(\.node)
        }
        known[place] = schema
        return schema
    }

    /// The schema without `oneOf` and `anyOf`, or one for each of their parts.
    func variants(of node: Node) -> [ComparedSchema] { variants(of: node, depth: 0) }

    private func variants(of node: Node, depth: Int) -> [ComparedSchema] {
        let schema = schema(node)
        guard !schema.parts.isEmpty, depth < 8 else { return [schema] }
        let key = "\(depth) \(place(of: node))"
        if let variants = knownVariants[key] { return variants }
        var base = schema
        base.parts = []
        // Many write `type: object` beside parts that are texts: the parts say what is sent.
        let isBare = base.types == ["object"] && base.properties.isEmpty
        var variants: [ComparedSchema] = []
        for part in leaves(of: schema) where variants.count <= 2000 {
            for variant in self.variants(of: part, depth: depth + 1) {
                // Nothing is a text, say, and an object: no value is of this part.
                if !isBare, !base.types.isEmpty, !variant.types.isEmpty,
                    !variant.types.contains(where: base.accepts), variant.types != ["number"]
                {
                    continue
                }
                var whole = base
                whole.merge(variant)
                if isBare, !variant.types.isEmpty { whole.types = variant.types }
                // Parts that are a value each are those of one enum.
                if let values = whole.values, let last = variants.last, let known = last.values,
                    last.types == whole.types, whole.properties.isEmpty, last.properties.isEmpty
                {
                    variants[variants.count - 1].values = known + values
                } else {
                    variants.append(whole)
                }
            }
        }
        // With so many, only what stands beside the parts is compared.
        if variants.isEmpty || variants.count > 2000 { variants = [base] }
        knownVariants[key] = variants
        return variants
    }

    /// The parts of a union, those of unions that are only that in place of these, each once.
    private func leaves(of schema: ComparedSchema) -> [Node] {
        var (leaves, seen) = ([Node](), Set<String>())
        func add(_ parts: [Node]) {
            for part in parts where seen.insert(place(of: part)).inserted {
                var other = self.schema(part)
                let inner = other.parts
                other.parts = []
                if !inner.isEmpty, other.isFree, other.additional == nil, other.format == nil {
                    add(inner)
                } else {
                    leaves.append(part)
                }
            }
        }
        add(schema.parts)
        return leaves
    }
}
