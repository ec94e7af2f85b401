import Endpoints
import EndpointsDocuments
import EndpointsFormats
import EndpointsShared
import Foundation

/// An operation as a declaration describes it.
struct ExportedOperation {
    let method: String
    /// The path, with the names of its values in braces.
    let path: String
    var json: JSONValue
    /// Whether the request has headers whose names the declaration doesn't tell.
    let hasOtherHeaders: Bool
    let servers: ExportedServers
    /// What the servers send with this request.
    let server: ServerFields?

    func mapped(_ change: (JSONValue) -> JSONValue) -> ExportedOperation {
        var operation = self
        operation.json = change(json)
        return operation
    }

    /// The operation of an earlier request with the same method and path, with this one's
    /// parameters, which not every request has.
    func merged(into first: JSONValue) -> JSONValue {
        guard case .object(var members) = first else { return first }
        func key(_ parameter: JSONValue) -> [String?] {
            [parameter["in"]?.text, parameter["name"]?.text]
        }
        let lists = [first, json].map { $0["parameters"]?.elements ?? [] }
        let keys = lists.map { Set($0.map(key)) }
        let all = lists[0] + lists[1].filter { !keys[0].contains(key($0)) }
        let parameters = all.map { parameter -> JSONValue in
            guard case .object(var members) = parameter, members["in"] != .string("path"),
                !keys.allSatisfy({ $0.contains(key(parameter)) })
            else { return parameter }
            members["required"] = nil
            return .object(members)
        }
        if !parameters.isEmpty { members["parameters"] = .array(parameters) }
        return .object(members)
    }

    /// The operation as it is compared.
    func compared(_ index: Int) -> ComparedOperation {
        let node = Node(JSON(json), at: Pointer.root.appending("operations").appending("\(index)"))
        return ComparedOperation(
            operation: Operation(
                node: node, path: path, method: method,
                parameters: node["parameters"]?.elements ?? []),
            basePaths: servers.basePaths, hasOtherHeaders: hasOtherHeaders, server: server)
    }
}

/// What is known of the servers that declarations are for.
struct ExportedServers: Sendable {
    var basePaths: [String] = []
    /// What they all send; `nil` without a server.
    var fields: ServerFields?

    init(_ servers: [any EnvironmentType]) {
        basePaths = servers.map { $0.baseUrl.path }
        guard !servers.isEmpty else { return }
        let items = servers.flatMap {
            URLComponents(url: $0.baseUrl, resolvingAgainstBaseURL: false)?.queryItems ?? []
        }
        let headers = servers.flatMap { (try? $0.headerTexts) ?? [] }
        fields = ServerFields(
            headers: Set(headers.map { $0.name.name.lowercased() }), items: Set(items.map(\.name)))
    }
}

extension RequestType {
    /// The operation that the request type declares.
    static func exported(
        _ components: SchemaComponents, _ servers: ExportedServers
    ) -> ExportedOperation {
        let declaration = endpoint.declaration
        let encoder = bodyEncoder as? JSONEncoder
        let writer = SchemaProbe(
            components: components, coder: ProbedCoder(encoder ?? JSONEncoder()))
        var parameters = ParameterWriter(probe: writer)
        let path = parameters.addPath(declaration.path)
        for parameter in declaration.parameters(.query, .queryFlag, .queryItems) {
            parameters.addQuery(parameter)
        }
        for (name, source) in declaration.headers { parameters.addHeader(name, source) }
        var members: [String: JSONValue] = [
            "operationId": .string(SchemaComponents.shortName(String(reflecting: Self.self))),
            "responses": .object(responses(components, encoder)),
        ]
        if !parameters.list.isEmpty { members["parameters"] = .array(parameters.list) }
        members["requestBody"] = body(writer)
        var server = servers.fields
        for (name, source) in declaration.headers {
            if source.constant != nil, source.constantText == nil {
                server?.headers.remove(name.name.lowercased())
            } else if source.isSecret || name == .authorization || name == .cookie {
                // The others are among the parameters.
                server?.headers.insert(name.name.lowercased())
            }
        }
        return ExportedOperation(
            method: endpoint.method.rawValue, path: path, json: .object(members),
            hasOtherHeaders: !declaration.headerContents.isEmpty
                || CommonHeaders.self != NoValues.self,
            servers: servers, server: server)
    }

    // MARK: - The body

    private static func body(_ probe: SchemaProbe) -> JSONValue? {
        let declaration = endpoint.declaration
        let (fields, parts) = (
            declaration.parameters(.form, .formItems), declaration.parameters(.part)
        )
        if !fields.isEmpty {
            let schema = ParameterWriter(probe: probe).object(fields)
            return content("application/x-www-form-urlencoded", schema.schema, schema.encoding)
        }
        if !parts.isEmpty {
            let schema = ParameterWriter(probe: probe).object(parts)
            return content("multipart/form-data", schema.schema, schema.encoding)
        }
        return body(declaration.body, Body.self, probe, isRequired: true)
    }

    private static func body(
        _ plan: BodyPlan, _ type: Any.Type, _ probe: SchemaProbe, isRequired: Bool
    ) -> JSONValue? {
        let declared = declaredContentType
        switch plan {
        case .none: return nil
        case .raw(let type):
            let isText = type == .plainText
            return content(
                declared ?? type.essence, .type("string", format: isText ? nil : "binary"),
                isRequired: isRequired)
        case .file:
            return content(
                declared ?? "*/*", .type("string", format: "binary"), isRequired: isRequired)
        case .multipart:
            return content("multipart/form-data", .type("object"), isRequired: isRequired)
        case .optional(let plan):
            let wrapped = (type as? any AnyOptional.Type)?.wrappedType ?? type
            return body(plan, wrapped, probe, isRequired: false)
        case .encoded:
            let encoder = bodyEncoder as? any EncoderType
            return content(
                declared ?? encoder?.contentType?.essence ?? "*/*",
                encoder is JSONEncoder || encoder is FormEncoder ? probe.schema(of: type) : .free,
                isRequired: isRequired)
        }
    }

    private static var declaredContentType: String? {
        let header = endpoint.declaration.headers.first { $0.name == .contentType }
        return (header?.source.constantText).map { MIMEType(rawValue: $0).essence }
    }

    private static func content(
        _ type: String, _ schema: JSONValue, _ encoding: JSONValue? = nil, isRequired: Bool = true
    ) -> JSONValue {
        var media = ["schema": schema]
        media["encoding"] = encoding
        var body: [String: JSONValue] = ["content": .object([type: .object(media)])]
        if isRequired { body["required"] = .bool(true) }
        return .object(body)
    }

    // MARK: - Responses

    private static func responses(
        _ components: SchemaComponents, _ encoder: JSONEncoder?
    ) -> [String: JSONValue] {
        var responses: [String: JSONValue] = [:]
        let carrier = Response.self as? any ProbedCarrier.Type
        var type: Any.Type = carrier?.valueType ?? Response.self
        if let optional = type as? any AnyOptional.Type {
            type = optional.wrappedType
            responses["204"] = response("No content")
        }
        responses["2XX"] = response("Success", content(of: type, components, encoder))
        let error = schema(ErrorResponse.self, errorDecoder, components, encoder)
        if ErrorResponse.self == String.self || ErrorResponse.self == Data.self {
            let isText = ErrorResponse.self == String.self
            responses["default"] = response(
                "Error", ["*/*": .type("string", format: isText ? nil : "binary")])
        } else if ErrorResponse.self != EmptyResponse.self {
            let types = ((errorDecoder as? any DecoderType)?.contentType ?? .json).essence
            responses["default"] = response("Error", [types: error])
        }
        return responses
    }

    private static func content(
        of type: Any.Type, _ components: SchemaComponents, _ encoder: JSONEncoder?
    ) -> [String: JSONValue] {
        let accepted =
            endpoint.declaration.headers.first { $0.name == .accept }?.source.constantText
            ?? endpoint.declaration.defaultHeaders.first { Headers(name: $0.name) == .accept }?.text
        let names = (accepted ?? "*/*").split(separator: ",").map {
            MIMEType(rawValue: String($0)).essence
        }
        func all(_ schema: JSONValue) -> [String: JSONValue] {
            Dictionary(names.map { ($0, schema) }, uniquingKeysWith: { first, _ in first })
        }
        if type == Void.self || type == EmptyResponse.self { return [:] }
        if let stream = type as? any StreamedResponse.Type {
            let element = element(of: stream)
            let isDecoded = names.contains {
                ["text/event-stream", "application/jsonl"].contains($0)
            }
            return isDecoded && "\(element)" != "ServerSentEvent"
                ? all(schema(element, responseDecoder, components, encoder))
                : all(.type("string", format: element == String.self ? nil : "binary"))
        }
        if type == Data.self { return all(.type("string", format: "binary")) }
        if type == String.self { return all(.type("string")) }
        guard type is any Decodable.Type else { return all(.free) }
        return all(schema(type, responseDecoder, components, encoder))
    }

    private static func element<Stream: StreamedResponse>(of stream: Stream.Type) -> Any.Type {
        Stream.Element.self
    }

    private static func schema(
        _ type: Any.Type, _ decoder: Any, _ components: SchemaComponents, _ encoder: JSONEncoder?
    ) -> JSONValue {
        let (whole, keys) =
            (decoder as? any NestingDecoder)?.whole ?? (decoder as? any DecoderType, [])
        guard let decoder = whole as? JSONDecoder else { return .free }
        let probe = SchemaProbe(
            components: components, coder: ProbedCoder(decoder, with: encoder))
        return keys.reversed().reduce(probe.schema(of: type)) { schema, key in
            .object([(probe.coder.name(ProbedKey(key)), schema, true)])
        }
    }

    private static func response(
        _ description: String, _ content: [String: JSONValue] = [:]
    ) -> JSONValue {
        var response: [String: JSONValue] = ["description": .string(description)]
        if !content.isEmpty {
            response["content"] = .object(content.mapValues { .object(["schema": $0]) })
        }
        return .object(response)
    }
}

extension MIMEType {
    /// The media type without its parameters, in lower case.
    var essence: String {
        rawValue.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    }
}

extension Declaration {
    fileprivate func parameters(_ kinds: ParameterKind...) -> [Declaration.Parameter] {
        parameters.filter { kinds.contains($0.kind) }
    }
}

extension DeclaredSource {
    /// The media type that the value's encoding gives to a multipart part.
    var contentType: MIMEType? {
        if case .property(_, _, .encoding(let type), _, _) = self { type } else { nil }
    }

    var isSecret: Bool {
        switch self {
        case .constant(_, let isSecret, _), .property(_, _, _, let isSecret, _): isSecret
        }
    }

    /// The text of a constant.
    var constantText: String? {
        guard case .success(.one(let text)) = constant else { return nil }
        return text
    }
}
