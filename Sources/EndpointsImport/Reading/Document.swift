import Foundation

/// An OpenAPI document, version 3.0, 3.1 or 3.2.
struct Document {
    let root: Node

    /// Reads a document.
    ///
    /// - Throws: A ``DocumentError``, also for a text that isn't JSON.
    init(_ data: Data) throws {
        do { root = Node(try JSONReader.read(data)) } catch let error as JSONError {
            guard !Self.isYAML(data) else {
                throw DocumentError(
                    .root,
                    """
                    the document is YAML, and this command reads JSON; convert it first, for \
                    example by `yq -o=json . api.yaml > api.json`
                    """)
            }
            throw DocumentError(.root, "the document isn't JSON: \(error)")
        }
        guard root.json.members != nil else {
            throw DocumentError(.root, "must be an object, and is \(root.json.kind)")
        }
        if root["swagger"] != nil {
            throw DocumentError(
                .root,
                """
                the document is Swagger 2.0; convert it to OpenAPI 3 first, for example by \
                `npx swagger2openapi api.json -o api3.json`
                """)
        }
        let version = try root.requiredText("openapi")
        guard ["3.0", "3.1", "3.2"].contains(where: { version.hasPrefix($0) }) else {
            throw DocumentError(
                Pointer.root.appending("openapi"),
                "the version \(version) isn't known; known are 3.0, 3.1 and 3.2")
        }
        _ = try root.object("info")
        let components = try root.object("components")
        _ = try components?.object("schemas")
        for scheme in try components?.object("securitySchemes")?.members ?? [] {
            _ = try object(scheme.node)
        }
    }

    /// A text whose first line with content is a member of a YAML map.
    private static func isYAML(_ data: Data) -> Bool {
        let lines = String(decoding: data.prefix(4096), as: UTF8.self).split(separator: "\n")
        guard let line = lines.first(where: { !$0.hasPrefix("#") && !$0.hasPrefix("---") }) else {
            return !lines.isEmpty
        }
        return line.first?.isLetter == true && line.contains(":")
    }

    /// The value that a `$ref` leads to, or the node itself if it has none.
    ///
    /// - Throws: A ``DocumentError`` if there is no such value, or if references go in a circle.
    func resolved(_ node: Node) throws -> Node {
        var (current, seen) = (node, Set<String>())
        while let reference = current["$ref"] {
            guard let text = reference.text else {
                throw DocumentError(
                    reference.pointer, "must be a text, and is \(reference.json.kind)")
            }
            guard seen.insert(text).inserted else {
                throw DocumentError(reference.pointer, "the references go in a circle")
            }
            current = try target(of: text, from: reference.pointer)
        }
        return current
    }

    /// The object that a `$ref` leads to, or the node itself if it has none.
    ///
    /// - Throws: A ``DocumentError`` if it isn't an object.
    func object(_ node: Node) throws -> Node {
        let target = try resolved(node)
        guard target.json.members != nil else {
            throw DocumentError(target.pointer, "must be an object, and is \(target.json.kind)")
        }
        return target
    }

    /// The media types of a body or of a response.
    func content(of node: Node) throws -> [(name: String, node: Node)] {
        try (object(node).object("content")?.members ?? []).map { ($0.name, try object($0.node)) }
    }

    /// The value at a pointer such as `#/components/schemas/User`; `nil` if there is none.
    func node(at pointer: String) -> Node? { try? target(of: pointer, from: .root) }

    private func target(of reference: String, from pointer: Pointer) throws -> Node {
        guard reference.hasPrefix("#/") || reference == "#" else {
            throw DocumentError(
                pointer,
                """
                `\(reference)` leads to another file, which isn't read; put all into one document \
                first, for example by `npx @redocly/cli bundle api.json -o bundle.json`
                """)
        }
        var node = root
        for token in reference.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false)
        {
            let isPlain = !token.utf8.contains {
                $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "%")
            }
            let name =
                isPlain
                ? String(token)
                : (token.removingPercentEncoding ?? String(token))
                    .replacingOccurrences(of: "~1", with: "/")
                    .replacingOccurrences(of: "~0", with: "~")
            let next = Int(name).flatMap { index in
                node.elements.indices.contains(index) ? node.elements[index] : nil
            }
            guard let next = next ?? node[name] else {
                throw DocumentError(pointer, "`\(reference)` isn't in the document")
            }
            node = next
        }
        return node
    }
}
