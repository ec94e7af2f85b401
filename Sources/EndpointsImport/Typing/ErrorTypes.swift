/// The types of the error responses: one for all requests where the document has one.
final class ErrorTypes {
    private let document: Document
    /// The schema that most operations have for an error.
    private var common: String?
    private(set) var type: SwiftType?
    private var commonNode: Node?

    init(_ document: Document, _ operations: [Operation]) throws {
        self.document = document
        var (counts, order, nodes) = ([String: Int](), [String](), [String: Node]())
        for operation in operations {
            for node in try Self.schemas(of: operation, document) {
                let key = try Self.key(node, document)
                if counts[key] == nil { order.append(key) }
                counts[key, default: 0] += 1
                nodes[key] = nodes[key] ?? node
            }
        }
        let most = counts.values.max() ?? 0
        common = order.first { counts[$0] == most }
        commonNode = common.flatMap { nodes[$0] }
    }

    /// Types the common error, as a model of its own.
    func declare(_ typer: Typer) throws {
        guard let commonNode else { return }
        let found = try typer.type(
            of: commonNode, named: typer.names.api + "Error", in: typer.names.top)
        type = found.type.unwrapped
        for model in found.type.models { model.mark(isWritten: false) }
    }

    func replace(_ change: (SwiftType) -> SwiftType) { type = type.map(change) }

    /// The error type of one operation, if it differs.
    func own(of operation: Operation, _ typer: Typer, _ scope: Scope) throws -> SwiftType? {
        let schemas = try Self.schemas(of: operation, document)
        let keys = try schemas.map { try Self.key($0, document) }
        guard let first = schemas.first, !keys.contains(where: { $0 == common }) else { return nil }
        let found = try typer.type(of: first, named: "ErrorResponse", in: scope)
        for model in found.type.models { model.mark(isWritten: false) }
        return found.type.unwrapped
    }

    private static func key(_ node: Node, _ document: Document) throws -> String {
        let target = try document.resolved(node)
        return node["$ref"] == nil ? target.json.written : target.pointer.description
    }

    /// The schemas of all error responses: that of `default` first.
    private static func schemas(of operation: Operation, _ document: Document) throws -> [Node] {
        let responses = try operation.node.object("responses")?.members ?? []
        let hasSuccess = responses.contains { $0.name.hasPrefix("2") || $0.name.hasPrefix("3") }
        let errors = responses.filter {
            $0.name.hasPrefix("4") || $0.name.hasPrefix("5") || ($0.name == "default" && hasSuccess)
        }
        let sorted = errors.filter { $0.name == "default" } + errors.filter { $0.name != "default" }
        return try sorted.compactMap { status in
            let content = try document.content(of: status.node)
            return content.first { $0.name.isJSON }?.node["schema"]
        }
    }
}
