/// The names of all declared types and files, found before anything is written.
///
/// They depend on the whole document, so that a part of it is imported with the same names.
final class Names {
    let overrides: Overrides
    /// What the types of the API begin with: `Box` makes `BoxServer` and `BoxRequest`.
    let api: String
    /// The names of the schemas under `components`, by their pointer.
    private(set) var models: [String: String] = [:]
    /// The names of the requests, by their operation's pointer.
    private(set) var requests: [String: String] = [:]
    let top: Scope
    private let keys: KeyStrategy

    var server: String { "\(api)Server" }
    var request: String { "\(api)Request" }
    var call: String { "\(api)Call" }

    init(_ document: Document, _ operations: [Operation], _ overrides: Overrides) {
        self.overrides = overrides
        let title = Self.api(document.root["info"]?["title"]?.text ?? "")
        let isTaken = ["Server", "Request", "Call"].contains { Reserved.types.contains(title + $0) }
        api = overrides.api ?? (isTaken ? title + "API" : title)
        keys = KeyStrategy(document)
        var namer = Namer(taken: Reserved.types)
        for suffix in ["Server", "Request", "Call"] { namer.take(api + suffix) }
        for name in overrides.names.values { namer.take(name) }
        for (name, node) in document.root["components"]?["schemas"]?.allMembers ?? [] {
            let pointer = node.pointer.description
            models[pointer] =
                overrides.names[pointer] ?? namer.name(name.upperCamel.shortened, or: "Model")
        }
        for operation in operations {
            requests[operation.node.pointer.description] =
                overrides.name(of: operation)
                ?? namer.name(Self.name(of: operation).shortened, or: "Call")
        }
        top = Scope(path: [], taken: namer.taken)
    }

    private static func api(_ title: String) -> String {
        let left = ["api", "rest", "openapi", "specification", "spec", "the", "http", "platform"]
        let words = title.words.filter {
            !left.contains($0.lowercased()) && $0.first?.isLetter == true
        }
        let name = words.prefix(2).joined(separator: " ").upperCamel
        return name.isEmpty ? "API" : name
    }

    private static func name(of operation: Operation) -> String {
        if let name = operation.identifier?.upperCamel, !name.isEmpty { return name }
        let path = operation.path.split(separator: "/").map { segment in
            segment.hasPrefix("{") ? "by \(segment)" : String(segment)
        }
        return ([operation.method] + path).joined(separator: " ").words
            .joined(separator: " ").upperCamel
    }

    /// What a `CodingKey` of the JSON name must be, after the coders' conversion.
    func codingKey(_ name: String) -> String { keys.codingKey(name) }

    /// Whether the coders convert keys, and the keys that they convert in another way.
    var convertsKeys: Bool { keys.converts }
    var otherKeys: [(json: String, swift: String)] {
        keys.others.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
