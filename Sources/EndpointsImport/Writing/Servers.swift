import EndpointsDocuments
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

    /// A server that is wrong is reported, and the others are declared.
    init(_ document: Document, _ requests: [Request], _ report: Report) {
        var namer = Namer(taken: [
            "baseUrl", "credentials", "headers", "init", "self", "headerTexts", "loadPolicy",
        ])
        let whole = document.root["servers"]?.elements ?? []
        if let list = document.root["servers"], list.json.elements == nil {
            report.skip(list.pointer, "must be a list, and is \(list.json.kind)")
        }
        common = whole.first?["url"]?.text
        let own = requests.flatMap { $0.operation.servers?.elements ?? [] }
        var seen: Set<String> = []
        for node in whole + own {
            do {
                let text = try node.requiredText("url")
                // Both are the place of the document (RFC 3986, section 4.2).
                let url = text.isEmpty ? "/" : text
                guard seen.insert(url).inserted else { continue }
                try add(node, url, isOnly: whole.count == 1, &namer)
            } catch {
                report.skip(error, "the server isn't declared")
            }
        }
    }

    private mutating func add(
        _ node: Node, _ url: String, isOnly: Bool, _ namer: inout Namer
    ) throws {
        var wanted = node["name"]?.text ?? ""
        var words = (node["description"]?.text ?? "").words
        // `production` says it of a server, without the word.
        if words.count > 1, words.last?.lowercased() == "server" { words.removeLast() }
        if wanted.isEmpty, words.count < 4 { wanted = words.joined(separator: " ") }
        if wanted.words.isEmpty || servers.isEmpty && isOnly {
            wanted = servers.isEmpty ? "production" : Self.host(url)
        }
        var variableNamer = Namer(taken: ["host"])
        let declared = try node.object("variables")
        let variables = url.pieces.compactMap(\.variable).unique.map { name in
            (
                name: name, swiftName: variableNamer.name(name.lowerCamel, or: "variable"),
                standard: declared?[name]?["default"]?.text
            )
        }
        let example = url.pieces.map { piece in
            piece.variable.map { name in
                variables.first { $0.name == name }?.standard ?? "a"
            } ?? piece.text
        }.joined()
        let made =
            Self.isAbsolute(url)
            ? URL(string: example) : URL(string: example, relativeTo: URL(string: "https://a.b/"))
        guard let made, made.absoluteURL.host?.isEmpty == false,
            ["http", "https"].contains(made.absoluteURL.scheme?.lowercased()),
            !example.contains("{"), !example.contains("}")
        else {
            throw DocumentError(
                node.pointer.appending("url"),
                Self.isAbsolute(url)
                    ? "`\(url)` isn't a URL of HTTP with a host" : "`\(url)` isn't a URL")
        }
        let name = namer.name(wanted.words.joined(separator: " ").lowerCamel, or: "Server")
        servers.append(Server(name: name, url: url, variables: variables))
    }

    /// Whether a URL has its scheme and host, or variables for them.
    fileprivate static func isAbsolute(_ url: String) -> Bool {
        url.contains("://") || url.first == "{"
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

extension String {
    /// The text and the variables of a server's URL, in their order.
    fileprivate var pieces: [(text: String, variable: String?)] {
        var pieces: [(text: String, variable: String?)] = []
        var rest = self[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            pieces.append((String(rest[..<open]), nil))
            pieces.append(("{\(name)}", name))
            rest = rest[rest.index(after: close)...]
        }
        return pieces + [(String(rest), nil)]
    }
}

extension Servers.Server {
    func lines(_ type: Written) -> [Written] {
        var arguments = variables.map { variable -> Written in
            let standard = variable.standard.map { text -> Written in " = \(.literal(text))" }
            return "\(.name(variable.swiftName)): String\(standard ?? "")"
        }
        let name = Written.name(name)
        if !Servers.isAbsolute(url) {
            arguments.insert("at host: URL", at: 0)
            let isHost = url.allSatisfy { $0 == "/" } && url.count < 2
            if isHost || variables.isEmpty {
                return Lines.function("static func \(name)", arguments, "-> \(type)")
                    + (isHost
                        ? ["    \(type)(baseUrl: host)", "}"]
                        : [
                            "    let url = URL(string: \(.literal(url)), relativeTo: host)",
                            "    return \(type)(baseUrl: url?.absoluteURL ?? host)", "}",
                        ])
            }
        }
        guard !variables.isEmpty else {
            let line: Written =
                "static let \(name) = \(type)(baseUrl: URL(string: \(.literal(url)))!)"
            guard line.count + 4 > Lines.width else { return [line] }
            return [
                "static let \(name) = \(type)(", "    baseUrl: URL(string: \(.literal(url)))!)",
            ]
        }
        let (origin, rest) = parts
        let texts: [Written] = [
            origin.isEmpty ? "" : "\"\(origin)\"", rest.isEmpty ? "" : "then: \"\(rest)\"",
            Servers.isAbsolute(url) ? "" : "at: host",
        ].filter { !$0.isEmpty }
        return Lines.function("static func \(name)", arguments, "throws -> \(type)") + [
            "    try \(type)(baseUrl: .server(\(texts.joined(separator: ", "))))", "}",
        ]
    }

    /// The scheme and host of the URL, and what follows them, with their variables. All of it
    /// follows them if one variable may have them both.
    private var parts: (origin: Written, rest: Written) {
        var (origin, rest) = ([Written](), [Written]())
        var isInHost = url.contains("://")
        for piece in url.pieces {
            if let variable = variables.first(where: { $0.name == piece.variable }) {
                isInHost = isInHost && variable.standard?.first != "/"
                let text: Written = "\\(\(.name(variable.swiftName)))"
                if isInHost { origin.append(text) } else { rest.append(text) }
                continue
            }
            var text = piece.text[...]
            if isInHost {
                let start = text.range(of: "://")?.upperBound ?? text.startIndex
                let end = text[start...].firstIndex(of: "/") ?? text.endIndex
                origin.append(.literalPart(String(text[..<end])))
                isInHost = end == text.endIndex
                text = text[end...]
            }
            rest.append(.literalPart(String(text)))
        }
        return (origin.joined(), rest.joined())
    }
}

extension Lines {
    /// The head of a function, with its arguments on a line of their own if it doesn't fit.
    fileprivate static func function(
        _ head: Written, _ arguments: [Written], _ result: Written
    ) -> [Written] {
        let line: Written = "\(head)(\(arguments.joined(separator: ", "))) \(result) {"
        guard line.count + 4 > width else { return [line] }
        return ["\(head)("] + filled(arguments, 8).indented + [") \(result) {"]
    }
}
