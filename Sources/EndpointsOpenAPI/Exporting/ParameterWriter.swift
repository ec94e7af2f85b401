import Endpoints
import EndpointsFormats
import EndpointsShared
import Foundation

/// Writes the parameters of declarations as those of a document.
struct ParameterWriter {
    let probe: SchemaProbe
    private(set) var list: [JSONValue] = []
    /// Headers that a document describes elsewhere (OpenAPI 3.1, "Parameter Object", `name`).
    private static let ignored: [Headers] = [.accept, .contentType, .authorization]

    init(probe: SchemaProbe) { self.probe = probe }

    /// Adds the values of the path. Returns the path with their names in braces.
    mutating func addPath(_ pieces: [Declaration.PathPiece]) -> String {
        var (path, names) = ("", Set<String>())
        for piece in pieces {
            switch piece {
            case .literal(let text):
                if text.hasPrefix("/") && path.hasSuffix("/") { path.removeLast() }
                if path.isEmpty && !text.hasPrefix("/") { path = "/" }
                path += text
            case .value(let source, let includesSlash):
                if path.isEmpty || (includesSlash && !path.hasSuffix("/")) { path += "/" }
                path += addPathValue(source, &names)
            case .segments(let source):
                if !path.hasSuffix("/") { path += "/" }
                path += addPathValue(source, &names)
            }
        }
        return path.isEmpty ? "/" : path
    }

    private mutating func addPathValue(
        _ source: DeclaredSource, _ names: inout Set<String>
    ) -> String {
        if let text = source.constantText { return text }
        var name = source.propertyName ?? "value"
        while !names.insert(name).inserted { name += "_" }
        add("path", name, isRequired: true, ["schema": schema(of: source)])
        return "{\(name)}"
    }

    mutating func addQuery(_ parameter: Declaration.Parameter) {
        var members = form(of: parameter)
        if parameter.kind == .queryFlag {
            members["schema"] = .type("boolean")
            members["allowEmptyValue"] = .bool(true)
        }
        let isRequired = !parameter.isContents && parameter.source.isAlwaysSent
        add(
            "query", parameter.wireName, isRequired: isRequired && parameter.kind != .queryFlag,
            members)
    }

    mutating func addHeader(_ name: Headers, _ source: DeclaredSource) {
        guard !Self.ignored.contains(name), !source.isSecret else { return }
        if source.constant != nil, source.constantText == nil { return }
        let schema = schema(
            of: source, isSecret: SecretNames.usual.contains(name.name, in: .header))
        add("header", name.name, isRequired: source.isAlwaysSent, ["schema": schema])
    }

    private mutating func add(
        _ place: String, _ name: String, isRequired: Bool, _ members: [String: JSONValue]
    ) {
        var parameter = members
        parameter["in"] = .string(place)
        parameter["name"] = .string(name)
        if isRequired { parameter["required"] = .bool(true) }
        guard !list.contains(where: { $0["in"] == .string(place) && $0["name"] == .string(name) })
        else { return }
        list.append(.object(parameter))
    }

    /// The schema of form fields or parts, and how lists and objects in them are written.
    func object(
        _ parameters: [Declaration.Parameter]
    ) -> (schema: JSONValue, encoding: JSONValue?) {
        var encodings: [String: JSONValue] = [:]
        var members: [(name: String, schema: JSONValue, isRequired: Bool)] = []
        var others: JSONValue?
        for parameter in parameters {
            let form = form(of: parameter)
            guard !parameter.isContents else {
                others = form["schema"]?["additionalProperties"]
                continue
            }
            members.append(
                (
                    parameter.wireName,
                    form["schema"] ?? form["content"]?.members?.values.first?[
                        "schema"] ?? .free, parameter.source.isAlwaysSent
                ))
            var encoding = form.filter { ["style", "explode"].contains($0.key) }
            if let type = parameter.source.contentType {
                encoding["contentType"] = .string(type.essence)
            }
            if !encoding.isEmpty { encodings[parameter.wireName] = .object(encoding) }
        }
        var schema = JSONValue.object(members)
        if let others, case .object(var object) = schema {
            object["additionalProperties"] = others
            schema = .object(object)
        }
        return (schema, encodings.isEmpty ? nil : .object(encodings))
    }

    /// The members of a parameter that say how it is written.
    private func form(of parameter: Declaration.Parameter) -> [String: JSONValue] {
        if parameter.isContents {
            return [
                "schema": contents(of: parameter.source), "style": .string("form"),
                "explode": .bool(true),
            ]
        }
        let place: SecretNames.Place =
            [.form, .part].contains(parameter.kind) ? .form : .query
        let schema = schema(
            of: parameter.source, isSecret: SecretNames.usual.contains(parameter.name, in: place))
        if parameter.source.contentType != nil, parameter.kind != .part {
            return ["content": .object(["application/json": .object(["schema": schema])])]
        }
        let isObject =
            parameter.source.isEncodedWithoutType
            || (schema["additionalProperties"] != nil && parameter.source.contentType == nil)
        if isObject {
            return ["schema": schema, "style": .string("deepObject"), "explode": .bool(true)]
        }
        guard schema["type"] == .string("array") else { return ["schema": schema] }
        let style: String? =
            switch parameter.style {
            case .repeated, .brackets: nil
            case .commaSeparated: "form"
            case .pipeSeparated: "pipeDelimited"
            case .spaceSeparated: "spaceDelimited"
            }
        guard let style else { return ["schema": schema] }
        return ["schema": schema, "style": .string(style), "explode": .bool(false)]
    }

    /// The schema of items whose names aren't known: a map of what the values of a dictionary are,
    /// else of texts.
    private func contents(of source: DeclaredSource) -> JSONValue {
        let valueType = source.keyPath.map { Swift.type(of: $0).valueType }
        guard let map = valueType as? any ProbedMap.Type else { return .map(of: .type("string")) }
        return .map(of: text(of: map.valueType))
    }

    /// - Parameter isSecret: Whether the value isn't shown, which a constant's schema would do.
    private func schema(of source: DeclaredSource, isSecret: Bool = false) -> JSONValue {
        if let constant = source.constant {
            guard case .success(let texts) = constant else { return .free }
            switch texts {
            case .one where isSecret: return .type("string")
            case .one(let text):
                return .object(["enum": .array([text.map(JSONValue.string) ?? .null])])
            case .several: return .list(of: .type("string"))
            case .keyed: return .map(of: .type("string"))
            }
        }
        guard case .property(let keyPath, _, let conversion, _, _) = source else { return .free }
        let type = type(of: keyPath).valueType
        switch conversion {
        case .format:
            let wrapped = (type as? any AnyOptional.Type)?.wrappedType ?? type
            return wrapped is any ProbedList.Type ? .list(of: .type("string")) : .type("string")
        case .encoding:
            return probe.schema(of: (type as? any AnyOptional.Type)?.wrappedType ?? type)
        case .own: return text(of: type)
        }
    }

    /// The schema of a value that is sent as its own text.
    private func text(of type: Any.Type) -> JSONValue {
        if let optional = type as? any AnyOptional.Type { return text(of: optional.wrappedType) }
        if let list = type as? any ProbedList.Type { return .list(of: text(of: list.elementType)) }
        if let map = type as? any ProbedMap.Type { return .map(of: text(of: map.valueType)) }
        if type == Date.self { return ProbedCoder.dateTime }
        if let known = MadeUpValue.schemas[ObjectIdentifier(type)] { return known }
        if let raw = type as? any RawRepresentable.Type {
            return RawEnum(raw)?.schema ?? text(of: rawValueType(raw))
        }
        let schema = type is any Decodable.Type ? probe.schema(of: type) : .free
        return schema["type"] == .string("string") ? schema : .free
    }

    private func rawValueType<Value: RawRepresentable>(_ type: Value.Type) -> Any.Type {
        Value.RawValue.self
    }
}

extension RawEnum {
    /// The values, and their type.
    var schema: JSONValue {
        .object([
            "type": .string(rawValues.first?.text == nil ? "integer" : "string"),
            "enum": .array(rawValues),
        ])
    }
}

extension Declaration.Parameter {
    /// The name as it is sent.
    fileprivate var wireName: String {
        guard style == .brackets, let keyPath = source.keyPath else { return name }
        let type = Swift.type(of: keyPath).valueType
        let wrapped = (type as? any AnyOptional.Type)?.wrappedType ?? type
        return wrapped is any ProbedList.Type ? "\(name)[]" : name
    }
}

extension DeclaredSource {
    /// Whether an encoding writes the value in brackets, not as a text of a media type.
    fileprivate var isEncodedWithoutType: Bool {
        if case .property(_, _, .encoding(nil), _, _) = self { true } else { false }
    }

    /// Whether a value is sent in every request. An empty list isn't sent.
    fileprivate var isAlwaysSent: Bool {
        if constant != nil { return constantText != nil }
        guard let keyPath else { return false }
        return !(type(of: keyPath).valueType is any AnyOptional.Type)
    }
}
