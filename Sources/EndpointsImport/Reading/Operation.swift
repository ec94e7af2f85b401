/// An operation of the document, with what its path says of all its operations.
struct Operation {
    let node: Node
    let path: String
    let method: String
    let tag: String
    let parameters: [Node]
    let servers: Node?

    var identifier: String? { node["operationId"]?.text }
    var isDeprecated: Bool { node["deprecated"]?.json.bool == true }

    /// The comment: the summary, or the first sentence of the description.
    var comment: String? {
        let text = [node["summary"], node["description"]].compactMap { $0?.text }
            .first { !$0.trimmed.isEmpty }
        return text.flatMap { $0.firstSentence }
    }
}

extension Document {
    private static let methods = [
        "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
    ]

    /// All operations in the document's order.
    func operations() throws -> [Operation] {
        guard let paths = try root.object("paths") else { return [] }
        var operations: [Operation] = []
        for (path, reference) in paths.members {
            let item = try resolved(reference)
            guard item.json.members != nil else {
                throw DocumentError(item.pointer, "must be an object, and is \(item.json.kind)")
            }
            let shared = try item.list("parameters").map { try resolved($0) }
            for (method, node) in item.members where Self.methods.contains(method) {
                operations.append(try operation(node, path, method, item, shared))
            }
            for (method, node) in try item.object("additionalOperations")?.members ?? [] {
                operations.append(try operation(node, path, method, item, shared))
            }
        }
        return operations
    }

    private func operation(
        _ node: Node, _ path: String, _ method: String, _ item: Node, _ shared: [Node]
    ) throws -> Operation {
        guard node.json.members != nil else {
            throw DocumentError(node.pointer, "must be an object, and is \(node.json.kind)")
        }
        let own = try node.list("parameters").map { try resolved($0) }
        let keys = Set(own.map { Self.key($0) })
        return Operation(
            node: node, path: path, method: method,
            tag: node["tags"]?.texts.first ?? "",
            parameters: shared.filter { !keys.contains(Self.key($0)) } + own,
            servers: node["servers"] ?? item["servers"])
    }

    private static func key(_ parameter: Node) -> [String] {
        let (place, name) = (parameter["in"]?.text ?? "", parameter["name"]?.text ?? "")
        // The names of header fields are the same in capitals (RFC 9110, section 5.1).
        return [place, place == "header" ? name.lowercased() : name]
    }
}
