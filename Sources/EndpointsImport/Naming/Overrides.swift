import EndpointsDocuments
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
    private var types: [String: Written] = [:]
    private var leftOut: Set<String> = []
    private var lines: [[String]: Int] = [:]

    init() {}

    /// - Throws: A ``UsageError`` with the line of what is wrong.
    init(_ data: Data) throws {
        let (json, lines) = try JSONReader.readWithLines(data)
        self.lines = lines
        for (name, node) in Node(json).allMembers {
            switch name {
            case "name":
                api = try text(node, [name])
                guard let api, api.isSwiftName, api.first?.isUppercase == true else {
                    throw wrong([name], "`\(node.text ?? "")` can't begin the name of a type")
                }
            case "names": names = try texts(node, name)
            case "types":
                for (key, text) in try texts(node, name) {
                    guard let type = Written.type(text) else {
                        throw wrong([name, key], "`\(text)` can't be a type in Swift")
                    }
                    types[key] = type
                }
            case "leaveOut":
                guard let elements = node.json.elements,
                    elements.allSatisfy({ $0.text != nil })
                else { throw wrong([name], "`leaveOut` must be a list of texts") }
                leftOut = Set(node.texts)
            default:
                throw wrong(
                    [name],
                    "`\(name)` isn't known; known are `name`, `names`, `types` and `leaveOut`")
            }
        }
        try checkNames()
    }

    private func wrong(_ path: [String], _ reason: String) -> UsageError {
        let line = lines[path].map { "line \($0): " } ?? ""
        return UsageError("the file for --names: \(line)\(reason)")
    }

    private func text(_ node: Node, _ path: [String]) throws -> String {
        guard let text = node.text else {
            throw wrong(path, "`\(path.last ?? "")` must be a text, and is \(node.json.kind)")
        }
        return text
    }

    private func texts(_ node: Node, _ name: String) throws -> [String: String] {
        guard node.json.members != nil else {
            throw wrong([name], "`\(name)` must be an object, and is \(node.json.kind)")
        }
        var texts: [String: String] = [:]
        for (key, value) in node.allMembers { texts[key] = try text(value, [name, key]) }
        return texts
    }

    private func checkNames() throws {
        var owners: [String: String] = [:]
        let order = names.sorted {
            (lines[["names", $0.key]] ?? 0) < (lines[["names", $1.key]] ?? 0)
        }
        for (key, name) in order {
            guard name.isSwiftName else {
                throw wrong(["names", key], "`\(name)` can't be the name of a type in Swift")
            }
            guard !Reserved.types.contains(name) else {
                throw wrong(
                    ["names", key], "`\(name)` is a type that the written text uses; take another")
            }
            if let owner = owners.updateValue(key, forKey: name) {
                throw wrong(["names", key], "`\(name)` is also the name of `\(owner)`")
            }
        }
    }

    /// Throws if something is named that the document doesn't have.
    func check(_ document: Document, _ operations: [Operation], _ others: [String]) throws {
        let handles = Set(operations.flatMap(\.handles) + others)
        func isSchema(_ key: String) -> Bool {
            document.node(at: key).map { $0.pointer.isOfSchema } ?? false
        }
        func refuse(_ key: String, _ member: String, _ what: String) throws {
            throw wrong(
                member == "leaveOut" ? [member] : [member, key],
                "`\(member)` has `\(key)`, which is no \(what) of the document; correct it or remove it"
            )
        }
        for key in names.keys.sorted() where !handles.contains(key) && !isSchema(key) {
            try refuse(key, "names", "operation or schema")
        }
        for key in types.keys.sorted() where !isSchema(key) { try refuse(key, "types", "schema") }
        for key in leftOut.sorted() where !handles.contains(key) {
            try refuse(key, "leaveOut", "operation")
        }
    }

    func type(at pointer: Pointer) -> Written? {
        types.isEmpty ? nil : types[pointer.description]
    }

    func name(of operation: Operation) -> String? {
        names.isEmpty ? nil : operation.handles.lazy.compactMap { names[$0] }.first
    }

    func leavesOut(handles: [String]) -> Bool {
        !leftOut.isEmpty && handles.contains { leftOut.contains($0) }
    }
}
