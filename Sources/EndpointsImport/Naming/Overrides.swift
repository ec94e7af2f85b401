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
            case "leaveOut": leftOut = Set(node.texts)
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
