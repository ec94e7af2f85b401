import Foundation

/// What a person wants otherwise, from a small JSON file:
///
///     {
///       "name": "Shop",
///       "names": {"#/components/schemas/File": "StoredFile", "get /users": "ListUsers"},
///       "types": {"#/components/schemas/Id": "UUID"},
///       "leaveOut": ["get /legacy", "#/paths/~1old/post"]
///     }
///
/// An operation is named by its pointer, its `operationId`, or its method and path.
struct Overrides {
    var api: String?
    var names: [String: String] = [:]
    private var types: [String: String] = [:]
    private var leftOut: Set<String> = []

    init() {}

    init(_ data: Data) throws {
        let root = Node(try JSONReader.read(data))
        for (name, node) in root.allMembers {
            switch name {
            case "name": api = try root.requiredText(name)
            case "names": names = try Self.texts(node)
            case "types": types = try Self.texts(node)
            case "leaveOut":
                leftOut = Set(node.texts)
                guard let other = try root.list(name).first(where: { $0.text == nil }) else {
                    break
                }
                throw DocumentError(other.pointer, "must be a text, and is \(other.json.kind)")
            default:
                throw DocumentError(
                    node.pointer, "isn't known; known are `name`, `names`, `types` and `leaveOut`")
            }
        }
    }

    private static func texts(_ node: Node) throws -> [String: String] {
        var texts: [String: String] = [:]
        for (name, _) in node.allMembers { texts[name] = try node.requiredText(name) }
        return texts
    }

    /// Throws if something is named that the document doesn't have.
    func check(_ document: Document, _ operations: [Operation]) throws {
        let handles = Set(operations.flatMap(\.handles))
        func isSchema(_ key: String) -> Bool {
            document.node(at: key).map { $0.pointer.isOfSchema } ?? false
        }
        func refuse(_ key: String, _ member: String, _ what: String) throws {
            throw UsageError(
                "the file for --names: `\(member)` has `\(key)`, which is no \(what) of the document; "
                    + "correct it or remove it")
        }
        for key in names.keys.sorted() where !handles.contains(key) && !isSchema(key) {
            try refuse(key, "names", "operation or schema")
        }
        for key in types.keys.sorted() where !isSchema(key) { try refuse(key, "types", "schema") }
        for key in leftOut.sorted() where !handles.contains(key) {
            try refuse(key, "leaveOut", "operation")
        }
    }

    func type(at pointer: Pointer) -> String? {
        types.isEmpty ? nil : types[pointer.description]
    }

    func name(of operation: Operation) -> String? {
        names.isEmpty ? nil : operation.handles.lazy.compactMap { names[$0] }.first
    }

    func leavesOut(_ operation: Operation) -> Bool {
        !leftOut.isEmpty && operation.handles.contains { leftOut.contains($0) }
    }
}

extension Operation {
    /// The texts by which a person can name this operation.
    var handles: [String] {
        [node.pointer.description, "\(method) \(path)"] + (identifier.map { [$0] } ?? [])
    }
}
