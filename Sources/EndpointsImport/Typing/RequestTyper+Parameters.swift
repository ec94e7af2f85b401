extension RequestTyper {
    /// The schema of a parameter, and whether it is written as JSON.
    private func schema(of parameter: Node) throws -> (node: Node?, isJSON: Bool) {
        if let schema = try parameter.object("schema") { return (schema, false) }
        guard let content = try parameter.object("content")?.members.first else {
            return (nil, false)
        }
        return (content.node["schema"], content.name.isJSON)
    }

    /// The type of a value that is sent as a text, or as a list of texts.
    private func textType(_ schema: Node?, named name: String, _ request: Request) throws
        -> SwiftType
    {
        guard let schema else { return .string }
        let shape = try document.shape(of: schema)
        let typed = try shape.parts.filter {
            try document.shape(of: $0).types != [] || $0["$ref"] != nil
        }
        if let only = typed.first, typed.count == 1, shape.properties.isEmpty {
            return try textType(only, named: name, request)
        }
        if !shape.parts.isEmpty {
            let parts = try shape.parts.map { try document.shape(of: $0) }
            let texts = parts.allSatisfy {
                ["string", "null"].contains($0.types.first ?? ($0.isNullable ? "null" : ""))
            }
            if !texts, !parts.allSatisfy({ $0.values?.count == 1 }) {
                let list = zip(shape.parts, parts).first { $1.types.first == "array" }
                return try list.map { try textType($0.0, named: name, request) } ?? .string
            }
        }
        if shape.types.count > 1 { return .string }
        if let texts = typer.textChoice(shape, schema, named: name.upperCamel, in: request.scope) {
            return texts
        }
        if let items = shape.items {
            let item = try document.shape(of: items)
            if let count = item.values?.count, count > 24 {
                typer.report.note(
                    items.pointer, "a list of \(count) values is declared as a list of texts")
                return .list(.string)
            }
            let name = name.upperCamel.singular
            if let texts = typer.textChoice(item, items, named: name, in: request.scope) {
                return .list(texts)
            }
        }
        let type = try typer.type(of: schema, named: name.upperCamel, in: request.scope).type
        switch type.unwrapped {
        case .plain("JSONValue"), .data: return .string
        case .list(let item):
            switch item.unwrapped {
            case .plain("JSONValue"), .data: return .list(.string)
            case .list, .map: return texts(schema)
            case .model(let model) where !model.isChoice: return texts(schema)
            default: return .list(item.unwrapped)
            }
        default: return type.unwrapped
        }
    }

    /// A list whose elements have no text of their own.
    private func texts(_ schema: Node) -> SwiftType {
        typer.report.note(
            schema.pointer,
            """
            OpenAPI defines no text for a list of lists or objects; it is declared as a list of \
            texts: write JSON in them
            """)
        return .list(.string)
    }

    func pathValue(
        _ parameter: Node, _ request: inout Request, _ namer: inout Namer
    ) throws -> String {
        let name = try parameter.requiredText("name")
        let schema = try self.schema(of: parameter).node
        var type = try textType(schema, named: name, request)
        if case .model(let model) = type, !model.isChoice { type = .string }
        if case .map = type { type = .string }
        let value = try add(
            name, type, isRequired: true, schema: schema, parameter: parameter, &request, &namer)
        if case .list = type { return "commaSeparated: \\.\(value.memberName)" }
        return "path: \\.\(value.memberName)"
    }

    func query(_ parameter: Node, _ request: inout Request, _ namer: inout Namer) throws {
        let name = try parameter.requiredText("name")
        let (schema, isJSON) = try self.schema(of: parameter)
        let style = parameter["style"]?.text ?? "form"
        let isRequired = parameter["required"]?.json.bool == true
        if isJSON, let schema {
            let type = try typer.type(of: schema, named: name.upperCamel, in: request.scope).type
            try declare(
                name, type, isRequired, schema, parameter, ", encoding: .json", &request, &namer)
            return
        }
        let type = try textType(schema, named: name, request)
        let explodes = parameter["explode"]?.json.bool ?? (style == "form")
        switch type {
        case .list:
            let written =
                switch style {
                case "pipeDelimited": ", style: .pipeSeparated"
                case "spaceDelimited": ", style: .spaceSeparated"
                case "deepObject": ", style: .brackets"
                default: explodes ? "" : ", style: .commaSeparated"
                }
            let listName = name.hasSuffix("[]") && written == "" ? String(name.dropLast(2)) : name
            let brackets = listName == name ? written : ", style: .brackets"
            try declare(
                listName, type, isRequired, schema, parameter, brackets, &request, &namer)
        case .model(let model) where !model.isChoice && style == "form" && explodes:
            try flatten(model, parameter, isRequired, &request, &namer)
        case .map where style == "form" && explodes:
            let value = try add(
                name, .map(.string), isRequired: true, schema: nil, parameter: parameter,
                &request, &namer)
            // Items of an optional dictionary aren't known: an empty one sends none.
            if !isRequired { request.values[request.values.count - 1].standard = .object(.init()) }
            request.parameters.append(".query(contentsOf: \\.\(value.memberName))")
        case _ where type.isMap || type.model?.isChoice == false:
            request.imports.insert("EndpointsFormats")
            try declare(
                name, type, isRequired, schema, parameter, ", encoding: .brackets", &request, &namer
            )
        default: try declare(name, type, isRequired, schema, parameter, "", &request, &namer)
        }
    }

    private func declare(
        _ name: String, _ type: SwiftType, _ isRequired: Bool, _ schema: Node?, _ parameter: Node,
        _ style: String, _ request: inout Request, _ namer: inout Namer
    ) throws {
        let value = try add(
            name, type, isRequired: isRequired, schema: schema, parameter: parameter, &request,
            &namer)
        if style.contains("encoding"), let model = type.model { model.isWritten = true }
        request.parameters.append(
            ".query(\"\(name.swiftLiteral)\", path: \\.\(value.memberName)\(style))")
    }

    /// The members of an object as query items of their own.
    private func flatten(
        _ model: Model, _ parameter: Node, _ isRequired: Bool, _ request: inout Request,
        _ namer: inout Namer
    ) throws {
        guard case .object(let properties) = model.kind else {
            typer.report.skip(parameter.pointer, "a query of one of several types isn't declared")
            return
        }
        if model.path == request.scope.path {
            request.scope.models.removeAll { $0 === model }
            request.scope.models += model.scope.models
        }
        for property in properties {
            guard property.type.isTextual else {
                typer.report.skip(
                    parameter.pointer,
                    "the member `\(property.name)` isn't a text, a number or a list of these")
                continue
            }
            let value = try add(
                property.name, property.type, isRequired: isRequired && property.isRequired,
                schema: nil, parameter: nil, &request, &namer)
            request.values[request.values.count - 1].source =
                "query \(parameter["name"]?.text ?? "")/\(property.name)"
            request.parameters.append(
                ".query(\"\(property.name.swiftLiteral)\", path: \\.\(value.memberName))")
        }
    }

    func header(_ parameter: Node, _ request: inout Request, _ namer: inout Namer) throws {
        let name = try parameter.requiredText("name")
        // RFC: OpenAPI 3.1, section 4.8.12.2.1: these are ignored.
        guard !["accept", "content-type", "authorization"].contains(name.lowercased()) else {
            return
        }
        let source = "header \(name)"
        if let other = request.values.map(\.source).first(where: {
            $0.lowercased() == source.lowercased()
        }) {
            typer.report.note(
                parameter.pointer, "is the same field as the \(other), and isn't declared twice")
            return
        }
        let schema = try self.schema(of: parameter).node
        var type = try textType(schema, named: name, request)
        if case .model(let model) = type, !model.isChoice { type = .string }
        if case .map = type { type = .string }
        let value = try add(
            name, type, isRequired: parameter["required"]?.json.bool == true, schema: schema,
            parameter: parameter, &request, &namer)
        let dates = ["if-modified-since", "if-unmodified-since", "date", "expires"]
        let isHTTPDate = type == .plain("Date") && dates.contains(name.lowercased())
        if isHTTPDate { request.imports.insert("EndpointsFormats") }
        request.headers.append(
            "\"\(name.swiftLiteral)\": .field(path: \\.\(value.memberName)\(isHTTPDate ? ", format: .httpDate" : ""))"
        )
    }
}

extension SwiftType {
    /// Whether a path, a query, a form and a header can have it as a text or as a list of texts.
    var isTextual: Bool {
        switch self {
        case .plain(let name): !["JSONValue", "Data", "File", "Void"].contains(name)
        case .model(let model): model.isChoice
        case .list(let item): item.isTextual && !item.isList
        case .optional(let type): type.isTextual
        case .map: false
        }
    }

    var isMap: Bool { if case .map = self { true } else { false } }
    var isList: Bool { if case .list = self { true } else { false } }
}

extension String {
    /// Whether a media type is JSON.
    var isJSON: Bool {
        let type = mediaType
        return type == "application/json" || type.hasSuffix("+json") || type == "text/json"
    }

    /// The media type without its parameters.
    var mediaType: String {
        (split(separator: ";").first.map(String.init) ?? "").trimmed.lowercased()
    }
}
