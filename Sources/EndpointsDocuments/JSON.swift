/// A value of JSON that keeps the order of its members and the text of its numbers.
package indirect enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSON])
    case object(Members)

    /// The members of an object, in the order of the text.
    package struct Members: Hashable, Sendable {
        package private(set) var list: [Member] = []
        private var places: [String: Int] = [:]

        package init() {}

        package struct Member: Hashable, Sendable {
            package let name: String
            package var value: JSON
        }

        package subscript(name: String) -> JSON? { places[name].map { list[$0].value } }

        /// Adds a member, or replaces the one with this name.
        package mutating func set(_ name: String, _ value: JSON) {
            if let place = places[name] {
                list[place].value = value
            } else {
                places[name] = list.count
                list.append(Member(name: name, value: value))
            }
        }
    }

    package var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    package var bool: Bool? {
        guard case .bool(let bool) = self else { return nil }
        return bool
    }

    package var elements: [JSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    package var members: Members? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    package subscript(name: String) -> JSON? { members?[name] }

    /// What kind of value this is, for the text of an error.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

extension JSON {
    /// The value as JSON text without line breaks, its members in their order.
    package var written: String {
        switch self {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .number(let text): text
        case .string(let text): Self.quoted(text)
        case .array(let elements): "[" + elements.map(\.written).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.list.map { "\(Self.quoted($0.name)):\($0.value.written)" }
                .joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
