import Foundation

/// A value of a document, and where it is.
package struct Node: Sendable {
    package let json: JSON
    package let pointer: Pointer

    package init(_ json: JSON, at pointer: Pointer = .root) {
        (self.json, self.pointer) = (json, pointer)
    }

    package subscript(name: String) -> Node? {
        json[name].map { Node($0, at: pointer.appending(name)) }
    }

    package var text: String? { json.text }
    package var isTrue: Bool { json.bool == true }

    /// The fields of an object that may have extensions, `x-…`, without these.
    package var members: [(name: String, node: Node)] {
        (json.members?.list ?? []).filter { !$0.name.hasPrefix("x-") }.map {
            ($0.name, Node($0.value, at: pointer.appending($0.name)))
        }
    }

    /// All members in the document's order, also those whose names begin with `x-`: the names of
    /// properties, headers and schemes may.
    package var allMembers: [(name: String, node: Node)] {
        (json.members?.list ?? []).map { ($0.name, Node($0.value, at: pointer.appending($0.name))) }
    }

    package var elements: [Node] {
        (json.elements ?? []).enumerated().map { Node($1, at: pointer.appending("\($0)")) }
    }

    /// The texts of a list; other elements are left out.
    package var texts: [String] { (json.elements ?? []).compactMap(\.text) }

    /// A text that must be there.
    package func requiredText(_ name: String) throws(DocumentError) -> String {
        guard let node = self[name] else { throw DocumentError(pointer, "`\(name)` is missing") }
        guard let text = node.text else {
            throw DocumentError(node.pointer, "must be a text, and is \(node.json.kind)")
        }
        return text
    }

    /// Checks that the value, if it is there, is an object.
    package func object(_ name: String) throws(DocumentError) -> Node? {
        guard let node = self[name] else { return nil }
        guard node.json.members != nil else {
            throw DocumentError(node.pointer, "must be an object, and is \(node.json.kind)")
        }
        return node
    }

    /// Checks that the value, if it is there, is a list.
    package func list(_ name: String) throws(DocumentError) -> [Node] {
        guard let node = self[name] else { return [] }
        guard node.json.elements != nil else {
            throw DocumentError(node.pointer, "must be a list, and is \(node.json.kind)")
        }
        return node.elements
    }
}

/// A JSON pointer (RFC 6901) as a URI fragment: `#/paths/~1users/get`, with the name of the file
/// before it if that isn't the document itself.
package final class Pointer: Sendable, CustomStringConvertible {
    package let parent: Pointer?
    package let token: String
    /// The file in which the value is; empty for the document itself.
    package let file: String

    package static let root = Pointer(file: "")

    /// The root of a file.
    package init(file: String) { (parent, token, self.file) = (nil, "#", file) }

    private init(parent: Pointer, token: String) {
        (self.parent, self.token, file) = (parent, token, parent.file)
    }

    package func appending(_ token: String) -> Pointer { Pointer(parent: self, token: token) }

    /// Whether a schema is there.
    package var isOfSchema: Bool {
        let maps: Set = [
            "schemas", "properties", "patternProperties", "$defs", "definitions", "oneOf", "anyOf",
            "allOf", "prefixItems",
        ]
        return ["schema", "itemSchema", "items", "additionalProperties"].contains(token)
            || parent.map { maps.contains($0.token) } ?? false
    }

    package var description: String {
        guard let parent else { return file + token }
        let isPlain = !token.utf8.contains { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }
        let escaped =
            isPlain
            ? token
            : token.replacingOccurrences(of: "~", with: "~0")
                .replacingOccurrences(of: "/", with: "~1")
        return "\(parent.description)/\(escaped)"
    }
}

/// What is wrong in a document, and where.
package struct DocumentError: Error, CustomStringConvertible {
    package let pointer: String
    package let reason: String

    package init(_ pointer: Pointer, _ reason: String) {
        (self.pointer, self.reason) = (pointer.description, reason)
    }

    package var description: String { "\(pointer): \(reason)" }
}
