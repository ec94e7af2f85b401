import EndpointsDocuments

extension RequestTyper {
    /// A media type of a success, and where its schema is.
    private struct Success {
        let status: String
        let type: String?
        let content: Node?
        let headers: Set<String>
    }

    private static let names = [
        "200": "ok", "201": "created", "202": "accepted", "203": "other", "204": "noContent",
        "205": "reset", "206": "partial", "207": "multiStatus",
    ]

    /// An enum by status, if all bodies are JSON. Gives whether it is one.
    private func statuses(_ successes: [Success], _ request: inout Request) throws -> Bool {
        let names = successes.compactMap { Self.names[$0.status] }
        guard Set(names).count == successes.count,
            successes.allSatisfy({ $0.type?.isJSON != false })
        else { return false }
        let all = try zip(successes, names).map { success, name in
            let schema = success.content?["schema"]
            let found = try schema.map {
                try typer.type(of: $0, named: name.upperCamel, in: request.scope, for: .read)
            }
            let type = success.type == nil ? nil : found?.type ?? .json
            return Request.Response.Status(
                code: success.status, name: name,
                type: type?.optional(if: found?.isNullable == true))
        }
        request.response = .statuses(all)
        let types = successes.compactMap { $0.type?.accepted }.unique.joined(separator: ", ")
        request.headers.append(Request.Item(before: ".accept: \(.literal(types))"))
        for model in request.response.types.flatMap(\.models) { model.mark(isWritten: false) }
        return true
    }

    func response(_ request: inout Request) throws {
        let responses = try request.operation.node.object("responses")?.members ?? []
        var wanted = responses.filter { $0.name.hasPrefix("2") }
        if wanted.isEmpty, responses.contains(where: { $0.name.hasPrefix("3") }) {
            request.redirects = true
            return
        }
        if wanted.isEmpty { wanted = responses.filter { $0.name == "default" } }
        let successes = try wanted.map { try success($0.name, $0.node) }
        // A response to HEAD has no content (RFC 9110, section 9.3.2); what it says is in its head.
        guard request.operation.method != "head" else {
            request.hasHTTPResponse = successes.contains { $0.type != nil || !$0.headers.isEmpty }
            return
        }
        let withContent = successes.filter { $0.type != nil }
        guard let first = withContent.first else { return }
        if try withContent.dropFirst().contains(where: { try !isSame($0, first) }),
            try statuses(successes, &request)
        {
            return
        }
        for other in withContent.dropFirst() where try !isSame(other, first) {
            let pointer = other.content?.pointer ?? request.operation.node.pointer
            typer.report.note(
                pointer,
                "the response of status \(other.status) has another type; it's read as that of "
                    + "\(first.status)")
        }
        let isOptional = successes.count > withContent.count
        request.response = try type(of: first, isOptional: isOptional, &request)
        if isOptional, case .type(let type) = request.response {
            request.response = .type(type.optional(if: true))
        }
        accept(first, &request)
        request.hasHTTPResponse =
            isOptional
            && successes.contains { $0.type == nil && !first.headers.isSuperset(of: $0.headers) }
        for model in request.response.types.flatMap(\.models) { model.mark(isWritten: false) }
    }

    /// Says which media type is wanted, where the declared type doesn't say it.
    private func accept(_ success: Success, _ request: inout Request) {
        guard let type = success.type?.accepted else { return }
        switch request.response {
        case .stream(let name, _) where name != "ByteStream": return
        case .type where type == "application/json" && !request.readsJSON: return
        default: request.headers.append(Request.Item(before: ".accept: \(.literal(type))"))
        }
    }

    private func isSame(_ one: Success, _ other: Success) throws -> Bool {
        guard one.type == other.type else { return false }
        let (one, other) = (one.content?["schema"], other.content?["schema"])
        return one?["$ref"]?.text == other?["$ref"]?.text && one?.json == other?.json
    }

    private func success(_ status: String, _ node: Node) throws -> Success {
        let content = try document.content(of: node)
        let chosen = content.first { $0.name.isJSON } ?? content.first
        for other in content where !other.name.isSame(as: chosen?.name ?? "") {
            typer.report.note(
                other.node.pointer,
                "the response is declared as `\(chosen?.name ?? "")`, and not as this type too")
        }
        let headers = try document.object(node).object("headers")?.allMembers.map(\.name) ?? []
        return Success(
            status: status, type: chosen?.name, content: chosen?.node, headers: Set(headers))
    }

    private func type(
        of success: Success, isOptional: Bool, _ request: inout Request
    ) throws -> Request.Response {
        let schema = success.content?["schema"]
        let item = success.content?["itemSchema"] ?? schema
        let mediaType = success.type?.mediaType ?? ""
        func found(_ node: Node?) throws -> Typer.Found? {
            try node.map {
                try typer.type(
                    of: $0, named: hint($0, "Response", isOptional: isOptional), in: request.scope,
                    for: .read)
            }
        }
        switch mediaType {
        case "text/event-stream":
            let type = try item.map {
                try typer.type(of: $0, named: "Event", in: request.scope, for: .read).type
            }
            let isText = type == nil || type == .string || type == .json
            return .stream("EventStream", isText ? .plain("ServerSentEvent") : type)
        case "application/x-ndjson", "application/jsonl", "application/ndjson",
            "application/json-seq":
            let type = try item.map {
                try typer.type(of: $0, named: "Item", in: request.scope, for: .read).type
            }
            return .stream("JSONLines", type ?? .json)
        case "application/octet-stream": return .stream("ByteStream", nil)
        case "*/*" where try schema.map({ try document.shape(of: $0).format }) == "binary":
            return .type(.data)
        case _ where mediaType.isJSON || mediaType == "*/*":
            guard let found = try found(schema) else { return .type(.json) }
            request.readsJSON = mediaType.isJSON && found.type.isRaw
            return .type(found.type.optional(if: found.isNullable))
        case _ where mediaType.hasPrefix("text/"): return .type(.string)
        default:
            return .type(.data)
        }
    }
}

extension String {
    /// Whether two media types are one, but for how its characters are written: JSON is always
    /// UTF-8 (RFC 8259, section 8.1), and a text without a word on it is read as such.
    func isSame(as other: String) -> Bool {
        func plain(_ type: String) -> [String] {
            [type.mediaType]
                + type.split(separator: ";").dropFirst().map { String($0).trimmed.lowercased() }
                .filter { !$0.hasPrefix("charset=") }
        }
        return plain(self) == plain(other)
    }

    /// The media type as a request names it; `nil` if it says nothing or can't be sent.
    fileprivate var accepted: String? {
        let parts = split(separator: ";").map { String($0).trimmed }
        let others = parts.dropFirst().filter { !$0.lowercased().hasPrefix("charset") }
        let text = ([mediaType] + others).joined(separator: ";")
        return mediaType == "*/*" || mediaType.contains(",") || !text.isHeaderText ? nil : text
    }
}
