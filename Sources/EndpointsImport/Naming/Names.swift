import EndpointsDocuments

/// The names of all declared types and files, found before anything is written.
///
/// They depend on the whole document, so that a part of it is imported with the same names.
final class Names {
    let overrides: Overrides
    /// What the types of the API begin with: `Box` makes `BoxServer` and `BoxRequest`.
    let api: String
    /// The names of the schemas under `components` and in other files, by their pointer.
    private(set) var models: [String: String] = [:]
    /// The names of the requests, by method and path: several paths may refer to one item.
    private(set) var requests: [String: String] = [:]
    let top: Scope
    private let keys: KeyStrategy

    var server: Written { .name("\(api)Server") }
    var request: Written { .name("\(api)Request") }
    var call: Written { .name("\(api)Call") }
    /// The name of the coders.
    var coder: Written { .name(api.lowerCamel) }
    /// How objects are written in brackets.
    var brackets: Written { keyForm != nil ? ".brackets(by: .api)" : ".brackets" }

    init(_ document: Document, _ operations: [Operation], _ overrides: Overrides) {
        self.overrides = overrides
        let title = Self.api(document.root["info"]?["title"]?.text ?? "")
        let isTaken = ["Server", "Request", "Call"].contains { Reserved.types.contains(title + $0) }
        api = overrides.api ?? (isTaken ? title + "API" : title)
        let others = document.externalSchemas()
        keys = KeyStrategy(document)
        var namer = Namer(taken: Reserved.types)
        for suffix in ["Server", "Request", "Call"] { namer.take(api + suffix) }
        for name in overrides.names.values { namer.take(name) }
        let found = OperationNames(operations)
        let bodies = found.bodies(of: operations)
        for (name, node) in document.root["components"]?["schemas"]?.allMembers ?? [] {
            let pointer = node.pointer.description
            models[pointer] =
                overrides.names[pointer]
                ?? namer.name((bodies[name] ?? name.upperCamel).shortened, or: "Model")
        }
        for node in others {
            let pointer = node.pointer.description
            models[pointer] =
                overrides.names[pointer] ?? namer.name(node.pointer.name.shortened, or: "Model")
        }
        for operation in operations {
            requests["\(operation.method) \(operation.path)"] =
                overrides.name(of: operation)
                ?? namer.name(found.name(of: operation).shortened, or: "Call")
        }
        top = Scope(path: [], namer)
    }

    private static func api(_ title: String) -> String {
        let left = [
            "api", "rest", "openapi", "specification", "spec", "the", "http", "platform", "a",
            "and", "of", "for",
        ]
        let words = title.words.filter {
            !left.contains($0.lowercased()) && $0.first?.isLetter == true
        }
        let name = words.prefix(2).joined(separator: " ").upperCamel
        return name.isEmpty ? "API" : name
    }

    /// What a `CodingKey` of the JSON name must be, after the coders' conversion.
    func codingKey(_ name: String) -> String { keys.codingKey(name) }

    /// How the coders convert keys, if they do, and the keys that they convert in another way.
    var keyForm: Written? {
        keys.form.map { $0 == .snake ? "SnakeCase" : "PascalCase" }
    }
    var otherKeys: [(json: String, swift: String)] {
        keys.others.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension Pointer {
    /// The name of what is there: the last part, or that of the file.
    fileprivate var name: String {
        guard parent == nil else { return token.upperCamel }
        let last = file.split(separator: "/").last.map(String.init) ?? ""
        return (last.split(separator: ".").first.map(String.init) ?? last).upperCamel
    }
}
