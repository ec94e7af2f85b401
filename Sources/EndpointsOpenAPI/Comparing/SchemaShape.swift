import EndpointsFormats
import Foundation

/// What a schema says, with its references followed and its parts of `allOf` merged.
struct SchemaShape {
    /// The types but `null`; empty if any type is allowed.
    var types: Set<String> = []
    var isNullable = false
    var format: String?
    var values: [JSONValue]?
    var properties: [String: JSONValue] = [:]
    var required: Set<String> = []
    /// The schema of members without a name of their own, where they are allowed explicitly.
    var additional: JSONValue?
    var items: JSONValue?
    /// The parts of `oneOf` or `anyOf`.
    var parts: [JSONValue] = []
    var isReadOnly = false
    var isWriteOnly = false

    /// Whether nothing is known of the values.
    var isFree: Bool {
        types.isEmpty && values == nil && properties.isEmpty && items == nil && parts.isEmpty
    }

    /// Whether this is an object that may have members of any name.
    var isOpen: Bool { additional != nil || properties.isEmpty }

    private static let maximumDepth = 40

    private init() {}

    /// - Parameter isParent: Whether the schema is a part of `allOf`: what tells a parent's
    ///   children apart isn't said of a child.
    init(_ schema: JSONValue, in root: JSONValue, depth: Int = 0, isParent: Bool = false) {
        self.init()
        guard depth < Self.maximumDepth, case .object(let members) = schema else { return }
        if let target = root.target(of: schema) {
            self = SchemaShape(target, in: root, depth: depth + 1, isParent: isParent)
            if !isParent { parts += root.children(of: schema, target) }
            // In OpenAPI 3.0 what stands beside a reference is ignored.
            if root["openapi"]?.text?.hasPrefix("3.0") == true { return }
        }
        merge(members)
        mergeAll(
            (members["allOf"]?.elements ?? []).map {
                SchemaShape($0, in: root, depth: depth + 1, isParent: true)
            })
        let parts = (members["oneOf"]?.elements ?? []) + (members["anyOf"]?.elements ?? [])
        let others = parts.filter { !SchemaShape($0, in: root, depth: depth + 1).isOnlyNull }
        if others.count < parts.count { isNullable = true }
        if others.count == 1 {
            let isNullable = isNullable
            merge(SchemaShape(others[0], in: root, depth: depth + 1))
            self.isNullable = self.isNullable || isNullable
        } else if others.contains(where: { !SchemaShape($0, in: root, depth: depth + 1).isFree }) {
            self.parts += others
        }
    }

    /// Merges the parts of `allOf`. `null` of a part is none of a schema that names its own type.
    private mutating func mergeAll(_ parts: [SchemaShape]) {
        let hidesNull = !types.isEmpty && !isNullable
        for part in parts { merge(part) }
        if hidesNull { isNullable = false }
    }

    private var isOnlyNull: Bool {
        isNullable && types.isEmpty && properties.isEmpty && parts.isEmpty && items == nil
            && values?.isEmpty != false
    }

    private mutating func merge(_ members: [String: JSONValue]) {
        let types = members["type"].map { $0.elements ?? [$0] }?.compactMap(\.text) ?? []
        if types.contains("null") { isNullable = true }
        if !types.isEmpty { self.types = Set(types).subtracting(["null"]) }
        if members["nullable"]?.isTrue == true { isNullable = true }
        format = members["format"]?.text ?? format
        // A list without values says nothing: an API has some.
        if let values = members["enum"]?.elements ?? members["const"].map({ [$0] }), !values.isEmpty
        {
            if values.contains(.null) { isNullable = true }
            self.values = values.filter { $0 != .null }
            // If no value is of the type, the values say more about what is sent.
            let types = values.compactMap(\.jsonTypes)
            if self.types.isEmpty || types.allSatisfy(self.types.isDisjoint) {
                self.types = Set(types.compactMap(\.first))
            }
            // Whole numbers are integers, whatever the schema calls them.
            if self.types == ["number"], types.allSatisfy({ $0.first == "integer" }) {
                self.types = ["integer"]
            }
        }
        properties.merge(members["properties"]?.members ?? [:]) { $1 }
        required.formUnion(members["required"]?.elements?.compactMap(\.text) ?? [])
        if let other = members["additionalProperties"], other != .bool(false) {
            additional = other == .bool(true) ? .free : other
        }
        items = members["items"] ?? items
        if self.types.isEmpty {
            if !properties.isEmpty || additional != nil { self.types = ["object"] }
            if items != nil { self.types = ["array"] }
        }
        isReadOnly = isReadOnly || members["readOnly"]?.isTrue == true
        isWriteOnly = isWriteOnly || members["writeOnly"]?.isTrue == true
    }

    mutating func merge(_ other: SchemaShape) {
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

    /// The schema without `oneOf` and `anyOf`, or one for each of their parts.
    func variants(in root: JSONValue, depth: Int = 0) -> [SchemaShape] {
        guard !parts.isEmpty, depth < 8 else { return [self] }
        var base = self
        base.parts = []
        var variants: [SchemaShape] = []
        for part in parts {
            for variant in SchemaShape(part, in: root).variants(in: root, depth: depth + 1) {
                var whole = base
                whole.merge(variant)
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
        return variants
    }
}

extension JSONValue {
    /// The schemas that the discriminator of a schema tells apart: those that it maps, or all that
    /// have the schema in their `allOf`.
    fileprivate func children(of reference: JSONValue, _ target: JSONValue) -> [JSONValue] {
        guard let discriminator = target["discriminator"], target["oneOf"] == nil,
            target["anyOf"] == nil, let text = reference["$ref"]?.text
        else { return [] }
        let schemas = self["components"]?["schemas"]?.members ?? [:]
        let children = schemas.filter { schema in
            schema.value["allOf"]?.elements?.contains { $0["$ref"]?.text == text } == true
        }
        guard !children.isEmpty else { return [] }
        let mapped = (discriminator["mapping"]?.members ?? [:]).values.compactMap(\.text)
        let names = mapped.isEmpty ? children.keys.sorted() : Set(mapped).sorted()
        return names.map { name in
            .object(["$ref": .string(name.contains("/") ? name : "#/components/schemas/\(name)")])
        }
    }

    /// The value that a reference inside this document leads to; `nil` if it leads nowhere.
    func target(of value: JSONValue) -> JSONValue? {
        guard let reference = value["$ref"]?.text, reference.hasPrefix("#") else { return nil }
        var current = self
        for token in reference.dropFirst().split(separator: "/") {
            let name = (token.removingPercentEncoding ?? String(token))
                .replacingOccurrences(of: "~1", with: "/").replacingOccurrences(of: "~0", with: "~")
            if let next = current[name] {
                current = next
            } else if let elements = current.elements, let index = Int(name),
                elements.indices.contains(index)
            {
                current = elements[index]
            } else {
                return nil
            }
        }
        return current
    }

    /// The value, or the one that it refers to.
    func resolved(in root: JSONValue) -> JSONValue {
        var current = self
        for _ in 0..<16 {
            guard let target = root.target(of: current) else { return current }
            current = target
        }
        return current
    }

    /// The types that a schema can have for the value.
    fileprivate var jsonTypes: [String]? {
        switch self {
        case .null: nil
        case .bool: ["boolean"]
        case .integer: ["integer", "number"]
        case .number: ["number"]
        case .string: ["string"]
        case .array: ["array"]
        case .object: ["object"]
        }
    }
}
