import EndpointsDocuments
import Foundation

/// Whether values of the document fit its schemas.
///
/// Only what the declared types depend on is compared: types, members, values and formats. Patterns
/// and limits aren't.
struct Fitting {
    /// What is wrong with a value.
    struct Misfit {
        /// The names and numbers that lead to the wrong part.
        let path: [String]
        let reason: String
        /// Whether only the value itself tells that another schema is meant.
        var isOtherValue = false

        /// `its a/0/b is null, and must be a text`
        var text: String {
            path.isEmpty ? "it \(reason)" : "its `\(path.joined(separator: "/"))` \(reason)"
        }
    }

    let document: Document
    /// Whether a response has the values. If not, a request sends them.
    let isRead: Bool

    private static let maximumDepth = 60

    /// What is wrong with a value; `nil` if it fits the schema.
    func misfit(_ json: JSON, _ schema: Node, at path: [String] = []) throws -> Misfit? {
        guard json != .null || schema["nullable"]?.json.bool != true else { return nil }
        return try misfit(json, document.shape(of: schema), path, 0)
    }

    private func misfit(
        _ json: JSON, _ shape: Shape, _ path: [String], _ depth: Int
    ) throws -> Misfit? {
        guard depth < Self.maximumDepth else { return nil }
        if json == .null, shape.isNullable { return nil }
        guard shape.parts.isEmpty else { return try ofParts(json, shape, path, depth) }
        if !shape.subtypes.isEmpty {
            var children = Shape()
            (children.parts, children.discriminator) = (shape.subtypes, shape.discriminator)
            // A child that the document doesn't have is read as an unknown one.
            let isKnown = !children.tagged(json).isEmpty
            return isKnown ? try ofParts(json, children, path, depth) : nil
        }
        if let values = shape.values, !values.contains(where: { $0.json.hasValue(of: json) }) {
            return Misfit(path: path, reason: "isn't one of the values", isOtherValue: true)
        }
        let types = shape.possibleTypes
        guard types.isEmpty || json.has(types: types) else {
            let names = types.map { Self.kinds[$0] ?? $0 }.joined(separator: " or ")
            return Misfit(path: path, reason: "is \(json.kind), and must be \(names)")
        }
        switch json {
        case .string(let text): return self.text(text, shape, path)
        case .array(let elements):
            guard let items = shape.items else { return nil }
            return try elements.enumerated().lazy.compactMap { index, element in
                try misfit(element, items, at: path + ["\(index)"])
            }.first
        case .object(let members): return try self.members(members, shape, path)
        case .null, .bool, .number: return nil
        }
    }

    /// Whether a value has members that the schema doesn't name: they aren't read.
    func hasOtherMembers(_ json: JSON, _ schema: Node) throws -> Bool {
        let shape = try document.shape(of: schema)
        if !shape.parts.isEmpty {
            let part = try shape.parts.first { try misfit(json, $0) == nil }
            return try part.map { try hasOtherMembers(json, $0) } ?? false
        }
        if let items = shape.items, let elements = json.elements {
            return try elements.contains { try hasOtherMembers($0, items) }
        }
        guard !shape.properties.isEmpty, let members = json.members?.list else { return false }
        return try members.contains { member in
            guard let node = shape.property(member.name) else { return true }
            return try hasOtherMembers(member.value, node)
        }
    }

    /// A value of one of several schemas: that of the discriminator, or any.
    private func ofParts(
        _ json: JSON, _ shape: Shape, _ path: [String], _ depth: Int
    ) throws -> Misfit? {
        let tagged = shape.tagged(json)
        var best: Misfit?
        for part in tagged.isEmpty ? shape.parts : tagged {
            if json == .null, part["type"]?.text == "null" { return nil }
            var whole = shape
            (whole.parts, whole.discriminator) = ([], nil)
            whole.merge(try document.shape(of: part))
            guard let misfit = try misfit(json, whole, path, depth + 1) else { return nil }
            let isCloser = best.map { $0.rank < misfit.rank } ?? true
            if isCloser { best = misfit }
        }
        return best
    }

    private func text(_ text: String, _ shape: Shape, _ path: [String]) -> Misfit? {
        switch Typer.primitive("string", shape.values == nil ? shape.format : nil) {
        case .plain("Date") where !text.isDate:
            Misfit(path: path, reason: "isn't a date of RFC 3339")
        case .data where Data(base64Encoded: text) == nil:
            Misfit(path: path, reason: "isn't in base64")
        default: nil
        }
    }

    private func members(
        _ members: JSON.Members, _ shape: Shape, _ path: [String]
    ) throws -> Misfit? {
        for (name, node) in shape.properties {
            let isRequired = shape.required.contains(name)
            let path = path + [name]
            guard let value = members[name] else {
                let other = try document.resolved(node)[isRead ? "writeOnly" : "readOnly"]
                guard isRequired, other?.json.bool != true else { continue }
                return Misfit(path: path.dropLast(), reason: "lacks the required `\(name)`")
            }
            // A member that may be absent may be `null` too: both are read as `nil`.
            if value == .null, !isRequired { continue }
            if let misfit = try misfit(value, node, at: path) { return misfit }
        }
        for member in members.list
        where shape.property(member.name) == nil {
            if shape.additional?.json == .bool(false) {
                return Misfit(path: path, reason: "has `\(member.name)`, which isn't allowed")
            }
            guard let additional = shape.additional, additional.json.bool == nil else { continue }
            if let misfit = try misfit(member.value, additional, at: path + [member.name]) {
                return misfit
            }
        }
        return nil
    }

    private static let kinds = [
        "string": "a text", "integer": "an integer", "number": "a number", "boolean": "a boolean",
        "array": "a list", "object": "an object",
    ]
}

extension Fitting.Misfit {
    /// Of several schemas, the one is meant whose constants fit, and of which most was compared.
    fileprivate var rank: Int { path.count + (isOtherValue ? 0 : 1000) }
}

extension Shape {
    /// The types that a value can have; empty for any.
    fileprivate var possibleTypes: [String] {
        if !types.isEmpty { return types }
        if !properties.isEmpty || additional != nil { return ["object"] }
        return items == nil ? [] : ["array"]
    }

    /// The parts that a value's discriminator names.
    fileprivate func tagged(_ json: JSON) -> [Node] {
        guard let name = discriminator?["propertyName"]?.text, let tag = json[name]?.text else {
            return []
        }
        let mapped = discriminator?["mapping"]?[tag]?.text
        return parts.filter { part in
            guard let reference = part["$ref"]?.text else { return false }
            let last = reference.split(separator: "/").last.map(String.init)
            return mapped.map { $0 == reference || $0 == last } ?? (last == tag)
        }
    }
}

extension JSON {
    /// Whether this is the same value; `1.0` is `1`.
    fileprivate func hasValue(of other: JSON) -> Bool {
        switch (self, other) {
        case (.number(let one), .number(let two)): Double(one) == Double(two)
        default: self == other
        }
    }
}

extension String {
    /// Whether the text is a date that the written coders read: of RFC 3339, section 5.6.
    var isDate: Bool {
        var rest = utf8[...]
        func digits(_ count: Int) -> Int? {
            let text = rest.prefix(count)
            guard text.count == count, text.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            rest = rest.dropFirst(count)
            return Int(Substring(text))
        }
        func take(_ characters: String) -> Bool {
            guard let next = rest.first, characters.utf8.contains(next) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = digits(4), take("-"), let month = digits(2), take("-"),
            let day = digits(2), take("Tt "), let hour = digits(2), take(":"),
            let minute = digits(2), take(":"), let second = digits(2)
        else { return false }
        if take(".") {
            guard digits(1) != nil else { return false }
            while digits(1) != nil {}
        }
        if !take("Zz") {
            guard take("+-"), let hours = digits(2), take(":"), let minutes = digits(2), hours < 24,
                minutes < 60
            else { return false }
        }
        let isLeap =
            year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return rest.isEmpty && (1...12).contains(month) && (1...days[month - 1]).contains(day)
            && hour < 24 && minute < 60 && second <= 60
    }
}
