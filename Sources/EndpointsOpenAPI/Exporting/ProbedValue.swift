import EndpointsFormats
import Foundation

/// What a type reads of one value, or writes as one.
final class ProbedValue {
    struct Member {
        var schema: JSONValue
        var isRequired: Bool
    }

    private(set) var members: [String: Member] = [:]
    private(set) var isObject = false
    private(set) var isList = false
    private(set) var items: [JSONValue] = []
    private(set) var scalars: [JSONValue] = []
    private(set) var isNullable = false
    /// Whether the type asked which keys there are, so that others than these may be read.
    var readsAllKeys = false
    /// The text that was written, if one was.
    var text: String?

    func beObject() { isObject = true }
    func beList() { isList = true }
    func beNullable() { isNullable = true }

    func addItem(_ schema: JSONValue) {
        if !items.contains(schema) { items.append(schema) }
    }

    func addScalar(_ schema: JSONValue) {
        if !scalars.contains(schema) { scalars.append(schema) }
    }

    func add(_ name: String, _ schema: JSONValue, isRequired: Bool) {
        isObject = true
        guard let known = members[name] else {
            members[name] = Member(schema: schema, isRequired: isRequired)
            return
        }
        members[name]?.schema = known.schema == .free ? schema : known.schema
        members[name]?.isRequired = known.isRequired && isRequired
    }

    private var children: [String: ProbedValue] = [:]
    private var itemChildren: [ProbedValue] = []

    /// The value of a member whose container the type asks for.
    func child(_ name: String) -> ProbedValue {
        isObject = true
        let child = children[name] ?? ProbedValue()
        children[name] = child
        return child
    }

    func childItem() -> ProbedValue {
        let child = ProbedValue()
        itemChildren.append(child)
        return child
    }

    /// Whether the type asked for a value of one kind, so that its schema is known.
    var isClear: Bool {
        !readsAllKeys && [isObject, isList, !scalars.isEmpty].count { $0 } <= 1
    }

    var isScalar: Bool { !isObject && !isList && !scalars.isEmpty }

    var schema: JSONValue {
        guard isClear else { return .free }
        if isObject {
            let nested = children.map { (name: $0.key, schema: $0.value.schema, isRequired: true) }
            let schema = JSONValue.object(
                nested
                    + members.map {
                        (name: $0.key, schema: $0.value.schema, isRequired: $0.value.isRequired)
                    })
            return isNullable ? schema.orNull : schema
        }
        if isList {
            let schema = JSONValue.list(of: .any(of: items + itemChildren.map(\.schema)))
            return isNullable ? schema.orNull : schema
        }
        let schema = JSONValue.any(of: scalars)
        return isNullable ? schema.orNull : schema
    }
}

/// Schemas, as JSON.
extension JSONValue {
    /// A schema that allows any value.
    static let free = JSONValue.object([:])

    static func type(_ name: String, format: String? = nil) -> JSONValue {
        var members = ["type": JSONValue.string(name)]
        members["format"] = format.map(JSONValue.string)
        return .object(members)
    }

    static func list(of items: JSONValue) -> JSONValue {
        .object(["type": .string("array"), "items": items])
    }

    static func map(of values: JSONValue) -> JSONValue {
        .object(["type": .string("object"), "additionalProperties": values])
    }

    static func object(
        _ members: [(name: String, schema: JSONValue, isRequired: Bool)]
    ) -> JSONValue {
        var object: [String: JSONValue] = ["type": .string("object")]
        object["properties"] = .object(
            Dictionary(
                members.map { ($0.name, $0.schema) }, uniquingKeysWith: { first, _ in first }
            ))
        let required = members.filter(\.isRequired).map(\.name).sorted()
        if !required.isEmpty { object["required"] = .array(required.map(JSONValue.string)) }
        return .object(object)
    }

    /// The schema of a value that has one of these; a free one isn't kept beside others.
    static func any(of schemas: [JSONValue]) -> JSONValue {
        var kept: [JSONValue] = []
        for schema in schemas where schema != .free && !kept.contains(schema) {
            kept.append(schema)
        }
        if kept.count > 1 { return .object(["anyOf": .array(kept)]) }
        return kept.first ?? .free
    }

    /// The schema, which also allows `null`.
    var orNull: JSONValue {
        guard case .object(var members) = self, !members.isEmpty else { return self }
        if let type = members["type"]?.text, members["enum"] == nil {
            members["type"] = .array([.string(type), .string("null")])
            return .object(members)
        }
        if let types = members["type"]?.elements, types.contains(.string("null")) { return self }
        if let parts = members["anyOf"]?.elements {
            guard !parts.contains(.type("null")) else { return self }
            return .object(["anyOf": .array(parts + [.type("null")])])
        }
        return .object(["anyOf": .array([self, .type("null")])])
    }

    static func reference(_ name: String) -> JSONValue {
        .object(["$ref": .string("#/components/schemas/\(name)")])
    }
}

/// Reads members of JSON.
extension JSONValue {
    subscript(name: String) -> JSONValue? { members?[name] }

    var members: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var isTrue: Bool { self == .bool(true) }
}
