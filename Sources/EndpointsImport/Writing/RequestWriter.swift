import EndpointsDocuments

/// Writes the declaration of a request.
struct RequestWriter {
    let plan: Plan
    let models: ModelWriter
    let servers: Servers

    func lines(_ request: Request) -> [Written] {
        var lines: [Written] = []
        let operation = request.operation
        if let comment = operation.comment(besides: request.name) {
            lines += Lines.comment(comment, 0)
        }
        if let server = servers.name(of: operation) {
            lines += Lines.comment(of: "Sent to ``\(plan.names.server)/\(.name(server))``.", 0)
        }
        lines += models.deprecation(operation.isDeprecated)
        let hasOwnError = plan.errors.type != nil && request.error != nil
        let parent = hasOwnError ? plan.names.call : plan.names.request
        let paged: Written = request.paging == nil ? "" : ", PagedRequest"
        lines += Lines.head("struct \(.name(request.name)): \(parent)\(paged) {", 0)
        let values = Lines.declarations(request.values.map(models.value), 4)
        let nested = request.scope.models.filter { !$0.tags.isEmpty }.map { models.lines($0, 4) }
        var body = nested.joined(after: values)
        // A few lines stand with the endpoint; more stand apart.
        if body.count > 4 { body.append("") }
        body += endpoint(request)
        if let paging = request.paging {
            let line: Written = "static let paging = Paging<Self>\(paging.text)"
            body += line.count + 4 <= Lines.width ? [line] : brokenPaging(line)
        }
        if request.redirects {
            body += [
                "static let loadPolicy = LoadPolicy(redirects: .doNotFollow)",
                "static func succeeded(_ httpResponse: HTTPURLResponse) -> Bool {",
                "    (300..<400).contains(httpResponse.statusCode)", "}",
            ]
        }
        body += response(request)
        if let paging = request.paging { body += items(paging) }
        return lines + body.indented + ["}"]
    }

    private static func method(_ method: String) -> Written {
        switch method {
        case "get": ".get"
        case "put": ".put"
        case "post": ".post"
        case "delete": ".delete"
        case "options": ".options"
        case "head": ".head"
        case "patch": ".patch"
        case "trace": ".trace"
        case "query": .literal("QUERY")
        default: .literal(method)
        }
    }

    private func endpoint(_ request: Request) -> [Written] {
        let head: Written = "static let endpoint = Endpoint<Self>("
        let first: Written = "method: \(Self.method(request.operation.method))"
        let path: Written = "path: \"\(request.path)\""
        let (parameters, headers) = (request.parameters.map(\.text), request.headers.map(\.text))
        var whole: Written = "\(first), \(path)"
        if !parameters.isEmpty { whole += ", parameters: [\(parameters.joined(separator: ", "))]" }
        if !headers.isEmpty { whole += ", headers: [\(headers.joined(separator: ", "))]" }
        if head.count + whole.count + 5 <= Lines.width { return ["\(head)\(whole))"] }
        if whole.count + 9 <= Lines.width { return [head, "    \(whole))"] }
        var lines: [Written] = []
        let end: Written = parameters.isEmpty && headers.isEmpty ? ")" : ","
        let line: Written = "\(first), \(path)\(end)"
        if line.count + 8 <= Lines.width {
            lines.append(line)
        } else if path.count + 9 <= Lines.width {
            lines += ["\(first),", "\(path)\(end)"]
        } else {
            lines += ["\(first),"] + longPath(request.path, end)
        }
        if !parameters.isEmpty {
            lines += Lines.list("parameters: ", parameters, headers.isEmpty ? ")" : ",", 8)
        }
        if !headers.isEmpty { lines += Lines.list("headers: ", headers, ")", 8) }
        return [head] + lines.indented
    }

    private func longPath(_ path: Written, _ end: Written) -> [Written] {
        var (lines, line) = ([Written](), Written(stringLiteral: ""))
        let pieces = path.text.split(separator: "/", omittingEmptySubsequences: false)
        for (index, piece) in pieces.enumerated() {
            if !line.isEmpty && line.count + piece.count + 16 > Lines.width {
                lines.append("\(line)\\")
                line = ""
            }
            line += .part(piece, of: path)
            if index < pieces.count - 1 { line += "/" }
        }
        lines.append(line)
        return ["path: \"\"\""] + lines.indented + ["    \"\"\"\(end)"]
    }

    private func response(_ request: Request) -> [Written] {
        var lines: [Written] = []
        switch request.response {
        case .void: lines.append("typealias Response = \(wrapped("Void", request))")
        case .statuses(let all): lines += statuses(all)
        case .stream(let name, let item):
            let items: Written = item.map { "<\(models.text($0, isRead: true))>" } ?? ""
            lines.append("typealias Response = \(wrapped("\(name)\(items)", request))")
        case .type(let type) where request.readsJSON && !request.hasHTTPResponse:
            lines += fromJSON(type)
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

    /// A text or bytes that the response has as JSON.
    private func fromJSON(_ type: SwiftType) -> [Written] {
        let text = models.text(type, isRead: true)
        let value: Written = "try responseDecoder.decode(\(text).self, from: data)"
        return [
            "static func response(data: Data, httpResponse: HTTPURLResponse) throws -> \(text) {",
            type.isOptional ? "    data.isEmpty ? nil : \(value)" : "    \(value)", "}",
        ]
    }

    private func wrapped(_ type: Written, _ request: Request) -> Written {
        request.hasHTTPResponse ? "WithHTTPResponse<\(type)>" : type
    }

    /// An enum with a case for each status, and how it is decoded.
    private func statuses(_ all: [Request.Response.Status]) -> [Written] {
        let cases = all.map { status -> Written in
            let type = status.type.map { type -> Written in "(\(models.text(type, isRead: true)))" }
            return "\(.name(status.name))\(type ?? "")"
        }
        let line: Written = "enum Response { case \(cases.joined(separator: ", ")) }"
        let declared =
            line.count + 4 <= Lines.width
            ? [line] : ["enum Response {"] + Lines.cases(cases, 8).indented + ["}"]
        let decoded = all.flatMap { status -> [Written] in
            let label: Written = "case \(.number(status.code)):"
            guard let type = status.type.map({ models.text($0, isRead: true) }) else {
                return ["    \(label) .\(.member(status.name))"]
            }
            let value: Written =
                ".\(.member(status.name))(try responseDecoder.decode(\(type).self, from: data))"
            let line: Written = "    \(label) \(value)"
            return line.count + 8 <= Lines.width ? [line] : ["    \(label)", "        \(value)"]
        }
        let head: [Written] = [
            "static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {",
            "    switch httpResponse.statusCode {",
        ]
        let other: Written = "    default: throw UnknownStatus(httpResponse.statusCode)"
        return [""] + declared + [""] + head + decoded + [other, "    }", "}"]
    }

    /// The closure on a line of its own.
    private func brokenPaging(_ line: Written) -> [Written] {
        guard let open = line.text.firstIndex(of: "{") else { return [line] }
        let body = line.text[line.text.index(after: open)...].dropLast(2)
        return [
            .part(line.text[...open], of: line), "   \(.part(body, of: line))", "}",
        ]
    }

    private func items(_ paging: Paging) -> [Written] {
        guard let items = paging.items else { return [] }
        let isOptional = !items.isRequired || items.isNullable
        let value: Written = "response.\(.member(items.swiftName))\(isOptional ? " ?? []" : "")"
        let type = models.text(items.type, isRead: true, isElsewhere: true)
        let line: Written = "static func items(in response: Response) -> \(type) { \(value) }"
        return line.count + 4 <= Lines.width
            ? [line]
            : ["static func items(in response: Response) -> \(type) {", "    \(value)", "}"]
    }

    private func alias(_ name: Written, _ type: Written) -> [Written] {
        let line: Written = "typealias \(name) = \(type)"
        return line.count + 4 <= Lines.width ? [line] : ["typealias \(name) =", "    \(type)"]
    }
}

extension Operation {
    /// The comment: the summary, or the first sentence of the description.
    fileprivate func comment(besides name: String) -> String? {
        let text = [node["summary"], node["description"]].compactMap { $0?.text }
            .first { !$0.trimmed.isEmpty }
        return text?.comment(besides: name)
    }
}
