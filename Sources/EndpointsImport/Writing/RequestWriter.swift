/// Writes the declaration of a request.
struct RequestWriter {
    let plan: Plan
    let models: ModelWriter
    let servers: Servers

    func lines(_ request: Request) -> [String] {
        var lines: [String] = []
        let operation = request.operation
        if let comment = operation.comment { lines += Lines.comment(comment, 0) }
        if let server = servers.name(of: operation) {
            lines += Lines.comment("Sent to ``\(plan.names.server)/\(server)``.", 0)
        }
        lines += models.deprecation(operation.isDeprecated)
        let hasOwnError = plan.errors.type != nil && request.error != nil
        let parent = hasOwnError ? plan.names.call : plan.names.request
        let paged = request.paging == nil ? "" : ", PagedRequest"
        lines += Lines.head("struct \(request.name): \(parent)\(paged) {", 0)
        let values = Lines.declarations(request.values.map(models.value), 4)
        let nested = request.scope.models.filter { !$0.tags.isEmpty }.map { models.lines($0, 4) }
        var body = nested.joined(after: values)
        // A few lines stand with the endpoint; more stand apart.
        if body.count > 4 { body.append("") }
        body += endpoint(request)
        if let paging = request.paging {
            let line = "static let paging = Paging<Self>\(paging.text)"
            body += line.count + 4 <= Lines.width ? [line] : brokenPaging(line)
        }
        if request.redirects {
            body.append("static let loadPolicy = LoadPolicy(redirects: .doNotFollow)")
            body.append(
                "static func succeeded(_ httpResponse: HTTPURLResponse) -> Bool {")
            body.append("    (300..<400).contains(httpResponse.statusCode)")
            body.append("}")
        }
        body += response(request)
        if let paging = request.paging { body += items(paging) }
        return lines + body.indented + ["}"]
    }

    private func endpoint(_ request: Request) -> [String] {
        let head = "static let endpoint = Endpoint<Self>("
        let method = request.operation.method
        let known = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]
        let first =
            "method: " + (known.contains(method) ? ".\(method)" : "\"\(method.uppercased())\"")
        let path = "path: \"\(request.path)\""
        let (parameters, headers) = (request.parameters, request.headers)
        var whole = "\(first), \(path)"
        if !parameters.isEmpty { whole += ", parameters: [\(parameters.joined(separator: ", "))]" }
        if !headers.isEmpty { whole += ", headers: [\(headers.joined(separator: ", "))]" }
        if head.count + whole.count + 5 <= Lines.width { return [head + whole + ")"] }
        if whole.count + 9 <= Lines.width { return [head, "    \(whole))"] }
        var lines: [String] = []
        let isLast = parameters.isEmpty && headers.isEmpty
        let line = "\(first), \(path)\(isLast ? ")" : ",")"
        if line.count + 8 <= Lines.width {
            lines.append(line)
        } else if path.count + 9 <= Lines.width {
            lines += ["\(first),", "\(path)\(isLast ? ")" : ",")"]
        } else {
            lines += ["\(first),"] + longPath(request.path, isLast)
        }
        if !parameters.isEmpty {
            lines += Lines.list("parameters: ", parameters, headers.isEmpty ? ")" : ",", 8)
        }
        if !headers.isEmpty { lines += Lines.list("headers: ", headers, ")", 8) }
        return [head] + lines.indented
    }

    private func longPath(_ path: String, _ isLast: Bool) -> [String] {
        var (lines, line) = ([String](), "")
        for piece in path.split(separator: "/", omittingEmptySubsequences: false) {
            if !line.isEmpty && line.count + piece.count + 16 > Lines.width {
                lines.append(line + "\\")
                line = ""
            }
            line += "\(piece)/"
        }
        lines.append(String(line.dropLast()))
        return ["path: \"\"\""] + lines.indented + ["    \"\"\"" + (isLast ? ")" : ",")]
    }

    private func response(_ request: Request) -> [String] {
        var lines: [String] = []
        switch request.response {
        case .void: lines.append("typealias Response = Void")
        case .statuses(let all): lines += statuses(all)
        case .stream(let name, let item):
            let items = item.map { "<\(models.text($0, isRead: true))>" } ?? ""
            lines.append("typealias Response = \(wrapped("\(name)\(items)", request))")
        case .type(let type):
            let text = wrapped(models.text(type, isRead: true), request)
            if text != "Response" { lines += alias("Response", text) }
        }
        if plan.errors.type == nil || request.error != nil, let error = request.error {
            let text = models.text(error, isRead: true)
            if text != "ErrorResponse" { lines += alias("ErrorResponse", text) }
        }
        return lines
    }

    private func wrapped(_ type: String, _ request: Request) -> String {
        request.hasHTTPResponse ? "WithHTTPResponse<\(type)>" : type
    }

    /// An enum with a case for each status, and how it is decoded.
    private func statuses(_ all: [Request.Response.Status]) -> [String] {
        let cases = all.map { status in
            status.name + (status.type.map { "(\(models.text($0, isRead: true)))" } ?? "")
        }
        let line = "enum Response { case \(cases.joined(separator: ", ")) }"
        let declared =
            line.count + 4 <= Lines.width
            ? [line] : ["enum Response {"] + Lines.cases(cases, 8).indented + ["}"]
        let decoded = all.flatMap { status -> [String] in
            let label = "case \(status.code):"
            guard let type = status.type.map({ models.text($0, isRead: true) }) else {
                return ["    \(label) .\(status.name)"]
            }
            let value = ".\(status.name)(try responseDecoder.decode(\(type).self, from: data))"
            let line = "    \(label) \(value)"
            return line.count + 8 <= Lines.width ? [line] : ["    \(label)", "        \(value)"]
        }
        let head = [
            "static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {",
            "    switch httpResponse.statusCode {",
        ]
        let other = "    default: throw UnknownStatus(httpResponse.statusCode)"
        return [""] + declared + [""] + head + decoded + [other, "    }", "}"]
    }

    /// The closure on a line of its own.
    private func brokenPaging(_ line: String) -> [String] {
        guard let open = line.firstIndex(of: "{") else { return [line] }
        let body = line[line.index(after: open)...].dropLast(2)
        return [String(line[...open]), "   \(body)", "}"]
    }

    private func items(_ paging: Paging) -> [String] {
        guard let items = paging.items else { return [] }
        let isOptional = !items.isRequired || items.isNullable
        let value = "response.\(items.swiftName.memberName)\(isOptional ? " ?? []" : "")"
        let type = models.text(items.type, isRead: true, isElsewhere: true)
        let line = "static func items(in response: Response) -> \(type) { \(value) }"
        return line.count + 4 <= Lines.width
            ? [line] : [String(line.dropLast(value.count + 3)), "    \(value)", "}"]
    }

    private func alias(_ name: String, _ type: String) -> [String] {
        let line = "typealias \(name) = \(type)"
        return line.count + 4 <= Lines.width ? [line] : ["typealias \(name) =", "    \(type)"]
    }
}
