import Foundation

/// An operation of a document, with what its path says of all its operations.
package struct Operation: Sendable {
    package let node: Node
    /// The path, with no more in its braces than a parameter's name.
    package let path: String
    package let method: String
    package let parameters: [Node]
    package let servers: Node?
    /// The path as the document writes it.
    private let written: String

    package init(node: Node, path: String, method: String, parameters: [Node], servers: Node? = nil)
    {
        let names = parameters.filter { $0["in"]?.text == "path" }.compactMap { $0["name"]?.text }
        (self.node, written, self.method) = (node, path, method)
        self.path = path.withPlainNames(of: names)
        (self.parameters, self.servers) = (parameters, servers)
    }

    package var tag: String { node["tags"]?.texts.first ?? "" }
    package var identifier: String? { node["operationId"]?.text }
    package var isDeprecated: Bool { node["deprecated"]?.isTrue == true }

    /// The texts by which a person can name this operation.
    package var handles: [String] {
        [node.pointer.description, "\(method) \(written)", "\(method) \(path)"]
            + (identifier.map { [$0] } ?? [])
    }
}

extension Document {
    private static let methods: Set = [
        "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
    ]

    /// An operation, or what is wrong with it.
    package struct ReadOperation {
        /// What a person can write to leave it out: `get /users`.
        package let handle: String
        package let operation: Result<Operation, DocumentError>
    }

    /// All operations in the document's order.
    ///
    /// - Throws: A ``DocumentError`` for the first one that is wrong.
    package func operations() throws -> [Operation] {
        try readOperations().map { try $0.operation.get() }
    }

    /// All operations in the document's order, also those that are wrong.
    package func readOperations() -> [ReadOperation] {
        guard let paths = root["paths"] else { return [] }
        return paths.members.flatMap { path, node -> [ReadOperation] in
            do throws(DocumentError) {
                return try operations(of: node, path)
            } catch {
                return [ReadOperation(handle: path, operation: .failure(error))]
            }
        }
    }

    private func operations(
        of node: Node, _ path: String
    ) throws(DocumentError) -> [ReadOperation] {
        let item = try object(node)
        // What stands beside the reference of a path is its own (OpenAPI 3.1, "Path Item Object").
        let own = node.json["$ref"] == nil ? [] : node.members.filter { $0.name != "$ref" }
        let members = item.members.filter { member in !own.contains { $0.name == member.name } }
        let shared = Result { () throws(DocumentError) in try parameters(of: item) }
        let others = try item.object("additionalOperations")?.allMembers ?? []
        let all = (members + own).filter { Self.methods.contains($0.name) } + others
        return all.map { method, node in
            ReadOperation(
                handle: "\(method) \(path)",
                operation: Result { () throws(DocumentError) in
                    try operation(node, path, method, item, try shared.get())
                })
        }
    }

    private func parameters(of node: Node) throws(DocumentError) -> [Node] {
        var parameters: [Node] = []
        for parameter in try node.list("parameters") { parameters.append(try object(parameter)) }
        return parameters
    }

    private func operation(
        _ node: Node, _ path: String, _ method: String, _ item: Node, _ shared: [Node]
    ) throws(DocumentError) -> Operation {
        let node = try object(node)
        let own = try parameters(of: node)
        let keys = Set(own.map(\.parameterKey))
        return Operation(
            node: node, path: path, method: method,
            parameters: shared.filter { !keys.contains($0.parameterKey) } + own,
            servers: node["servers"] ?? item["servers"])
    }
}

extension String {
    /// A path whose braces have only names of described parameters, where a server's routes or
    /// RFC 6570 say more in them: `/files/{path*}`, `/users/{id:[0-9]+}`, `/{+rest}`.
    fileprivate func withPlainNames(of names: [String]) -> String {
        guard contains("{"), !names.isEmpty else { return self }
        var (text, rest) = ("", self[...])
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].closingBrace {
            let inner = rest[rest.index(after: open)..<close]
            let plain = inner.drop { "+#./;?&*".contains($0) }
                .prefix { !":=*?+".contains($0) }
            let name =
                names.contains(String(inner)) || !names.contains(String(plain)) ? inner : plain
            text += rest[..<open] + "{" + name + "}"
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }
}

extension Substring {
    /// The brace that closes the first one: braces may stand between them.
    fileprivate var closingBrace: Index? {
        var depth = 0
        for index in indices where self[index] == "{" || self[index] == "}" {
            depth += self[index] == "{" ? 1 : -1
            if depth == 0 { return index }
        }
        return nil
    }
}

extension Node {
    /// What makes two parameters the same one: the place and the name.
    package var parameterKey: [String] {
        let (place, name) = (self["in"]?.text ?? "", self["name"]?.text ?? "")
        // The names of header fields are the same in capitals (RFC 9110, section 5.1).
        return [place, place == "header" ? name.lowercased() : name]
    }
}

/// How a parameter, or a field of a form, is written: `style` and `explode` (OpenAPI 3.1,
/// "Style Values").
package struct Style: Hashable, Sendable {
    package var name: String
    package var explodes: Bool

    package init(_ name: String, explodes: Bool) { (self.name, self.explodes) = (name, explodes) }

    /// The style of a parameter at a place, or of a field (`encoding`), with OpenAPI's defaults.
    package init(of node: Node?, in place: String) {
        let usual = ["path", "header"].contains(place) ? "simple" : "form"
        name = node?["style"]?.text ?? usual
        explodes = node?["explode"]?.json.bool ?? (name == "form")
    }
}
