import EndpointsDocuments

/// The types of the error responses: one for all requests where the document has one.
///
/// Where an operation has several schemas for its errors, they are one object with the members of
/// all of them, or a union if two of them have a member of the same name and different types.
final class ErrorTypes {
    /// A schema of an error response, and what tells it from others.
    private struct Schema {
        let key: String
        let status: String
        let node: Node
    }

    private let document: Document
    /// The schema that most operations have for an error, and those that often stand beside it.
    private var common: [Schema] = []
    private(set) var type: SwiftType?
    /// How many operations have these schemas together.
    private var counts: [Set<String>: Int] = [:]
    /// The types of schemas that several operations have together.
    private var shared: [Set<String>: SwiftType] = [:]

    init(_ document: Document, _ operations: [Operation]) {
        self.document = document
        var (uses, order) = ([String: Int](), [Schema]())
        // What is wrong is said where the operation is declared.
        let all = operations.map { (try? Self.schemas(of: $0, document)) ?? [] }
        for schemas in all {
            for schema in schemas {
                if uses[schema.key] == nil { order.append(schema) }
                uses[schema.key, default: 0] += 1
            }
            counts[Set(schemas.map(\.key)), default: 0] += 1
        }
        let most = uses.values.max() ?? 0
        guard let first = order.first(where: { uses[$0.key] == most }) else { return }
        let having = all.filter { $0.contains { $0.key == first.key } }
        common = order.filter { schema in
            having.count { $0.contains { $0.key == schema.key } } * 4 >= having.count
        }
    }

    /// Types the common error, as a model of its own.
    func declare(_ typer: Typer) throws {
        guard !common.isEmpty else { return }
        let found = try type(
            of: common, named: typer.names.api + "Error", in: typer.names.top, typer)
        type = found.error
        for model in found.models { model.mark(isWritten: false) }
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

    /// A response that can't be read is noted.
    private func read(
        _ operation: Operation, _ typer: Typer, _ scope: Scope
    ) throws -> SwiftType? {
        var schemas = try Self.schemas(of: operation, document)
        guard let first = schemas.first else { return try withoutJSON(operation) }
        for (status, node) in try Self.responses(of: operation) {
            let types = try document.content(of: node).map(\.name)
            guard let type = types.first, !types.contains(where: { $0.isJSON || $0 == "*/*" })
            else { continue }
            typer.report.note(
                node.pointer,
                """
                the error response of status \(status) is `\(type.mediaType)` and not JSON: it \
                can't be read as that of \(first.status)
                """)
        }
        let usual = Set(common.map(\.key))
        // The usual one first, which is the type if it has all members.
        schemas =
            schemas.filter { usual.contains($0.key) }
            + schemas.filter { !usual.contains($0.key) }
        let keys = Set(schemas.map(\.key))
        guard !keys.isSubset(of: usual) else { return nil }
        if let known = shared[keys] { return known == type ? nil : known }
        let isShared = schemas.count > 1 && counts[keys, default: 0] > 1
        let found = try type(
            of: schemas, named: isShared ? name(of: schemas, operation, typer) : "ErrorResponse",
            in: isShared ? typer.names.top : scope, typer)
        for model in found.models { model.mark(isWritten: false) }
        if isShared { shared[keys] = found.error }
        return found.error == type ? nil : found.error
    }

    /// The name of a type for several schemas: theirs, if they are two with a name, or the tag's.
    private func name(of schemas: [Schema], _ operation: Operation, _ typer: Typer) -> String {
        let names = schemas.compactMap { typer.names.models[$0.key] }
        let both = names.joined(separator: "Or")
        return names.count == 2 && schemas.count == 2 && both.count <= 40
            ? both : operation.tag.upperCamel.singular + "Error"
    }

    /// The type of one of several schemas.
    private func type(
        of schemas: [Schema], named name: String, in scope: Scope, _ typer: Typer
    ) throws -> SwiftType {
        func plain(_ node: Node) throws -> SwiftType {
            try typer.type(of: node, named: name, in: scope, for: .read).type.unwrapped
        }
        guard schemas.count > 1, let first = schemas.first?.node else {
            return try plain(schemas[0].node)
        }
        let (nodes, shapes) = try parts(of: schemas.map(\.node))
        if let whole = try document.merged(shapes) {
            // One of them may have all members already.
            let place = try shapes.firstIndex { try document.hasMembers($0, of: whole) }
            guard place == nil else { return try plain(nodes[place ?? 0]) }
            return try typer.type(
                of: whole, first, named: name, in: scope, for: .read, key: nil)
        }
        // What is any value is read as an unknown one.
        let parts = zip(nodes, shapes).filter { !$1.isFree }.map(\.0)
        guard !parts.isEmpty else { return .json }
        let naming = Typer.Naming(name: name, scope: scope, purpose: .read)
        return try typer.declared(parts, Shape(), first, naming)
    }

    /// The schemas, with the parts of a union in its place, and each that says the same only once.
    private func parts(of nodes: [Node]) throws -> (nodes: [Node], shapes: [Shape]) {
        var (parts, shapes) = ([Node](), [Shape]())
        func add(_ node: Node, depth: Int) throws {
            let shape = try document.shape(of: node)
            if !shape.parts.isEmpty, shape.properties.isEmpty, depth < 5 {
                for part in shape.parts { try add(part, depth: depth + 1) }
            } else if try !shapes.contains(where: { try document.isSame($0, shape) }) {
                parts.append(node)
                shapes.append(shape)
            }
        }
        for node in nodes { try add(node, depth: 0) }
        return (parts, shapes)
    }

    /// Whether the error type of an operation has a schema.
    func declares(_ schema: Node, for operation: Operation) throws -> Bool {
        let key = try Self.key(schema, document)
        return try Self.schemas(of: operation, document).contains { $0.key == key }
    }

    /// The type of errors that aren't in JSON.
    private func withoutJSON(_ operation: Operation) throws -> SwiftType? {
        let responses = try Self.responses(of: operation)
        guard !common.isEmpty, !responses.isEmpty else { return nil }
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

    /// The schemas of all error responses in JSON, each once.
    private static func schemas(of operation: Operation, _ document: Document) throws -> [Schema] {
        var seen: Set<String> = []
        return try responses(of: operation).compactMap { status -> Schema? in
            let content = try document.content(of: status.node)
            guard let node = content.first(where: { $0.name.isJSON })?.node["schema"] else {
                return nil
            }
            let key = try key(node, document)
            guard seen.insert(key).inserted else { return nil }
            return Schema(key: key, status: status.name, node: node)
        }
    }
}

extension SwiftType {
    /// The type of an error response in JSON: a text is in quotes there.
    fileprivate var error: SwiftType { isRaw ? .wrapped(.json, self) : self }
}
