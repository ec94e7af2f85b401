import Foundation

/// An OpenAPI document, version 3.0, 3.1 or 3.2, with the files beside it that its references name.
///
/// What references lead to and what schemas say is found once, so that a schema that is named in
/// many places takes the time of one.
package final class Document {
    package let root: Node
    /// Whether the version is 3.0, in which what stands beside a `$ref` in a schema is ignored, and
    /// the style of a part of a multipart form too.
    package let isVersion30: Bool
    private let files: DocumentFiles
    private var targets: [String: Result<Node, DocumentError>] = [:]
    var shapes: [String: Shape] = [:]
    /// The schemas whose `allOf` is being read.
    var allOfPlaces: Set<String> = []
    /// The schemas under `components` whose `allOf` names a schema, by that schema's place.
    private(set) lazy var children = findChildren()

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - folder: The folder of the document, from which references to other files go out.
    ///   - limit: The folder outside which no file is read; `nil` for the folder of the document.
    /// - Throws: A ``DocumentError`` if it can't be read as a document of OpenAPI 3.
    package convenience init(_ data: Data, folder: URL? = nil, limit: URL? = nil) throws {
        let json: JSON
        do { json = try JSONReader.read(data) } catch let error as JSONError {
            guard !data.isYAML else {
                throw DocumentError(
                    .root,
                    """
                    the document is YAML, and only JSON is read; convert it first, for example by \
                    `yq -o=json . api.yaml > api.json`
                    """)
            }
            throw DocumentError(.root, "the document isn't JSON: \(error)")
        }
        try self.init(json, files: DocumentFiles(folder: folder, limit: limit ?? folder))
    }

    /// Makes a document of its JSON, without other files.
    package convenience init(_ json: JSON) throws {
        try self.init(json, files: DocumentFiles(folder: nil, limit: nil))
    }

    private init(_ json: JSON, files: DocumentFiles) throws(DocumentError) {
        (root, self.files) = (Node(json), files)
        guard json.members != nil else {
            throw DocumentError(.root, "must be an object, and is \(json.kind)")
        }
        guard json["swagger"] == nil else {
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
        isVersion30 = version.hasPrefix("3.0")
    }

    /// What is wrong with the outer parts of the document, which are then read as if they were not
    /// there.
    package var faults: [DocumentError] {
        var faults: [DocumentError] = []
        func check(_ node: Node?, _ names: String...) {
            for name in names {
                guard let part = node?[name], part.json.members == nil else { continue }
                faults.append(
                    DocumentError(part.pointer, "must be an object, and is \(part.json.kind)"))
            }
        }
        check(root, "info", "paths", "components")
        check(root["components"], "schemas", "securitySchemes", "parameters", "responses")
        return faults
    }

    /// The value that a `$ref` leads to, or the node itself if it has none.
    ///
    /// - Throws: A ``DocumentError`` if there is no such value, or if references go in a circle.
    package func resolved(_ node: Node) throws(DocumentError) -> Node {
        guard node.json["$ref"] != nil else { return node }
        var (current, seen) = (node, Set<String>())
        while let reference = current["$ref"] {
            guard let text = reference.text else {
                throw DocumentError(
                    reference.pointer, "must be a text, and is \(reference.json.kind)")
            }
            guard seen.insert("\(reference.pointer.file) \(text)").inserted else {
                throw DocumentError(reference.pointer, "the references go in a circle")
            }
            current = try target(of: text, from: reference.pointer)
        }
        return current
    }

    /// The schema that a `$ref` leads to: the first one that is no reference, or that says more
    /// than the one that it refers to.
    ///
    /// - Throws: A ``DocumentError`` if there is none, or if references go in a circle.
    package func schema(_ node: Node) throws(DocumentError) -> Node {
        guard node.json["$ref"] != nil else { return node }
        var (current, seen) = (node, Set<String>())
        repeat {
            guard let reference = current["$ref"] else { return current }
            guard let text = reference.text else { return try resolved(node) }
            guard seen.insert("\(reference.pointer.file) \(text)").inserted else {
                throw DocumentError(reference.pointer, "the references go in a circle")
            }
            current = try target(of: text, from: reference.pointer)
        } while !hasSiblings(current)
        return current
    }

    /// The object that a `$ref` leads to, or the node itself if it has none.
    ///
    /// - Throws: A ``DocumentError`` if it isn't an object.
    package func object(_ node: Node) throws(DocumentError) -> Node {
        let target = try resolved(node)
        guard target.json.members != nil else {
            throw DocumentError(target.pointer, "must be an object, and is \(target.json.kind)")
        }
        return target
    }

    /// The media types of a body or of a response.
    ///
    /// A range such as `*/*` whose schema is of a type that only JSON has is `application/json`.
    package func content(of node: Node) throws(DocumentError) -> [(name: String, node: Node)] {
        var all: [(name: String, node: Node)] = []
        for (name, node) in try object(node).object("content")?.allMembers ?? [] {
            let media = try object(node)
            let isRange = ["*/*", "*", "application/*"].contains(name)
            let isJSON = isRange && media["schema"].map(isOnlyInJSON) == true
            all.append((isJSON ? "application/json" : name, media))
        }
        return all
    }

    /// Whether a schema has objects, lists, numbers or booleans only.
    private func isOnlyInJSON(_ schema: Node) -> Bool {
        guard let shape = try? shape(of: schema) else { return false }
        guard shape.types.isEmpty else {
            return shape.types.allSatisfy { $0 != "string" }
        }
        return !shape.properties.isEmpty || shape.items != nil
            || !shape.parts.isEmpty && shape.parts.allSatisfy { $0.json.members != nil }
                && shape.parts.contains { part in
                    part.json["$ref"] != nil || part.json["properties"] != nil
                }
    }

    /// The value at a pointer such as `#/components/schemas/User`; `nil` if there is none.
    package func node(at pointer: String) -> Node? { try? target(of: pointer, from: .root) }

    /// A schema that is only a reference to another one.
    package func reference(to reference: String, at pointer: Pointer) -> Node {
        var members = JSON.Members()
        members.set("$ref", .string(reference))
        return Node(.object(members), at: pointer)
    }

    private func target(of reference: String, from pointer: Pointer) throws(DocumentError) -> Node {
        let key = "\(pointer.file) \(reference)"
        if let known = targets[key] { return try known.get() }
        let found = Result { () throws(DocumentError) in try find(reference, from: pointer) }
        targets[key] = found
        return try found.get()
    }

    private func find(_ reference: String, from pointer: Pointer) throws(DocumentError) -> Node {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let file = String(parts.first ?? "")
        var node = root
        if !file.isEmpty || !pointer.file.isEmpty {
            node = try files.root(of: file, from: pointer, document: root)
        }
        let path = parts.count > 1 ? parts[1] : ""
        guard path.isEmpty || path.hasPrefix("/") else {
            throw DocumentError(pointer, "`\(reference)` is an anchor, and only pointers are read")
        }
        for token in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        where !path.isEmpty {
            guard let (name, next) = node.json.value(at: String(token)) else {
                throw DocumentError(pointer, "`\(reference)` isn't in the document")
            }
            node = Node(next, at: node.pointer.appending(name))
        }
        return node
    }

    // MARK: - Other files

    /// The schemas in other files that references lead to, in the order in which they are found.
    /// What can't be read is left out here, and is an error where it is used.
    package func externalSchemas() -> [Node] {
        var (schemas, seen, queue) = ([Node](), Set<String>(), [root])
        func visit(_ node: Node) {
            switch node.json {
            case .object(let members):
                if let text = members["$ref"]?.text,
                    !text.hasPrefix("#") || !node.pointer.file.isEmpty,
                    let target = try? target(of: text, from: node.pointer.appending("$ref")),
                    seen.insert(target.pointer.description).inserted
                {
                    if node.pointer.isOfSchema, !target.pointer.file.isEmpty {
                        schemas.append(target)
                    }
                    queue.append(target)
                }
                for member in members.list {
                    visit(Node(member.value, at: node.pointer.appending(member.name)))
                }
            case .array(let elements):
                for (index, element) in elements.enumerated() {
                    visit(Node(element, at: node.pointer.appending("\(index)")))
                }
            default: break
            }
        }
        var place = 0
        while place < queue.count {
            if place == 0 || !queue[place].pointer.file.isEmpty { visit(queue[place]) }
            place += 1
        }
        return schemas
    }

    /// The whole values of the document and of all other files that were read.
    package var roots: [JSON] { [root.json] + files.read }

    // MARK: - Inheritance

    private func findChildren() -> [String: [Node]] {
        var children: [String: [Node]] = [:]
        for (_, schema) in root["components"]?["schemas"]?.allMembers ?? [] {
            for part in schema["allOf"]?.elements ?? [] where part.json["$ref"] != nil {
                guard let parent = try? resolved(part) else { continue }
                children[parent.pointer.description, default: []].append(schema)
            }
        }
        return children
    }

    /// Whether a schema is one of those that a parent's discriminator tells apart.
    package func isChild(_ node: Node, of parent: Node) throws(DocumentError) -> Bool {
        let target = try schema(parent)
        guard try !shape(of: parent).subtypes.isEmpty else { return false }
        let place = node.pointer.description
        return children[target.pointer.description]?.contains { $0.pointer.description == place }
            ?? false
    }

    /// The schemas that a parent's discriminator tells apart: those that it maps, or all that have
    /// the parent in their `allOf`, and that one's, and so on.
    func subtypes(of parent: Node, _ discriminator: Node) -> [Node] {
        let place = parent.pointer.description
        guard children[place] != nil else { return [] }
        var (below, queue) = (Set<String>(), [place])
        var order: [Node] = []
        while let next = queue.popLast() {
            for child in children[next] ?? [] where below.insert(child.pointer.description).inserted
            {
                order.append(child)
                queue.append(child.pointer.description)
            }
        }
        var mapped: [Node] = []
        var seen: Set<String> = []
        for (_, target) in discriminator["mapping"]?.allMembers ?? [] {
            guard let text = target.text else { continue }
            let isPointer = text.contains("/") || text.contains("#") || text.contains(".")
            let reference = isPointer ? text : "#/components/schemas/\(text)"
            guard let node = self.node(at: reference),
                seen.insert(node.pointer.description).inserted
            else { continue }
            mapped.append(self.reference(to: reference, at: target.pointer))
        }
        if !mapped.isEmpty { return mapped }
        return order.map { child in
            self.reference(to: child.pointer.description, at: child.pointer)
        }
    }
}

extension Data {
    /// Whether the first line with content is a member of a YAML map.
    package var isYAML: Bool {
        let lines = String(decoding: prefix(4096), as: UTF8.self).split(separator: "\n")
        guard let line = lines.first(where: { !$0.hasPrefix("#") && !$0.hasPrefix("---") }) else {
            return !lines.isEmpty
        }
        return line.first?.isLetter == true && line.contains(":")
    }
}

extension JSON {
    /// The value at a part of a JSON pointer in a URI, with its name or index.
    ///
    /// tsoa escapes the name of a schema, `Pick_Job.%22id%22_`, and refers to it as it is.
    package func value(at token: String) -> (name: String, value: JSON)? {
        let isEscaped = token.utf8.contains { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "%") }
        for text in isEscaped ? [token.removingPercentEncoding ?? token, token] : [token] {
            let name =
                isEscaped
                ? text.replacingOccurrences(of: "~1", with: "/")
                    .replacingOccurrences(of: "~0", with: "~") : text
            if let value = self[name] { return (name, value) }
            if let index = Int(name), let elements, elements.indices.contains(index) {
                return (name, elements[index])
            }
        }
        return nil
    }
}
