import Foundation

/// A value of the document, and where it is.
struct Node {
    let json: JSON
    let pointer: Pointer

    init(_ json: JSON, at pointer: Pointer = .root) {
        (self.json, self.pointer) = (json, pointer)
    }

    subscript(name: String) -> Node? {
        json[name].map { Node($0, at: pointer.appending(name)) }
    }

    var text: String? { json.text }

    /// The members of an object in the document's order; without the extensions, `x-…`.
    var members: [(name: String, node: Node)] {
        (json.members?.list ?? []).filter { !$0.name.hasPrefix("x-") }.map {
            ($0.name, Node($0.value, at: pointer.appending($0.name)))
        }
    }

    /// All members, also those whose names begin with `x-`, as properties' names may.
    var allMembers: [(name: String, node: Node)] {
        (json.members?.list ?? []).map { ($0.name, Node($0.value, at: pointer.appending($0.name))) }
    }

    var elements: [Node] {
        (json.elements ?? []).enumerated().map { Node($1, at: pointer.appending("\($0)")) }
    }

    /// The texts of a list; other elements are left out.
    var texts: [String] { (json.elements ?? []).compactMap(\.text) }

    /// A text that must be there.
    func requiredText(_ name: String) throws -> String {
        guard let node = self[name] else { throw DocumentError(pointer, "`\(name)` is missing") }
        guard let text = node.text else {
            throw DocumentError(node.pointer, "must be a text, and is \(node.json.kind)")
        }
        return text
    }

    /// Checks that the value, if it is there, is an object.
    func object(_ name: String) throws -> Node? {
        guard let node = self[name] else { return nil }
        guard node.json.members != nil else {
            throw DocumentError(node.pointer, "must be an object, and is \(node.json.kind)")
        }
        return node
    }

    /// Checks that the value, if it is there, is a list.
    func list(_ name: String) throws -> [Node] {
        guard let node = self[name] else { return [] }
        guard node.json.elements != nil else {
            throw DocumentError(node.pointer, "must be a list, and is \(node.json.kind)")
        }
        return node.elements
    }
}

/// A JSON pointer (RFC 6901) as a URI fragment: `#/paths/~1users/get`.
final class Pointer: Sendable, CustomStringConvertible {
    let parent: Pointer?
    let token: String

    static let root = Pointer(parent: nil, token: "#")

    private init(parent: Pointer?, token: String) {
        (self.parent, self.token) = (parent, token)
    }

    func appending(_ token: String) -> Pointer { Pointer(parent: self, token: token) }

    /// Whether a schema is there.
    var isOfSchema: Bool {
        let maps = [
            "schemas", "properties", "patternProperties", "$defs", "oneOf", "anyOf", "allOf",
        ]
        return ["schema", "itemSchema", "items", "additionalProperties"].contains(token)
            || parent.map { maps.contains($0.token) } ?? false
    }

    var description: String {
        guard let parent else { return token }
        let isPlain = !token.utf8.contains { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }
        let escaped =
            isPlain
            ? token
            : token.replacingOccurrences(of: "~", with: "~0")
                .replacingOccurrences(of: "/", with: "~1")
        return "\(parent.description)/\(escaped)"
    }
}

/// What is wrong in the document, and where. Nothing is written then.
struct DocumentError: Error, CustomStringConvertible {
    let pointer: String
    let reason: String

    init(_ pointer: Pointer, _ reason: String) {
        (self.pointer, self.reason) = (pointer.description, reason)
    }

    var description: String { "\(pointer): \(reason)" }
}
