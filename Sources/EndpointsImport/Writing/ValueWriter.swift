import EndpointsDocuments
import Foundation

/// Writes a value of JSON as an expression of a declared type.
struct ValueWriter {
    func text(_ json: JSON, _ type: SwiftType, at place: String, isRead: Bool) throws -> Written {
        switch (type, json) {
        case (.optional, .null): return "nil"
        case (.optional(let type), _): return try text(json, type, at: place, isRead: isRead)
        case (.list(let item), .array(let elements)):
            let texts = try elements.enumerated().map {
                try text($1, item, at: "\(place)/\($0)", isRead: isRead)
            }
            return "[\(texts.joined(separator: ", "))]"
        case (.map(let value), .object(let members)):
            let texts = try members.list.map { member -> Written in
                let text = try text(
                    member.value, value, at: "\(place)/\(member.name)", isRead: isRead)
                return "\(.literal(member.name)): \(text)"
            }
            return texts.isEmpty ? "[:]" : "[\(texts.joined(separator: ", "))]"
        case (.plain(let name), _): return try plain(json, name, at: place)
        case (.wrapped(.orNull, _), .null): return ".null"
        case (.wrapped(.orNull, let type), _):
            return ".value(\(try text(json, type, at: place, isRead: isRead)))"
        case (.wrapped(let wrapper, let type), _):
            return "\(wrapper.written)(\(try text(json, type, at: place, isRead: isRead)))"
        case (.model(let model), _): return try self.model(json, model, at: place, isRead: isRead)
        default: throw UsageError("\(place): \(json.kind) isn't a value of the declared type")
        }
    }

    private static let bools: Set = ["true", "false"]

    private func plain(_ json: JSON, _ type: Written, at place: String) throws -> Written {
        let isInJSON = place.hasPrefix("body")
        switch (type, json) {
        case ("String", .string(let text)): return .literal(text)
        case ("String", .null), ("String", .array), ("String", .object): break
        // A parameter is a text anyway; in JSON a number is another value.
        case ("String", _) where !isInJSON: return .literal(json.written)
        case ("Bool", .string("true")) where !isInJSON: return "true"
        case ("Bool", .string("false")) where !isInJSON: return "false"
        case ("Double", .string(let text)) where !isInJSON && Double(text) != nil:
            return .number(text)
        case ("Int", .string(let text)) where !isInJSON && Int(text) != nil: return .number(text)
        case ("Int", .number(let text)) where Int(text) != nil: return .number(text)
        case ("UInt64", .number(let text)) where UInt64(text) != nil: return .number(text)
        case ("Decimal", .number(let text)): return "try decimal(\(.literal(text)))"
        case ("Double", .number(let text)): return .number(text)
        case ("Bool", .bool(let bool)): return bool ? "true" : "false"
        case ("Date", .string(let text)):
            guard text.isDate else {
                throw UsageError("\(place): the text isn't a date of RFC 3339")
            }
            return "try date(\(.literal(text)))"
        case ("Day", .string(let text)): return "Day(\(.literal(text)))"
        case ("Data", .string(let text)), ("File", .string(let text)):
            guard Data(base64Encoded: text) != nil else {
                throw UsageError("\(place): the text isn't in base64")
            }
            let data: Written = "try data(\(.literal(text)))"
            return type == "File" ? "File(\(data))" : data
        case ("JSONValue", _): return Self.json(json)
        default: break
        }
        throw UsageError("\(place): \(json.kind) isn't a value of `\(type.text)`")
    }

    private static func json(_ json: JSON) -> Written {
        switch json {
        case .null: "JSONValue.null"
        case .bool(let bool): bool ? "JSONValue.bool(true)" : "JSONValue.bool(false)"
        case .number(let text):
            Int(text) == nil
                ? "JSONValue.number(\(.number(text)))" : "JSONValue.integer(\(.number(text)))"
        case .string(let text): "JSONValue.string(\(.literal(text)))"
        case .array(let elements):
            "JSONValue.array([\(elements.map(Self.json).joined(separator: ", "))])"
        case .object(let members): object(members)
        }
    }

    private static func object(_ members: JSON.Members) -> Written {
        let texts = members.list.map { member -> Written in
            "\(.literal(member.name)): \(json(member.value))"
        }
        return texts.isEmpty
            ? "JSONValue.object([:])" : "JSONValue.object([\(texts.joined(separator: ", "))])"
    }

    private func model(_ json: JSON, _ model: Model, at place: String, isRead: Bool) throws
        -> Written
    {
        switch model.kind {
        case .choice(_, let cases):
            // A parameter is a text anyway; in JSON a number is another value.
            let text: JSON? = place.hasPrefix("body") ? nil : .string(json.written)
            guard let match = cases.first(where: { $0.value == json || $0.value == text }) else {
                throw UsageError("\(place): \(json.written) isn't a value of `\(model.name)`")
            }
            return isRead ? ".known(.\(.member(match.name)))" : ".\(.member(match.name))"
        case .object(let properties):
            guard let members = json.members else {
                throw UsageError("\(place): \(json.kind) isn't a value of `\(model.name)`")
            }
            let names = Set(properties.map(\.name))
            if let other = members.list.first(where: { !names.contains($0.name) }) {
                throw UsageError("\(place): `\(model.name)` has no member `\(other.name)`")
            }
            let texts = try properties.compactMap { try argument($0, members, model, at: place) }
            return "\(model.qualifiedName)(\(texts.joined(separator: ", ")))"
        case .union(let union):
            for part in union.parts where fits(json, part, union.tag) {
                if let text = try? text(json, part.type, at: place, isRead: model.isRead) {
                    return "\(model.qualifiedName).\(.member(part.name))(\(text))"
                }
            }
            throw UsageError("\(place): the value is none of `\(model.name)`")
        }
    }

    private func fits(_ json: JSON, _ part: Union.Part, _ tag: String?) -> Bool {
        if let tag, let text = json[tag]?.text { return part.tags.contains(text) }
        guard let model = part.type.model, case .object(let properties) = model.kind,
            let members = json.members
        else { return true }
        let names = Set(properties.map(\.name))
        return members.list.allSatisfy { names.contains($0.name) }
            && properties.allSatisfy { !$0.isRequired(in: model) || members[$0.name] != nil }
    }

    /// An argument of the memberwise initializer; `nil` where none is needed.
    private func argument(
        _ property: Property, _ members: JSON.Members, _ model: Model, at place: String
    ) throws -> Written? {
        if property.isReadOnly && !model.isRead {
            guard members[property.name] == nil else {
                throw UsageError("\(place)/\(property.name) is only read, and isn't sent")
            }
            return nil
        }
        if property.isWriteOnly && !model.isWritten { return nil }
        let isRequired = property.isRequired(in: model)
        if let constant = property.constant, let json = members[property.name], json != .null,
            json != constant
        {
            throw UsageError(
                "\(place)/\(property.name): \(json.written) isn't `\(constant.written)`")
        }
        if isRequired, property.constant != nil, !property.isNullable {
            guard members[property.name] != nil else {
                throw UsageError("\(place)/\(property.name) is missing, and must be there")
            }
            return nil
        }
        let name = Written.label(property.swiftName)
        let place = "\(place)/\(property.name)"
        let isPatch = model.isPatch && property.isNullable && !model.isRead && !isRequired
        guard let json = members[property.name] else {
            if isRequired && property.standard == nil {
                throw UsageError("\(place) is missing, and must be there")
            }
            return isRequired || isPatch || property.standard == nil ? nil : "\(name): nil"
        }
        if json == .null, property.type != .json || property.isNullable {
            if isPatch { return "\(name): .clear" }
            guard !isRequired || property.isNullable || property.type == .json else {
                throw UsageError("\(place): null isn't a value of the declared type")
            }
            // For a member of any value, `nil` is none, and `null` is a value.
            let isNull = isRequired && property.isNullable || property.type == .json
            return isNull ? "\(name): .null" : "\(name): nil"
        }
        var text = try text(json, property.type, at: place, isRead: model.isRead)
        if property.isBoxed { text = "Boxed(\(text))" }
        if isPatch { text = ".set(\(text))" }
        if isRequired && property.isNullable { text = ".value(\(text))" }
        return "\(name): \(text)"
    }
}
