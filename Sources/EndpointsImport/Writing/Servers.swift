/// The servers of the document, each with a name.
struct Servers {
    struct Server {
        let name: String
        let url: String
        let variables: [(name: String, swiftName: String, standard: String)]
    }

    private(set) var servers: [Server] = []
    private let common: String?

    init(_ document: Document, _ requests: [Request]) throws {
        var namer = Namer(taken: [
            "baseUrl", "credentials", "headers", "init", "self", "headerTexts", "loadPolicy",
        ])
        let whole = try document.root.list("servers")
        common = whole.first?["url"]?.text
        let own = requests.flatMap { $0.operation.servers?.elements ?? [] }
        var seen: Set<String> = []
        for node in whole + own {
            let url = try node.requiredText("url")
            guard seen.insert(url).inserted else { continue }
            var wanted = node["name"]?.text ?? ""
            let words = (node["description"]?.text ?? "").words
            if wanted.isEmpty, words.count < 4 { wanted = words.joined(separator: " ") }
            if wanted.words.isEmpty || servers.isEmpty && whole.count == 1 {
                wanted = servers.isEmpty ? "production" : Self.host(url)
            }
            var variableNamer = Namer()
            let variables = (node["variables"]?.allMembers ?? []).map { name, node in
                (
                    name: name, swiftName: variableNamer.name(name.lowerCamel, or: "variable"),
                    standard: node["default"]?.text ?? ""
                )
            }
            let name = namer.name(wanted.words.joined(separator: " ").lowerCamel, or: "Server")
            servers.append(Server(name: name, url: url, variables: variables))
        }
    }

    private static func host(_ url: String) -> String {
        let host = url.split(separator: "/").dropFirst().first ?? "server"
        return host.split(separator: ".").first.map(String.init) ?? "server"
    }

    /// The name of the server that an operation names for itself.
    func name(of operation: Operation) -> String? {
        guard let url = operation.servers?.elements.first?["url"]?.text, url != common else {
            return nil
        }
        return servers.first { $0.url == url }?.name
    }
}

extension Servers.Server {
    func lines(_ type: String) -> [String] {
        var literal = url.swiftLiteral
        for variable in variables {
            literal = literal.replacing("{\(variable.name)}", with: "\\(\(variable.swiftName))")
        }
        let arguments = variables.map {
            "\($0.swiftName): String = \"\($0.standard.swiftLiteral)\""
        }
        if !url.contains("://"), url.first != "{" {
            let path = url.drop { $0 == "/" }
            let line =
                path.isEmpty
                ? "\(type)(baseUrl: host)"
                : "\(type)(baseUrl: host.appendingPathComponent(\"\(String(path).swiftLiteral)\"))"
            return [
                "static func \(name.escapedName)(at host: URL) -> \(type) {", "    \(line)", "}",
            ]
        }
        let make = "\(type)(baseUrl: URL(string: \"\(literal)\")!)"
        guard !variables.isEmpty else {
            let line = "static let \(name.escapedName) = \(make)"
            guard line.count + 4 > Lines.width else { return [line] }
            return [
                "static let \(name.escapedName) = \(type)(",
                "    \(make.dropFirst(type.count + 1))",
            ]
        }
        return [
            "static func \(name.escapedName)(\(arguments.joined(separator: ", "))) -> \(type) {",
            "    \(make)", "}",
        ]
    }
}
