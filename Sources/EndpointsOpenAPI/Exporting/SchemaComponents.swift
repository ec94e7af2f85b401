import Endpoints
import EndpointsFormats

/// The schemas that have names, and what was learned of types until now.
final class SchemaComponents {
    struct Key: Hashable {
        let type: ObjectIdentifier
        let coder: String
        let writes: Bool
    }

    private enum State {
        case learning(Int)
        case known(JSONValue)
    }

    private struct Component {
        let typeName: String
        var schema = JSONValue.free
        var isReferred = false
    }

    private var states: [Key: State] = [:]
    private var list: [Component] = []
    /// Values of types that could be decoded.
    var values: [ObjectIdentifier: Any] = [:]
    private var inProgress: Set<ObjectIdentifier> = []
    /// The types whose schemas couldn't be learned.
    private(set) var unprobed: Set<String> = []

    /// The schema of a type, or a reference to it. It is learned only once.
    func schema(of type: Any.Type, _ key: Key, _ learn: () -> JSONValue?) -> JSONValue {
        switch states[key] {
        case .known(let schema): return schema
        case .learning(let index):
            list[index].isReferred = true
            return Self.reference(index)
        case nil: break
        }
        let index = list.count
        list.append(Component(typeName: String(reflecting: type)))
        states[key] = .learning(index)
        let learned = learn()
        if learned == nil { leaveOut(type) }
        let schema = learned ?? .free
        list[index].schema = schema
        let isModel = schema["properties"] != nil || list[index].isReferred
        list[index].isReferred = isModel
        let result = isModel ? Self.reference(index) : schema
        states[key] = .known(result)
        return result
    }

    func leaveOut(_ type: Any.Type) { unprobed.insert(Self.shortName(String(reflecting: type))) }

    /// Makes a value of a type, unless that is being done.
    func once(_ type: Any.Type, _ make: () -> Any?) -> Any? {
        guard inProgress.insert(ObjectIdentifier(type)).inserted else { return nil }
        defer { inProgress.remove(ObjectIdentifier(type)) }
        return make()
    }

    /// The schema that a reference leads to.
    func resolved(_ schema: JSONValue) -> JSONValue {
        Self.index(schema).map { list[$0].schema } ?? schema
    }

    private static let prefix = "#/components/schemas/"

    private static func reference(_ index: Int) -> JSONValue { .reference("\(index)") }

    private static func index(_ schema: JSONValue) -> Int? {
        guard let text = schema["$ref"]?.text, text.hasPrefix(prefix) else { return nil }
        return Int(text.dropFirst(prefix.count))
    }

    // MARK: - Names

    /// The schemas by their names, and a function that puts the names into references.
    func named() -> (schemas: [String: JSONValue], name: (JSONValue) -> JSONValue) {
        let same = merged()
        var names: [Int: String] = [:]
        var taken: Set<String> = []
        for index in list.indices where list[index].isReferred && same[index] == index {
            let name = Self.componentName(list[index].typeName)
            var unique = name
            var number = 2
            while !taken.insert(unique).inserted {
                unique = "\(name)\(number)"
                number += 1
            }
            names[index] = unique
        }
        func name(_ schema: JSONValue) -> JSONValue {
            schema.mapReferences { names[same[$0] ?? $0].map(JSONValue.reference) ?? .free }
        }
        var schemas: [String: JSONValue] = [:]
        for (index, unique) in names { schemas[unique] = name(list[index].schema) }
        return (schemas, name)
    }

    /// For each schema the one that stands for it: the one that it only refers to, or the first of
    /// the same type that is equal, so that a type that is both read and written is there once.
    private func merged() -> [Int: Int] {
        var targets = list.indices.map { Self.index(list[$0].schema) ?? $0 }
        for _ in list.indices { targets = targets.map { targets[$0] } }
        var firsts: [String: Int] = [:]
        var same = list.indices.map { index in
            let name = list[index].typeName
            firsts[name] = firsts[name] ?? index
            return firsts[name] ?? index
        }
        // All schemas of a type count as equal until one is found to differ.
        while true {
            var kept: [JSONValue: Int] = [:]
            let next = list.indices.map { index in
                let schema = list[index].schema.mapReferences {
                    .reference("\(same[targets[$0]])")
                }
                let key = JSONValue.array([schema, .integer(same[index])])
                kept[key] = kept[key] ?? index
                return kept[key] ?? index
            }
            if next == same { break }
            same = next
        }
        return Dictionary(uniqueKeysWithValues: list.indices.map { ($0, same[targets[$0]]) })
    }

    /// `Module.Zoo.Page<Module.Animal>` -> `Zoo.Page`
    static func shortName(_ typeName: String) -> String {
        var depth = 0
        let plain = typeName.filter { character in
            if character == "(" || character == "<" { depth += 1 }
            if character == ")" || character == ">" { depth -= 1 }
            return depth == 0 && character != ")" && character != ">"
        }
        let parts = plain.split(separator: ".")
        return parts.dropFirst(parts.count > 1 ? 1 : 0).joined(separator: ".")
    }

    /// `Module.Page<Module.Animal>` -> `PageOfAnimal`
    private static func componentName(_ typeName: String) -> String {
        var name = shortName(typeName)
        if let start = typeName.firstIndex(of: "<"), typeName.hasSuffix(">") {
            let arguments = typeName[typeName.index(after: start)...].dropLast()
            let last = componentName(String(arguments)).split(separator: ".").last ?? ""
            name += "Of\(last)"
        }
        return String(
            name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : $0 == "." ? $0 : "_" })
    }
}

extension JSONValue {
    /// The same with each reference to a schema replaced; the number of the schema is passed.
    fileprivate func mapReferences(_ replace: (Int) -> JSONValue) -> JSONValue {
        switch self {
        case .object(let members):
            if let text = members["$ref"]?.text, let last = text.split(separator: "/").last,
                let index = Int(last)
            {
                return replace(index)
            }
            return .object(members.mapValues { $0.mapReferences(replace) })
        case .array(let elements): return .array(elements.map { $0.mapReferences(replace) })
        default: return self
        }
    }
}
