extension RequestTyper {
    func body(_ body: Node, _ request: inout Request, _ namer: inout Namer) throws {
        let content = try document.content(of: body)
        let isRequired = body["required"]?.json.bool == true
        let chosen =
            content.first { $0.name.isJSON }
            ?? content.first { $0.name.mediaType == "multipart/form-data" && isForm($0.node) }
            ?? content.first { $0.name.mediaType == "application/x-www-form-urlencoded" }
            ?? content.first
        guard let (type, node) = chosen else { return }
        for other in content
        where other.name != type && other.node.json.members?.list.isEmpty == false {
            typer.report.note(
                other.node.pointer, "the body is declared as `\(type)`, and not as this type too")
        }
        let schema = try node.object("schema")
        switch type.mediaType {
        case _ where type.isJSON:
            try json(type, schema, isRequired, &request)
        case "multipart/form-data" where schema.map { _ in isForm(node) } == true:
            try form(schema, body, isMultipart: true, &request, &namer)
        case "application/x-www-form-urlencoded" where schema != nil:
            try form(schema, body, isMultipart: false, &request, &namer)
        case "multipart/form-data": raw(.plain("Multipart"), isRequired, nil, &request)
        case let type where type.hasPrefix("text/") && !type.contains("*"):
            raw(.string, isRequired, type == "text/plain" ? nil : type, &request)
        case let type:
            let isOne = !type.contains("*") && !type.contains(",")
            raw(.file, isRequired, isOne ? type : nil, &request)
        }
    }

    private func isForm(_ content: Node) -> Bool {
        guard let schema = content["schema"] else { return false }
        return (try? document.shape(of: schema).properties.isEmpty) == false
    }

    private func raw(
        _ type: SwiftType, _ isRequired: Bool, _ contentType: String?, _ request: inout Request
    ) {
        request.values.append(
            Request.Value(name: "body", type: type, isRequired: isRequired))
        if let contentType {
            request.headers.append(".contentType: \"\(contentType.swiftLiteral)\"")
        }
    }

    private func json(
        _ mediaType: String, _ schema: Node?, _ isRequired: Bool, _ request: inout Request
    ) throws {
        let isPatch = request.operation.method == "patch"
        let name = try schema.map { try hint($0, "Body", isOptional: !isRequired) } ?? "Body"
        let found = try schema.map {
            try typer.type(of: $0, named: name, in: request.scope, isPatch: isPatch)
        }
        let type = found?.type ?? .json
        for model in type.models { model.mark(isWritten: true) }
        if isPatch, let model = type.model { patch(model) }
        let isOther = mediaType.mediaType != "application/json"
        raw(type, isRequired, isOther ? mediaType.mediaType : nil, &request)
    }

    /// Marks the body of a PATCH; of one of several types, each of them.
    private func patch(_ model: Model) {
        guard typer.patched.insert(model).inserted, case .union(let union) = model.kind else {
            return
        }
        for part in union.parts.compactMap(\.type.model) { patch(part) }
    }

    /// The name of a nested type: `Response` only if the whole response is of that type.
    func hint(_ schema: Node, _ name: String, isOptional: Bool = false) throws -> String {
        guard schema["$ref"] == nil else { return name }
        if try document.onlyPart(of: schema) != nil { return name }
        let shape = try document.shape(of: schema)
        if shape.types == ["array"] || (shape.properties.isEmpty && shape.parts.isEmpty) {
            return "Item"
        }
        let hasNull =
            try shape.isNullable
            || shape.parts.contains {
                try document.shape(of: $0).types.isEmpty || $0["type"]?.text == "null"
            }
        let isPlain = !isOptional && !hasNull && shape.values == nil
        return isPlain ? name : "Content"
    }

    private func form(
        _ schema: Node?, _ body: Node, isMultipart: Bool, _ request: inout Request,
        _ namer: inout Namer
    ) throws {
        guard let schema else { return }
        let shape = try document.shape(of: schema)
        if !shape.parts.isEmpty {
            typer.report.note(
                schema.pointer, "the fields of `oneOf` and `anyOf` aren't declared in a form")
        }
        let call = isMultipart ? ".part" : ".form"
        for (name, node) in shape.properties {
            if try document.resolved(node)["readOnly"]?.json.bool == true { continue }
            let type = try fieldType(node, named: name, isMultipart, request)
            let found = try document.shape(of: node)
            let value = try add(
                name, type, isRequired: shape.required.contains(name) && !found.isNullable,
                schema: node, parameter: node, &request, &namer)
            var style = ""
            if !type.isTextual && type != .file && type != .list(.file) {
                style = isMultipart ? ", encoding: .json" : ", encoding: .brackets"
                if !isMultipart { request.imports.insert("EndpointsFormats") }
                for model in type.models { model.mark(isWritten: true) }
            }
            request.parameters.append(
                "\(call)(\"\(name.swiftLiteral)\", path: \\.\(value.memberName)\(style))")
        }
        if shape.properties.isEmpty {
            let value = try add(
                "fields", .map(.string), isRequired: true, schema: nil, parameter: nil, &request,
                &namer)
            request.parameters.append(".form(contentsOf: \\.\(value))")
        }
    }

    private func fieldType(
        _ node: Node, named name: String, _ isMultipart: Bool, _ request: Request
    ) throws -> SwiftType {
        let shape = try document.shape(of: node)
        if isMultipart {
            if shape.types == ["string"] || shape.types.isEmpty,
                shape.format == "binary" || shape.format == "byte"
            {
                return .file
            }
            if shape.types == ["string"], try document.resolved(node)["contentMediaType"] != nil {
                return .file
            }
            if shape.types == ["array"], let items = shape.items,
                try document.shape(of: items).format == "binary"
            {
                return .list(.file)
            }
        }
        if !shape.parts.isEmpty,
            try shape.parts.allSatisfy({ try document.shape(of: $0).types == ["string"] })
        {
            return .string
        }
        if isMultipart, try hasTextAndObject(shape) {
            typer.report.note(
                node.pointer, "is a text or an object, and is declared as a text: write JSON in it")
            return .string
        }
        let type = try typer.type(of: node, named: name.upperCamel, in: request.scope).type
            .unwrapped
        if case .list(let item) = type { return .list(item.unwrapped) }
        return type == .data ? .string : type
    }

    /// A part of a form that is a text is sent as it is, and an object as JSON.
    private func hasTextAndObject(_ shape: Shape, depth: Int = 0) throws -> Bool {
        guard depth < 8 else { return false }
        let parts = try shape.parts.map { try document.shape(of: $0) }
        let isText = parts.contains { $0.types == ["string"] || $0.values != nil }
        return try isText && parts.contains { !$0.properties.isEmpty || $0.types == ["object"] }
            || parts.contains { try hasTextAndObject($0, depth: depth + 1) }
    }
}

extension Model {
    func mark(isWritten: Bool) {
        if isWritten { self.isWritten = true } else { isRead = true }
    }
}
