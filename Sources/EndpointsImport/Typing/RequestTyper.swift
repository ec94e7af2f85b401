/// Declares the request of an operation.
struct RequestTyper {
    let typer: Typer
    let errors: ErrorTypes
    var document: Document { typer.document }

    func request(of operation: Operation) throws -> Request {
        let name = typer.names.requests[operation.node.pointer.description] ?? "Request"
        let taken = typer.names.top.namer.taken.subtracting(["Body", "Response", "ErrorResponse"])
        var request = Request(
            name: name, operation: operation, scope: Scope(path: [name], taken: taken))
        var namer = Namer(taken: Reserved.requestMembers)
        var segments: [String: String] = [:]
        for parameter in operation.parameters {
            let place = try parameter.requiredText("in")
            let parameterName = try parameter.requiredText("name")
            switch place {
            case "path" where !operation.path.contains("{\(parameterName)}"):
                typer.report.note(
                    parameter.pointer,
                    "the path has no `{\(parameterName)}`; the parameter isn't declared")
            case "path":
                segments[parameterName] = try pathValue(parameter, &request, &namer)
            case "query": try query(parameter, &request, &namer)
            case "querystring":
                typer.report.skip(parameter.pointer, "a whole query string isn't declared")
            case "header": try header(parameter, &request, &namer)
            case "cookie":
                typer.report.skip(
                    parameter.pointer,
                    "the cookie `\(parameterName)` isn't declared; the session sends cookies")
            default:
                throw DocumentError(
                    parameter.pointer.appending("in"),
                    "`\(place)` isn't known; known are path, query, header and cookie")
            }
        }
        try path(&request, &namer, segments)
        if let body = operation.node["requestBody"] {
            try self.body(try document.object(body), &request, &namer)
        }
        try response(&request)
        request.error = try errors.own(of: operation, typer, request.scope)
        if operation.node["security"]?.json == .array([]), typer.document.hasAuthorization {
            request.headers.append(".authorization: nil")
        }
        return request
    }

    private func path(
        _ request: inout Request, _ namer: inout Namer, _ segments: [String: String]
    ) throws {
        var path = request.operation.path
        let pointer = request.operation.node.pointer
        if let end = path.firstIndex(of: "#") {
            typer.report.note(
                pointer,
                """
                the path has the fragment `\(path[end...])`, which is never sent; it is left out
                """)
            path = String(path[..<end])
        }
        let halves = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var rest = halves[0].drop { $0 == "/" }
        var text = ""
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            text += String(rest[..<open]).swiftLiteral
            guard let segment = segments[name] else {
                throw DocumentError(pointer, "the parameter `\(name)` of the path isn't declared")
            }
            let begins = rest[..<open].isEmpty ? text.isEmpty : rest[..<open].hasSuffix("/")
            text += begins ? "\\(\(segment))" : "\\(\(segment), includesSlash: false)"
            rest = rest[rest.index(after: close)...]
        }
        request.path = text + String(rest).swiftLiteral
        guard halves.count > 1 else { return }
        typer.report.note(
            pointer,
            """
            the path has the query `?\(halves[1])`, which OpenAPI doesn't allow; it is declared as \
            query items
            """)
        for item in halves[1].split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1).map(String.init)
            request.parameters.append(try self.item(parts, segments, at: pointer))
        }
    }

    /// An item of a query that stands in the path: a constant, or a value in braces.
    private func item(
        _ parts: [String], _ segments: [String: String], at pointer: Pointer
    ) throws -> String {
        let name = parts[0].swiftLiteral
        guard parts.count > 1 else { return ".queryFlag(\"\(name)\")" }
        let value = parts[1]
        guard value.contains("{") else {
            return ".queryValue(\"\(name)\", value: \"\(value.swiftLiteral)\")"
        }
        guard value.hasPrefix("{"), value.hasSuffix("}"),
            let segment = segments[String(value.dropFirst().dropLast())]
        else {
            throw DocumentError(
                pointer, "`\(value)` in the path's query isn't a declared parameter of the path")
        }
        guard let list = segment.split(separator: "commaSeparated: ").first, list != segment else {
            return ".query(\"\(name)\", \(segment))"
        }
        return ".query(\"\(name)\", path: \(list), style: .commaSeparated)"
    }

    /// Adds a value, and gives its name.
    func add(
        _ name: String, _ type: SwiftType, isRequired: Bool, schema: Node?, parameter: Node?,
        _ request: inout Request, _ namer: inout Namer
    ) throws -> String {
        let swiftName = namer.name(name.lowerCamel, or: "Value")
        var value = Request.Value(name: swiftName, type: type, isRequired: isRequired)
        if let schema {
            let resolved = try document.resolved(schema)
            value.standard = schema["default"]?.json ?? resolved["default"]?.json
            if type == .string || type == .plain("Int") {
                value.constant = try typer.onlyValue(of: schema)
            }
        }
        value.isDeprecated = parameter?["deprecated"]?.json.bool == true
        let place = parameter?["in"]?.text
        value.source =
            "\(place ?? "form") \(place.flatMap { _ in parameter?["name"]?.text } ?? name)"
        request.values.append(value)
        for model in type.models { model.isParameter = true }
        return swiftName
    }
}

extension Document {
    /// Whether some security scheme is sent in `Authorization`.
    var hasAuthorization: Bool {
        (root["components"]?["securitySchemes"]?.members ?? []).contains {
            $0.node["type"]?.text != "apiKey"
        }
    }
}

extension String {
    /// The text as it stands in a literal in quotes.
    var swiftLiteral: String {
        var literal = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal
    }
}
