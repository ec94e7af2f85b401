import EndpointsDocuments

/// The types of the error responses: one for all requests where the document has one.
final class ErrorTypes {
    private let document: Document
    /// The schema that most operations have for an error.
    private var common: String?
    private(set) var type: SwiftType?
    private var commonNode: Node?

    init(_ document: Document, _ operations: [Operation]) {
        self.document = document
        var (counts, order, nodes) = ([String: Int](), [String](), [String: Node]())
        for operation in operations {
            // What is wrong is said where the operation is declared.
            for (_, node) in (try? Self.schemas(of: operation, document)) ?? [] {
                guard let key = try? Self.key(node, document) else { continue }
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
            of: commonNode, named: typer.names.api + "Error", in: typer.names.top, for: .read)
        type = found.type.unwrapped.error
        for model in found.type.models { model.mark(isWritten: false) }
    }

    /// Takes any value as the common error, as the document's is wrong.
    func declareAny() { type = .json }

    func replace(_ change: (SwiftType) -> SwiftType) { type = type.map(change) }

    /// The error type of one operation, if it differs; any value if the document's is wrong.
    func own(of operation: Operation, _ typer: Typer, _ scope: Scope) -> SwiftType? {
        do { return try read(operation, typer, scope) } catch {
            typer.report.skip(error, "the error response is declared as a `JSONValue`")
            return .json
        }
    }

    /// A response that isn't read as its own type is noted.
    private func read(
        _ operation: Operation, _ typer: Typer, _ scope: Scope
    ) throws -> SwiftType? {
        let schemas = try Self.schemas(of: operation, document)
        guard let declared = try declared(schemas) else { return try withoutJSON(operation) }
        let key = try Self.key(declared.node, document)
        for (status, node) in schemas where try Self.key(node, document) != key {
            typer.report.note(
                node.pointer,
                """
                the error response of status \(status) has another type; it's read as that of \
                \(declared.status)
                """)
        }
        for (status, node) in try Self.responses(of: operation) {
            let types = try document.content(of: node).map(\.name)
            guard let type = types.first, !types.contains(where: { $0.isJSON || $0 == "*/*" })
            else { continue }
            typer.report.note(
                node.pointer,
                """
                the error response of status \(status) is `\(type.mediaType)` and not JSON: it \
                can't be read as that of \(declared.status)
                """)
        }
        guard key != common else { return nil }
        let found = try typer.type(
            of: declared.node, named: "ErrorResponse", in: scope, for: .read)
        for model in found.type.models { model.mark(isWritten: false) }
        return found.type.unwrapped.error
    }

    /// Whether the error type of an operation is that of a schema.
    func declares(_ schema: Node, for operation: Operation) throws -> Bool {
        let declared = try declared(Self.schemas(of: operation, document))
        return try declared.map { try Self.key($0.node, document) == Self.key(schema, document) }
            ?? false
    }

    /// The common error where the operation has it, or its first one.
    private func declared(
        _ schemas: [(status: String, node: Node)]
    ) throws -> (status: String, node: Node)? {
        try schemas.first { try Self.key($0.node, document) == common } ?? schemas.first
    }

    /// The type of errors that aren't in JSON.
    private func withoutJSON(_ operation: Operation) throws -> SwiftType? {
        let responses = try Self.responses(of: operation)
        guard common != nil, !responses.isEmpty else { return nil }
        let contents = try responses.flatMap { try document.content(of: $0.node) }
        guard let first = contents.first else { return .plain("EmptyResponse") }
        guard !contents.contains(where: \.name.isJSON) else { return .json }
        let shape = try first.node["schema"].map { try document.shape(of: $0) }
        let isText = first.name == "*/*" && shape?.types == ["string"] && shape?.format != "binary"
        return first.name.mediaType.hasPrefix("text/") || isText ? .string : .data
    }

    private static func key(_ node: Node, _ document: Document) throws -> String {
        let target = try document.schema(node)
        return node["$ref"] == nil ? target.json.written : target.pointer.description
    }

    /// The error responses: that of `default` first.
    private static func responses(of operation: Operation) throws -> [(name: String, node: Node)] {
        let responses = try operation.node.object("responses")?.members ?? []
        let hasSuccess = responses.contains { $0.name.hasPrefix("2") || $0.name.hasPrefix("3") }
        let errors = responses.filter {
            $0.name.hasPrefix("4") || $0.name.hasPrefix("5") || ($0.name == "default" && hasSuccess)
        }
        return errors.filter { $0.name == "default" } + errors.filter { $0.name != "default" }
    }

    /// The schemas of all error responses in JSON.
    private static func schemas(
        of operation: Operation, _ document: Document
    ) throws -> [(status: String, node: Node)] {
        try responses(of: operation).compactMap { status in
            let content = try document.content(of: status.node)
            return content.first { $0.name.isJSON }?.node["schema"].map { (status.name, $0) }
        }
    }
}

extension SwiftType {
    /// The type of an error response in JSON: a text is in quotes there.
    fileprivate var error: SwiftType { isRaw ? .wrapped(.json, self) : self }
}
