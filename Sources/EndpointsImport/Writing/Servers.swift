import Foundation

/// The servers of the document, each with a name.
struct Servers {
    struct Server {
        let name: String
        let url: String
        let variables: [(name: String, swiftName: String, standard: String?)]
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
            let declared = try node.object("variables")
            let variables = Self.variables(url).map { name in
                (
                    name: name, swiftName: variableNamer.name(name.lowerCamel, or: "variable"),
                    standard: declared?[name]?["default"]?.text
                )
            }
            let example = variables.reduce(url) {
                $0.replacingOccurrences(of: "{\($1.name)}", with: $1.standard ?? "a")
            }
            guard !Self.isAbsolute(url) || URL(string: example)?.host != nil else {
                throw DocumentError(
                    node.pointer.appending("url"), "`\(url)` isn't a URL with a host")
            }
            let name = namer.name(wanted.words.joined(separator: " ").lowerCamel, or: "Server")
            servers.append(Server(name: name, url: url, variables: variables))
        }
    }

    /// Whether a URL has its scheme and host, or variables for them.
    fileprivate static func isAbsolute(_ url: String) -> Bool {
        url.contains("://") || url.first == "{"
    }

    /// The names in braces.
    private static func variables(_ url: String) -> [String] {
        url.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
            part.firstIndex(of: "}").map { String(part[..<$0]) }
        }.unique
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
            literal = literal.replacingOccurrences(
                of: "{\(variable.name)}", with: "\\(\(variable.swiftName.escapedName))")
        }
        let arguments = variables.map { variable in
            let standard = variable.standard.map { " = \"\($0.swiftLiteral)\"" } ?? ""
            return "\(variable.swiftName.escapedName): String\(standard)"
        }
        if !Servers.isAbsolute(url) {
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
