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
        let reached = Reached(document)
        keys = KeyStrategy(document, reached)
        var namer = Namer(taken: Reserved.types.union(Reserved.swiftUI))
        for suffix in ["Server", "Request", "Call"] { namer.take(api + suffix) }
        for name in overrides.names.values { namer.take(name) }
        let found = OperationNames(operations)
        let bodies = found.bodies(of: operations)
        let schemas = document.root["components"]?["schemas"]?.allMembers ?? []
        var known: [String: String] = [:]
        func add(_ name: String, _ node: Node, _ api: String) {
            let pointer = node.pointer.description
            // tsoa escapes what a URI can't have: `Pick_Job.%22id%22_`.
            let plain = name.removingPercentEncoding ?? name
            var wanted = (bodies[name] ?? plain.upperCamel.withoutTool).shortened
            if Reserved.swiftUI.contains(wanted) { wanted = api + wanted }
            known[pointer] = overrides.names[pointer] ?? namer.name(wanted, or: "Model")
        }
        for (name, node) in schemas where reached.has(node) { add(name, node, api) }
        for node in others {
            let pointer = node.pointer.description
            known[pointer] =
                overrides.names[pointer] ?? namer.name(node.pointer.name.shortened, or: "Model")
        }
        let calls = operations.map { (operation: $0, name: found.name(of: $0)) }
        // A name that is shortened may be another operation's whole one.
        for (operation, name) in calls.filter({ $0.name.shortenedCall == $0.name })
            + calls.filter({ $0.name.shortenedCall != $0.name })
        {
            requests["\(operation.method) \(operation.path)"] =
                overrides.name(of: operation) ?? namer.name(name.shortenedCall, or: "Call")
        }
        // A schema that no operation reaches changes no other name.
        for (name, node) in schemas where !reached.has(node) { add(name, node, api) }
        models = known
        top = Scope(path: [], namer)
    }

    private static func api(_ title: String) -> String {
        let left = [
            "api", "rest", "openapi", "specification", "spec", "the", "http", "platform", "a",
            "and", "of", "for",
        ]
        var words: [String] = []
        // Two words, but not a part of one: `Azure OpenAI`.
        for text in title.split(separator: " ") where words.count < 2 {
            let found = String(text).words.filter {
                !left.contains($0.lowercased()) && $0.first?.isLetter == true
            }
            words += found.prefix(words.isEmpty || found.count > 2 ? 2 - words.count : 2)
        }
        let name = words.joined(separator: " ").upperCamel
        return name.isEmpty ? "API" : name
    }

    /// The name of a schema's type in a PATCH: `ItemChanges` for `Item`, `ItemPatch` or
    /// `ItemRequest`, if no other schema is named like these.
    func changes(of name: String) -> String {
        let base = name.withoutDirection
        let others = models.values.filter { $0 != name && $0.withoutDirection == base }
        let isFree = !top.namer.isTaken(base + "Changes")
        return isFree && (base == name || others.allSatisfy { $0 == base })
            ? base + "Changes" : name + "Changes"
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

extension String {
    /// The name without a last word that only says that a value is sent.
    fileprivate var withoutDirection: String {
        let last = ["Patch", "Request", "Update", "Input", "Body", "Dto", "DTO"].first(
            where: hasSuffix)
        guard let last, count > last.count else { return self }
        return String(dropLast(last.count))
    }

    /// The name of a schema without what Django's tools add: `PatchedUserRequest` is `UserChanges`.
    fileprivate var withoutTool: String {
        let own = self.words
        var words = own.filter { $0 != "Serializer" }
        guard words.count > 1, words.first == "Patched" else {
            return words.isEmpty || words.count == own.count ? self : words.joined()
        }
        words.removeFirst()
        if words.count > 1, words.last == "Request" { words.removeLast() }
        return words.joined() + "Changes"
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
