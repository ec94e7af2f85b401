import EndpointsDocuments

/// Declares the request of an operation.
struct RequestTyper {
    let typer: Typer
    let errors: ErrorTypes
    var document: Document { typer.document }

    func request(of operation: Operation) throws -> Request {
        let name = typer.names.requests["\(operation.method) \(operation.path)"] ?? "Request"
        var request = Request(
            name: name, operation: operation,
            scope: typer.names.top.nested(name, butFor: ["Body", "Response", "ErrorResponse"]))
        guard operation.method.unicodeScalars.allSatisfy({ $0.isOfToken }) else {
            throw DocumentError(
                operation.node.pointer, "`\(operation.method)` can't be a method of HTTP")
        }
        var namer = Namer(taken: Reserved.requestMembers)
        var segments: [String: Segment] = [:]
        var seen: [[String]: String] = [:]
        for parameter in operation.parameters {
            if let other = seen[parameter.parameterKey] {
                typer.report.note(
                    parameter.pointer, "is the same field as the \(other), and isn't declared twice"
                )
                continue
            }
            seen[parameter.parameterKey] =
                "\(parameter["in"]?.text ?? "") \(parameter["name"]?.text ?? "")"
            do {
                try add(parameter, &request, &namer, &segments)
            } catch let error as DocumentError {
                // Without a parameter that must be there, no request is right.
                if parameter["required"]?.isTrue == true || parameter["in"]?.text == "path" {
                    throw error
                }
                typer.report.skip(error, "the parameter isn't declared")
            }
        }
        try addUndeclared(&request, &namer, &segments)
        try path(&request, segments)
        if let body = operation.node["requestBody"] {
            try self.body(try document.object(body), &request, &namer)
        }
        try response(&request)
        // A response to HEAD has no content, also if it is an error's.
        request.error =
            operation.method == "head"
            ? errors.type.map { _ in .plain("EmptyResponse") }
            : errors.own(of: operation, typer, request.scope)
        if operation.node["security"]?.json == .array([]) { leaveOutKeys(&request) }
        return request
    }

    private func add(
        _ parameter: Node, _ request: inout Request, _ namer: inout Namer,
        _ segments: inout [String: Segment]
    ) throws {
        let place = try parameter.requiredText("in")
        let name = try parameter.requiredText("name")
        switch place {
        case "path" where !request.operation.path.contains("{\(name)}"):
            typer.report.note(
                parameter.pointer, "the path has no `{\(name)}`; the parameter isn't declared")
        case "path":
            segments[name] = try pathValue(parameter, &request, &namer)
        case "query": try query(parameter, &request, &namer)
        case "querystring":
            typer.report.skip(parameter.pointer, "a whole query string isn't declared")
        case "header": try header(parameter, &request, &namer)
        case "cookie":
            typer.report.skip(
                parameter.pointer, "the cookie `\(name)` isn't declared; the session sends cookies")
        default:
            throw DocumentError(
                parameter.pointer.appending("in"),
                "`\(place)` isn't known; known are path, query, header and cookie")
        }
    }

    /// A value in braces that isn't described, at no place, is a text.
    private func addUndeclared(
        _ request: inout Request, _ namer: inout Namer, _ segments: inout [String: Segment]
    ) throws {
        let pointer = request.operation.node.pointer
        let path = request.operation.path.prefix { $0 != "?" && $0 != "#" }
        let names = request.operation.parameters.compactMap { $0["name"]?.text }
        for part in path.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
            guard let end = part.firstIndex(of: "}") else { continue }
            let name = String(part[..<end])
            guard segments[name] == nil, !name.isEmpty, !names.contains(name) else { continue }
            typer.report.note(
                pointer, "the parameter `\(name)` of the path isn't described; it is a text")
            let value = try add(
                name, .string, isRequired: true, schema: nil, parameter: nil, &request, &namer)
            request.values[request.values.count - 1].source = "path \(name)"
            segments[name] = Segment(
                item: Request.Item(before: "path: ", value: value), query: ")")
        }
    }

    /// An operation that needs no security sends no key of the server's.
    private func leaveOutKeys(_ request: inout Request) {
        var names: [Written] = []
        for (_, node) in document.root["components"]?["securitySchemes"]?.allMembers ?? [] {
            guard let scheme = try? document.resolved(node) else { continue }
            switch (scheme["type"]?.text, scheme["in"]?.text) {
            case ("apiKey", "header"):
                let name = scheme["name"]?.text ?? ""
                guard name.isToken else { continue }
                names.append(
                    name.lowercased() == "authorization" ? ".authorization" : .literal(name))
            case ("apiKey", "cookie"): names.append(".cookie")
            case ("apiKey", _), ("mutualTLS", _): continue
            default: names.append(".authorization")
            }
        }
        for name in names.unique { request.headers.append(Request.Item(before: "\(name): nil")) }
    }

    /// A value of the path: the text before it, and how it is interpolated.
    struct Segment {
        var prefix = ""
        let item: Request.Item
        /// How the value stands in a query, where a path has one.
        let query: Written
    }

    private func path(_ request: inout Request, _ segments: [String: Segment]) throws {
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
        var rest = (halves.first ?? "").drop { $0 == "/" }
        var text: Written = ""
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            guard let segment = segments[name] else {
                let other = request.operation.parameters.first { $0["name"]?.text == name }
                let place = other?["in"]?.text
                throw DocumentError(
                    pointer,
                    place.map {
                        """
                        `\(name)` stands in the path and is described with `"in": "\($0)"`: write \
                        `"in": "path"`
                        """
                    } ?? "the parameter `\(name)` of the path isn't declared")
            }
            text += .literalPart(rest[..<open] + segment.prefix)
            let begins =
                segment.prefix.isEmpty
                && (rest[..<open].isEmpty ? text.isEmpty : rest[..<open].hasSuffix("/"))
            text +=
                begins
                ? "\\(\(segment.item.text))" : "\\(\(segment.item.text), includesSlash: false)"
            rest = rest[rest.index(after: close)...]
        }
        request.path = text + .literalPart(String(rest))
        try check(halves.first ?? "", pointer)
        guard halves.count > 1 else { return }
        typer.report.note(
            pointer,
            """
            the path has the query `?\(halves[1])`, which OpenAPI doesn't allow; it is declared as \
            query items
            """)
        for item in halves[1].split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1).map(String.init)
            guard !parts.isEmpty else { continue }
            request.parameters.append(try self.item(parts, segments, at: pointer))
        }
    }

    /// Segments that are dots are removed on their way.
    private func check(_ path: Substring, _ pointer: Pointer) throws {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        let dots: Set = [".", "..", "%2e", "%2E", "%2e%2e", "%2E%2E", ".%2e", "%2e."]
        guard !segments.contains(where: { dots.contains(String($0)) }) else {
            throw DocumentError(
                pointer, "the path has a segment that is `.` or `..`, which no request can have")
        }
    }

    /// An item of a query that stands in the path: a constant, or a value in braces.
    private func item(
        _ parts: [String], _ segments: [String: Segment], at pointer: Pointer
    ) throws -> Request.Item {
        let name = Written.literal(parts[0])
        guard parts.count > 1 else { return Request.Item(before: ".queryFlag(\(name))") }
        let value = parts[1]
        guard value.contains("{") else {
            return Request.Item(before: ".queryValue(\(name), value: \(.literal(value)))")
        }
        guard value.hasPrefix("{"), value.hasSuffix("}"),
            let segment = segments[String(value.dropFirst().dropLast())]
        else {
            throw DocumentError(
                pointer, "`\(value)` in the path's query isn't a declared parameter of the path")
        }
        return Request.Item(
            before: ".query(\(name), path: ", value: segment.item.value, after: segment.query)
    }

    /// Adds a value, and gives its name.
    func add(
        _ name: String, _ type: SwiftType, isRequired: Bool, schema: Node?, parameter: Node?,
        _ request: inout Request, _ namer: inout Namer
    ) throws -> String {
        let swiftName = namer.name(name.lowerCamel, or: "value")
        var value = Request.Value(name: swiftName, type: type, isRequired: isRequired)
        if let schema {
            let resolved = try document.resolved(schema)
            value.standard =
                isRequired ? schema["default"]?.json ?? resolved["default"]?.json : nil
            if type == .string || type == .plain("Int") {
                value.constant = try typer.onlyValue(of: schema)
            }
        }
        let description = parameter?["description"]?.text ?? schema?["description"]?.text
        value.comment = description?.comment(besides: name, in: request.name)
        value.isDeprecated = parameter?["deprecated"]?.isTrue == true
        let place = parameter?["in"]?.text
        value.source =
            "\(place ?? "form") \(place.flatMap { _ in parameter?["name"]?.text } ?? name)"
        request.values.append(value)
        for model in type.models { model.isParameter = true }
        return swiftName
    }
}

extension Unicode.Scalar {
    /// Whether the character may stand in a token (RFC 9110, section 5.6.2).
    fileprivate var isOfToken: Bool {
        isASCII
            && (properties.isAlphabetic
                || "0123456789!#$%&'*+-.^_`|~".unicodeScalars.contains(self))
    }
}

extension String {
    var isToken: Bool { !isEmpty && unicodeScalars.allSatisfy(\.isOfToken) }
}
