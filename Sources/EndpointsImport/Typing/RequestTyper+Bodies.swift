import EndpointsDocuments

extension RequestTyper {
    func body(_ body: Node, _ request: inout Request, _ namer: inout Namer) throws {
        let content = try document.content(of: body)
        let isRequired = body["required"]?.isTrue == true
        // That a range is JSON is only a guess.
        let chosen =
            content.first { $0.name.isJSON && !$0.node.pointer.token.hasSuffix("*") }
            ?? content.first { $0.name.mediaType == "multipart/form-data" && isForm($0.node) }
            ?? content.first { $0.name.mediaType == "application/x-www-form-urlencoded" }
            ?? content.first
        guard let (type, node) = chosen else { return }
        // HTTP gives a body no meaning there, but for servers that do (RFC 9110, section 9.3.1).
        let method = request.operation.method.uppercased()
        if ["GET", "HEAD"].contains(method) {
            typer.report.note(
                body.pointer,
                isRequired
                    ? "`URLSession` sends no body with \(method): use another transport"
                    : "the body isn't declared, as `URLSession` sends none with \(method)")
            guard isRequired else { return }
            request.hasUnsentBody = true
        }
        for other in content
        where !other.name.isSame(as: type) && other.node.json.members?.list.isEmpty == false {
            typer.report.note(
                other.node.pointer, "the body is declared as `\(type)`, and not as this type too")
        }
        let schema = node["schema"]
        switch type.mediaType {
        case _ where type.isJSON:
            try json(type, schema, isRequired, &request)
        case "multipart/form-data" where schema.map { _ in isForm(node) } == true:
            try form(schema, node, isMultipart: true, &request, &namer)
        case "application/x-www-form-urlencoded" where schema != nil:
            try form(schema, node, isMultipart: false, &request, &namer)
        case "multipart/form-data": raw(.plain("Multipart"), isRequired, nil, &request)
        case let type where type.hasPrefix("text/") && !type.contains("*"):
            raw(.string, isRequired, type == "text/plain" ? nil : type, &request)
        case let type where type.hasPrefix("multipart/"):
            typer.report.note(
                body.pointer,
                """
                the body is a File, whose type must name its boundary, as in \
                `contentType: "\(type.replacing("*", with: "mixed")); boundary=…"`
                """)
            raw(.file, isRequired, nil, &request)
        case let type:
            let isOne = !type.contains("*") && !type.contains(",") && type.isHeaderText
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
            request.headers.append(
                Request.Item(before: ".contentType: \(.literal(contentType))"))
        }
    }

    private func json(
        _ mediaType: String, _ schema: Node?, _ isRequired: Bool, _ request: inout Request
    ) throws {
        let isPatch = request.operation.method == "patch"
        let name = try schema.map { try hint($0, "Body", isOptional: !isRequired) } ?? "Body"
        let found = try schema.map {
            try typer.type(
                of: $0, named: name, in: request.scope, for: isPatch ? .patch : .write)
        }
        var type = found?.type.unwrapped ?? .json
        for model in type.models { model.mark(isWritten: true) }
        // `null` and no body are two things.
        if found?.isNullable == true, type != .json {
            type = .wrapped(.orNull, type)
        } else if type.isRaw {
            type = .wrapped(.json, type)
        }
        let isOther = mediaType.mediaType != "application/json"
        guard mediaType.mediaType.isHeaderText else {
            throw DocumentError(
                request.operation.node.pointer, "`\(mediaType)` can't be a media type")
        }
        raw(type, isRequired, isOther ? mediaType.mediaType : nil, &request)
    }

    /// The name of a nested type: `Response` only if the whole response is of that type.
    func hint(_ schema: Node, _ name: String, isOptional: Bool = false) throws -> String {
        guard try schema.json["$ref"] == nil || document.saysMore(schema) else { return name }
        if let only = try document.onlyPart(of: schema) {
            let isNullable = schema["nullable"]?.isTrue == true
            return try hint(only, name, isOptional: isOptional || isNullable)
        }
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

    // MARK: - Forms

    private func form(
        _ schema: Node?, _ content: Node, isMultipart: Bool, _ request: inout Request,
        _ namer: inout Namer
    ) throws {
        guard let schema else { return }
        let shape = try document.shape(of: schema)
        if !shape.parts.isEmpty {
            typer.report.note(
                schema.pointer, "the fields of `oneOf` and `anyOf` aren't declared in a form")
        }
        let encodings = try content.object("encoding")
        for (name, node) in shape.properties {
            if try document.resolved(node)["readOnly"]?.isTrue == true { continue }
            let encoding = encodings?[name]
            do {
                // A form has no `null`.
                let isRequired = shape.required.contains(name)
                let field = Field(
                    call: isMultipart ? ".part" : ".form", name: name,
                    type: try fieldType(node, named: name, isMultipart, encoding, request),
                    isRequired: isRequired, schema: node, node: node)
                try add(field, encoding, isMultipart: isMultipart, &request, &namer)
            } catch let error as DocumentError where !shape.required.contains(name) {
                typer.report.skip(error, "the field `\(name)` isn't declared")
            }
        }
        if shape.properties.isEmpty {
            let value = try add(
                "fields", .map(.string), isRequired: true, schema: nil, parameter: nil, &request,
                &namer)
            request.values[request.values.count - 1].source = "body"
            request.parameters.append(
                Request.Item(before: ".form(contentsOf: ", value: value, after: ")"))
        }
    }

    private func add(
        _ field: Field, _ encoding: Node?, isMultipart: Bool, _ request: inout Request,
        _ namer: inout Namer
    ) throws {
        var field = field
        if encoding?["headers"]?.allMembers.isEmpty == false {
            typer.report.note(
                field.node.pointer, "the headers of a part aren't declared, and aren't sent")
        }
        let isFile = field.type == .file || field.type == .list(.file)
        let hasStyle = ["style", "explode", "allowReserved"].contains { encoding?[$0] != nil }
        // With a style, the media type is ignored (OpenAPI 3.1, "Encoding Object"). A file has no
        // style, and no part has one in version 3.0.
        if hasStyle, !isFile, !(isMultipart && document.isVersion30) {
            return try declareField(field, Style(of: encoding, in: "query"), &request, &namer)
        }
        let isObject = !field.type.isTextual && !isFile
        let types = encoding?["contentType"]?.text?.split(separator: ",").map {
            String($0).mediaType
        }
        if let type = types?.first, !isFile {
            if type.isJSON {
                field.options =
                    field.type.isList && isMultipart
                    ? ", encoding: .jsonElements" : ", encoding: .json"
            } else if isObject {
                guard isMultipart else {
                    throw DocumentError(
                        field.node.pointer,
                        "an object is `\(type)` there, and only JSON is written in a field")
                }
                typer.report.note(
                    field.node.pointer,
                    "an object is `\(type)` there, and is declared as a file: write it in that type"
                )
                field.type = field.type.isList ? .list(.file) : .file
            }
        } else if isObject {
            field.options =
                !isMultipart
                ? ", encoding: \(typer.names.brackets)"
                : field.type.isList ? ", encoding: .jsonElements" : ", encoding: .json"
        }
        try declare(field, &request, &namer)
    }

    private func fieldType(
        _ node: Node, named name: String, _ isMultipart: Bool, _ encoding: Node?, _ request: Request
    ) throws -> SwiftType {
        let shape = try document.shape(of: node)
        if isMultipart, let file = try fileType(node, shape) { return file }
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
        let type = try typer.type(of: node, named: name.typeName, in: request.scope, for: .write)
            .type.unwrapped
        if case .list(let item) = type {
            return .list(item.unwrapped == .json && !isMultipart ? .string : item.unwrapped)
        }
        return type == .data ? .string : type
    }

    /// A file or a list of files, which may be `null`; `nil` if it is neither.
    private func fileType(_ node: Node, _ shape: Shape) throws -> SwiftType? {
        let parts = try shape.parts.filter { part in
            try !document.shape(of: part).types.isEmpty || part["type"]?.text != "null"
        }
        if !parts.isEmpty {
            guard parts.count == 1 else { return nil }
            return try fileType(parts[0], document.shape(of: parts[0]))
        }
        if let items = shape.items, shape.types.isEmpty || shape.types == ["array"] {
            let isFile = try fileType(items, document.shape(of: items)) == .file
            return isFile ? .list(.file) : nil
        }
        guard shape.types.isEmpty || shape.types == ["string"] else { return nil }
        let isFile =
            try ["binary", "byte", "base64"].contains(shape.format)
            || document.schema(node)["contentMediaType"] != nil
        return isFile ? .file : nil
    }

    /// A part of a form that is a text is sent as it is, and an object as JSON.
    private func hasTextAndObject(_ shape: Shape, depth: Int = 0) throws -> Bool {
        guard depth < 4 else { return false }
        let parts = try shape.parts.map { try document.shape(of: $0) }
        let isText = parts.contains { $0.types == ["string"] || $0.values != nil }
        return try isText && parts.contains { !$0.properties.isEmpty || $0.types == ["object"] }
            || parts.contains { try hasTextAndObject($0, depth: depth + 1) }
    }
}

extension SwiftType {
    /// Whether the library sends and reads it as it is, and not as JSON.
    var isRaw: Bool { [.string, .data].contains(unwrapped) }
}

extension String {
    /// Whether the text can be sent as a media type.
    var isHeaderText: Bool {
        contains("/")
            && unicodeScalars.allSatisfy { $0.isASCII && $0.value > 0x20 && $0.value != 0x7F }
    }
}

extension Model {
    func mark(isWritten: Bool) {
        if isWritten { self.isWritten = true } else { isRead = true }
    }
}
