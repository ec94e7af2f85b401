import EndpointsDocuments

extension RequestTyper {
    /// The schema of a parameter, and whether it is written as JSON.
    private func schema(of parameter: Node) throws -> (node: Node?, isJSON: Bool) {
        if let schema = parameter["schema"] { return (schema, false) }
        guard let content = try parameter.object("content")?.allMembers.first else {
            return (nil, false)
        }
        return (content.node["schema"], content.name.isJSON)
    }

    /// The type of a value that is sent as a text, as a list of texts, or as an object of these.
    func textType(_ schema: Node?, named name: String, _ request: Request) throws -> SwiftType {
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
            let objects = parts.allSatisfy { !$0.properties.isEmpty || $0.isOnlyNull }
            if !texts, !objects, !parts.allSatisfy({ $0.values?.count == 1 }) {
                if let type = Self.onlyType(of: parts.filter { !$0.isOnlyNull }) { return type }
                let list = zip(shape.parts, parts).first { $1.types.first == "array" }
                if parts.contains(where: \.hasMembers) { noteObject(schema, isList: list != nil) }
                return try list.map { try textType($0.0, named: name, request) } ?? .string
            }
        }
        if shape.types.count > 1 {
            if let type = Self.onlyType(of: [shape]) { return type }
            if shape.hasMembers { noteObject(schema, isList: false) }
            return .string
        }
        if shape.types == ["number"], shape.values == nil, try isWhole(schema, named: name) {
            return .plain("Int")
        }
        if let texts = typer.textChoice(shape, schema, named: name.typeName, in: request.scope) {
            return texts
        }
        if let items = shape.items {
            let item = try document.shape(of: items)
            if let count = item.values?.count, count > 24 {
                let isNumber = item.types == ["integer"]
                typer.report.note(
                    items.pointer,
                    """
                    a list of \(count) values is declared as a list of \(isNumber ? "numbers" : "texts")
                    """)
                return .list(isNumber ? .plain("Int") : .string)
            }
            let name = name.typeName.singular
            if let texts = typer.textChoice(item, items, named: name, in: request.scope) {
                return .list(texts)
            }
        }
        let type = try typer.type(
            of: schema, named: name.typeName, in: request.scope, for: .write
        ).type
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

    private func noteObject(_ schema: Node, isList: Bool) {
        typer.report.note(
            schema.pointer,
            "of several types it is declared as a "
                + (isList
                    ? "list: an object can't be sent"
                    : "text: write an object as the text that it has there"))
    }

    /// The whole names of numbers that count something. One that only ends so, such as
    /// `credit_limit` or `price_from`, may have a fraction.
    private static let counts: Set = [
        "limit", "offset", "page", "perpage", "pagesize", "count", "skip", "take", "top",
    ]

    /// Whether a `number` is a whole one, which is sent without a point: it is a multiple of one,
    /// or counts something and has no value that isn't whole.
    private func isWhole(_ schema: Node, named name: String) throws -> Bool {
        let target = try document.schema(schema)
        func number(_ word: String) -> Double? {
            guard case .number(let text)? = target[word]?.json ?? schema[word]?.json else {
                return nil
            }
            return Double(text)
        }
        func isWhole(_ number: Double) -> Bool { number.rounded() == number }
        if let step = number("multipleOf"), isWhole(step) { return true }
        guard Self.counts.contains(name.words.joined().lowercased()) else { return false }
        let numbers = ["default", "minimum", "maximum", "example"].compactMap(number)
        return !["float", "double"].contains(target["format"]?.text ?? "")
            && numbers.allSatisfy(isWhole)
    }

    /// The type of values that are all booleans or all numbers.
    private static func onlyType(of shapes: [Shape]) -> SwiftType? {
        guard shapes.allSatisfy({ !$0.types.isEmpty }) else { return nil }
        switch Set(shapes.flatMap(\.types)) {
        case ["boolean"]: return .plain("Bool")
        case ["integer"]:
            return shapes.allSatisfy { Typer.integer($0) == .plain("Int") } ? .plain("Int") : nil
        case ["number"], ["integer", "number"]: return .plain("Double")
        default: return nil
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

    /// An object of any members, as one whose members are texts.
    private func withTexts(_ type: SwiftType) -> SwiftType {
        type == .map(.json) ? .map(.string) : type
    }

    /// Throws if an object has a member that no style but `deepObject` has a text for.
    private func checkMembers(_ type: SwiftType, of schema: Node?, _ parameter: Node) throws {
        let members: [(name: String, type: SwiftType)] =
            switch type {
            case .map(let value): [("*", value)]
            case .model(let model): model.members
            default: []
            }
        let free = freeMembers(of: schema)
        for member in members where !member.type.isTextual || member.type.unwrapped.isList {
            guard !free.contains(member.name) else { continue }
            throw DocumentError(
                parameter.pointer,
                """
                the member `\(member.name)` is a list or an object, for which OpenAPI defines no \
                text here
                """)
        }
    }

    /// The members of an object of which the document says nothing. They are texts where the whole
    /// object is written as texts.
    private func freeMembers(of schema: Node?) -> Set<String> {
        guard let schema, let shape = try? document.shape(of: schema) else { return [] }
        let free = shape.properties.filter { _, node in
            (try? document.shape(of: node))?.isFree == true
        }
        return Set(free.map(\.name))
    }

    // MARK: - Paths

    func pathValue(
        _ parameter: Node, _ request: inout Request, _ namer: inout Namer
    ) throws -> Segment {
        let name = try parameter.requiredText("name")
        let (schema, isJSON) = try self.schema(of: parameter)
        let style = Style(of: parameter, in: "path")
        let natural =
            isJSON
            ? try jsonType(schema, named: name, request)
            : withTexts(try textType(schema, named: name, request))
        var type = natural
        if natural.isObject {
            try checkMembers(natural, of: schema, parameter)
            type = natural.wrapped(style.explodes ? .assignments : .namesAndValues)
        }
        mark(natural, as: type)
        let value = try add(
            name, type, isRequired: true, schema: schema, parameter: parameter, &request, &namer)
        let explodes = style.explodes && (natural.isObject || natural.isList)
        let prefix: String
        switch style.name {
        case "label": prefix = "."
        case "matrix": prefix = explodes && natural.isObject ? ";" : ";\(name)="
        default: prefix = ""
        }
        let separator: String? =
            switch (style.name, explodes) {
            case ("label", true): "."
            case ("matrix", true): prefix
            default: nil
            }
        if let separator {
            return Segment(
                prefix: prefix,
                item: Request.Item(
                    before: "list: ", value: value, after: ", separator: \(.literal(separator))"),
                query: ")")
        }
        let isList = natural.isList
        return Segment(
            prefix: prefix,
            item: Request.Item(before: isList ? "commaSeparated: " : "path: ", value: value),
            query: isList ? ", style: .commaSeparated)" : ")")
    }

    /// The type of a value that is JSON in a path or a header.
    private func jsonType(
        _ schema: Node?, named name: String, _ request: Request
    ) throws -> SwiftType {
        guard let schema else { return .string }
        let type = try typer.type(
            of: schema, named: name.typeName, in: request.scope, for: .write
        ).type.unwrapped
        return .wrapped(.json, type)
    }

    /// Marks the models of a value that an encoder writes.
    private func mark(_ natural: SwiftType, as type: SwiftType) {
        guard case .wrapped = type else { return }
        for model in natural.models { model.mark(isWritten: true) }
    }

    // MARK: - Queries

    func query(_ parameter: Node, _ request: inout Request, _ namer: inout Namer) throws {
        let name = try parameter.requiredText("name")
        let (schema, isJSON) = try self.schema(of: parameter)
        let isRequired = parameter["required"]?.isTrue == true
        if isJSON, let schema {
            let type = try typer.type(
                of: schema, named: name.typeName, in: request.scope, for: .write
            ).type
            let field = Field(
                call: ".query", name: name, type: type, isRequired: isRequired, schema: schema,
                node: parameter, options: ", encoding: .json")
            try declare(field, &request, &namer)
            return
        }
        let type = try textType(schema, named: name, request)
        if parameter["allowEmptyValue"]?.isTrue == true, type != .string {
            typer.report.note(
                parameter.pointer, "`allowEmptyValue` is ignored: a value without a text isn't sent"
            )
        }
        try declareField(
            Field(
                call: ".query", name: name, type: type, isRequired: isRequired, schema: schema,
                node: parameter),
            Style(of: parameter, in: "query"), &request, &namer)
    }

    /// A query item, a field of a form or a part, before it is declared.
    struct Field {
        /// `.query`, `.form` or `.part`.
        let call: Written
        var name: String
        var type: SwiftType
        let isRequired: Bool
        let schema: Node?
        let node: Node
        var options: Written = ""
    }

    /// Declares a query item or a field in a style.
    func declareField(
        _ field: Field, _ style: Style, _ request: inout Request, _ namer: inout Namer
    ) throws {
        var field = field
        if field.type.isList {
            field.options = Self.listStyle(style)
            // `ids[]` is a name for a list that is written in brackets.
            let base = String(field.name.dropLast(2))
            let hasOther = request.operation.parameters.contains { $0["name"]?.text == base }
            if field.name.hasSuffix("[]"), style.explodes, !base.isEmpty, !hasOther {
                field.name = base
                field.options = ", style: .brackets"
            }
            return try declare(field, &request, &namer)
        }
        guard field.type.isObject else { return try declare(field, &request, &namer) }
        if style.name == "deepObject" {
            field.options = ", encoding: \(typer.names.brackets)"
            return try declare(field, &request, &namer)
        }
        field.type = withTexts(field.type)
        if style.explodes { return try spread(field, &request, &namer) }
        try checkMembers(field.type, of: field.schema, field.node)
        for model in field.type.models { model.mark(isWritten: true) }
        field.type = .wrapped(.namesAndValues, field.type)
        field.options = Self.listStyle(style)
        try declare(field, &request, &namer)
    }

    private static func listStyle(_ style: Style) -> Written {
        if style.name == "deepObject" { return ", style: .brackets" }
        if style.explodes { return "" }
        switch style.name {
        case "pipeDelimited": return ", style: .pipeSeparated"
        case "spaceDelimited": return ", style: .spaceSeparated"
        default: return ", style: .commaSeparated"
        }
    }

    func declare(_ field: Field, _ request: inout Request, _ namer: inout Namer) throws {
        if field.options.contains("encoding") {
            for model in field.type.models { model.mark(isWritten: true) }
        }
        let value = try add(
            field.name, field.type, isRequired: field.isRequired, schema: field.schema,
            parameter: field.node, &request, &namer)
        request.parameters.append(
            Request.Item(
                before: "\(field.call)(\(.literal(field.name)), path: ", value: value,
                after: "\(field.options))"))
    }

    // MARK: - Spread objects

    /// An object whose members are items of their own.
    private func spread(
        _ field: Field, _ request: inout Request, _ namer: inout Namer
    ) throws {
        if case .model(let model) = field.type, case .object(let properties) = model.kind {
            return try flatten(model, properties, field, &request, &namer)
        }
        try checkMembers(field.type, of: field.schema, field.node)
        guard field.call != ".part" else {
            throw DocumentError(
                field.node.pointer, "an object of any members has no parts of their own")
        }
        let isMap = field.type.isMap
        if !isMap { for model in field.type.models { model.mark(isWritten: true) } }
        let value = try add(
            field.name, field.type, isRequired: isMap || field.isRequired, schema: nil,
            parameter: field.node, &request, &namer)
        if isMap, !field.isRequired {
            // Items of an optional dictionary aren't known: an empty one sends none.
            request.values[request.values.count - 1].standard = .object(.init())
        }
        let encoder: Written = typer.names.keyForm == nil ? "" : ", by: .api"
        request.parameters.append(
            Request.Item(
                before: "\(field.call)(\(isMap ? "contentsOf" : "spreading"): ", value: value,
                after: isMap ? ")" : "\(encoder))"))
    }

    /// The members of an object as items of the request.
    private func flatten(
        _ model: Model, _ properties: [Property], _ field: Field, _ request: inout Request,
        _ namer: inout Namer
    ) throws {
        let isOwn = model.path == request.scope.path
        if isOwn {
            request.scope.models.removeAll { $0 === model }
            request.scope.models += model.scope.models
        }
        let free = freeMembers(of: field.schema)
        for property in properties {
            let type = free.contains(property.name) ? .string : property.type
            guard type.isTextual else {
                let reason =
                    "the member `\(property.name)` isn't a text, a number or a list of these"
                guard !(field.isRequired && property.isRequired) else {
                    throw DocumentError(field.node.pointer, reason)
                }
                typer.report.skip(field.node.pointer, "\(reason); it isn't declared")
                continue
            }
            let value = try add(
                property.name, type, isRequired: field.isRequired && property.isRequired,
                schema: nil, parameter: nil, &request, &namer)
            request.values[request.values.count - 1].comment = property.comment
            if !isOwn { request.values[request.values.count - 1].owner = model }
            let source =
                field.node["in"]?.text.map { "\($0) \(field.name)" } ?? "form \(field.name)"
            request.values[request.values.count - 1].source = "\(source)/\(property.name)"
            request.parameters.append(
                Request.Item(
                    before: "\(field.call)(\(.literal(property.name)), path: ", value: value,
                    after: ")"))
        }
    }

    // MARK: - Headers

    /// Headers that OpenAPI says elsewhere (OpenAPI 3.1, "Parameter Object", `name`).
    private static let ignored: Set = ["accept", "content-type", "authorization"]
    /// Headers in which the library writes no date without a format, as HTTP's own isn't that of
    /// OpenAPI's `date-time` (RFC 9110, section 5.6.7).
    private static let httpDates: Set = [
        "date", "expires", "if-modified-since", "if-range", "if-unmodified-since", "last-modified",
    ]
    /// Headers that the library refuses, as they would change where the request ends, and others
    /// that are for the connection (RFC 9110, section 7.6.1).
    private static let ofConnection: Set = [
        "content-length", "transfer-encoding", "host", "connection", "keep-alive", "te", "trailer",
        "upgrade", "expect", "proxy-connection", "proxy-authorization",
    ]

    /// Whether a header is one of responses, which servers ignore in a request.
    private static func isOfResponse(_ name: String) -> Bool {
        ["set-cookie", "retry-after"].contains(name)
            || name.hasPrefix("access-control-") && !name.hasPrefix("access-control-request-")
    }

    func header(_ parameter: Node, _ request: inout Request, _ namer: inout Namer) throws {
        let name = try parameter.requiredText("name")
        guard !Self.ignored.contains(name.lowercased()) else { return }
        guard !Self.ofConnection.contains(name.lowercased()) else {
            typer.report.note(
                parameter.pointer, "the header `\(name)` is the connection's own, which sends it")
            return
        }
        guard !Self.isOfResponse(name.lowercased()) else {
            typer.report.note(
                parameter.pointer, "the header `\(name)` is one of responses; it isn't sent")
            return
        }
        guard name.isToken else {
            throw DocumentError(parameter.pointer, "`\(name)` can't be a header's name")
        }
        let short = name.withoutX
        let isTaken =
            namer.isTaken(short.lowerCamel)
            || request.operation.parameters.contains {
                let other = $0["name"]?.text ?? ""
                return other != name
                    && other.lowerCamel.lowercased() == short.lowerCamel.lowercased()
            }
        let label = isTaken ? name : short
        let (schema, isJSON) = try self.schema(of: parameter)
        let style = Style(of: parameter, in: "header")
        let natural =
            isJSON
            ? try jsonType(schema, named: label, request)
            : withTexts(try textType(schema, named: label, request))
        var type = natural
        if natural.isObject {
            try checkMembers(natural, of: schema, parameter)
            type = natural.wrapped(style.explodes ? .assignments : .namesAndValues)
        }
        mark(natural, as: type)
        let value = try add(
            label, type, isRequired: parameter["required"]?.isTrue == true, schema: schema,
            parameter: parameter, &request, &namer)
        let isOtherDate = type == .plain("Date") && Self.httpDates.contains(name.lowercased())
        request.headers.append(
            Request.Item(
                before: "\(.header(name)): .field(path: ", value: value,
                after: isOtherDate ? ", format: RFC3339Format())" : ")", header: name))
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
        case .wrapped(let wrapper, _): wrapper != .orNull
        }
    }

    var isMap: Bool { if case .map = self { true } else { false } }
    var isList: Bool { if case .list = self { true } else { false } }
    /// Whether it has members: an object, one of several, or a dictionary.
    var isObject: Bool { isMap || model.map { !$0.isChoice } == true }
}

extension Shape {
    fileprivate var hasMembers: Bool { types.contains("object") || !properties.isEmpty }
}

extension Model {
    /// The members of an object, or of all objects of a union.
    fileprivate var members: [(name: String, type: SwiftType)] {
        switch kind {
        case .object(let properties): properties.map { ($0.name, $0.type) }
        case .union(let union):
            union.parts.flatMap { part -> [(name: String, type: SwiftType)] in
                guard case .object(let properties)? = part.type.model?.kind else {
                    return [(part.name, .json)]
                }
                return properties.map { ($0.name, $0.type) }
            }
        case .choice: []
        }
    }
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
