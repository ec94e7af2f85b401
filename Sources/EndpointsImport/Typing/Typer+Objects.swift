import EndpointsDocuments

extension Typer {
    /// A struct with the shape's properties.
    func object(_ shape: Shape, _ node: Node, _ naming: Naming) throws -> SwiftType {
        let model = declare(node, naming)
        var namer = Namer(taken: ["self", "init", "hash", "encode", "CodingKeys"])
        var properties: [Property] = []
        for (member, node) in shape.properties {
            let found = found(node, of: member, model, naming.purpose)
            let resolved = (try? document.schema(node)) ?? node
            // In OpenAPI 3.0 what stands beside a reference is ignored.
            let own = document.isVersion30 && node.json["$ref"] != nil ? nil : node
            let isTrue = { (word: String) in
                own?[word]?.isTrue == true || resolved[word]?.isTrue == true
            }
            var property = Property(
                name: member, swiftName: namer.name(swiftName(of: member), or: "value"),
                type: found.type.unwrapped, isRequired: shape.required.contains(member),
                isNullable: found.isNullable || node["nullable"]?.isTrue == true)
            property.comment = node["description"]?.text?.comment(
                besides: member, in: model.name)
            property.isReadOnly = isTrue("readOnly")
            property.isWriteOnly = isTrue("writeOnly")
            property.isDeprecated = isTrue("deprecated")
            property.constant = (try? constant(of: node)) ?? nil
            // What needn't be sent isn't: the server knows its default.
            property.standard =
                property.isRequired ? node["default"]?.json ?? resolved["default"]?.json : nil
            properties.append(property)
        }
        model.kind = .object(properties)
        if let additional = shape.additional, additional.json.members?.list.isEmpty == false {
            report.note(additional.pointer, "members beside the named ones aren't declared")
        }
        return .model(model)
    }

    /// The type of a member; any value if what the document says of it is wrong.
    private func found(
        _ node: Node, of member: String, _ model: Model, _ purpose: Purpose
    ) -> Found {
        do {
            return try type(of: node, named: member.typeName, in: model.scope, for: purpose)
        } catch {
            report.skip(error, "the member `\(member)` is declared as a `JSONValue`")
            return Found(type: .json)
        }
    }

    func swiftName(of member: String) -> String {
        let name = names.codingKey(member)
        return name.lowerCamel == name ? name : member.lowerCamel
    }

    /// The only text or number that a value can be.
    private func constant(of node: Node) throws -> JSON? {
        guard node.json["$ref"] == nil else { return nil }
        return try onlyValue(of: node)
    }

    func onlyValue(of node: Node) throws -> JSON? {
        let shape = try document.shape(of: node)
        guard shape.values?.count == 1, let value = shape.values?.first?.json,
            shape.types.isEmpty || value.has(types: shape.types)
        else { return nil }
        return value.swiftText == nil ? nil : value
    }

    /// An enum of known values.
    func choice(_ values: [Node], _ types: [String], _ node: Node, _ naming: Naming) -> SwiftType {
        if !types.isEmpty, !values.contains(where: { $0.json.has(types: types) }) {
            let type = types.joined(separator: " or ")
            report.note(
                node.pointer, "no value of `enum` is of the type \(type); it is a `JSONValue`")
            return .json
        }
        if values.count == 1, let value = values.first?.json, value.swiftText != nil,
            naming.key == nil
        {
            return value.text == nil ? .plain("Int") : .string
        }
        if values.allSatisfy({ $0.json.bool != nil }) { return .plain("Bool") }
        guard let raw = Model.Raw(of: values.map(\.json)) else {
            report.note(node.pointer, "has values of several types, and is a `JSONValue`")
            return .json
        }
        return .model(choice(raw, values.map(\.json), node, naming))
    }

    private func choice(
        _ raw: Model.Raw, _ values: [JSON], _ node: Node, _ naming: Naming
    ) -> Model {
        let target = node.json["enum"] == nil ? (try? document.schema(node)) ?? node : node
        let titles = Self.titles(target)
        return choice(raw, values.map { (titles[$0], $0) }, node, naming)
    }

    /// The names that a document gives the values of an enum.
    private static func titles(_ node: Node) -> [JSON: String] {
        var titles: [JSON: String] = [:]
        let names = ["x-enum-varnames", "x-enumNames", "x-enum-names"].lazy
            .compactMap { node[$0]?.json.elements }.first
        for (value, name) in zip(node["enum"]?.elements ?? [], names ?? []) {
            if let text = name.text, !text.words.isEmpty { titles[value.json] = text }
        }
        for value in node["x-ms-enum"]?["values"]?.elements ?? [] {
            if let name = value["name"]?.text, let json = value["value"]?.json {
                titles[json] = name
            }
        }
        return titles
    }

    /// An enum of values that are sent as texts; `nil` if they are of one kind, which is that of
    /// the schema's type.
    func textChoice(_ shape: Shape, _ node: Node, named name: String, in scope: Scope) -> SwiftType?
    {
        guard let values = shape.values?.map(\.json),
            Set(values.map(\.kind)).count > 1
                || !(shape.types.isEmpty || values.contains { $0.has(types: shape.types) })
        else { return nil }
        let texts = values.map { JSON.string($0.text ?? $0.written) }
        return .model(
            choice(.string, texts, node, Naming(name: name, scope: scope, purpose: .write)))
    }

    func choice(
        _ raw: Model.Raw, _ values: [(title: String?, value: JSON)], _ node: Node, _ naming: Naming
    ) -> Model {
        let model = declare(node, naming)
        // `.none` and `.some` of an optional are other cases.
        var namer = Namer(taken: ["init", "self", "Type", "none", "some"])
        var (cases, seen) = ([Case](), Set<JSON>())
        for (title, value) in values {
            guard seen.insert(value).inserted else {
                if let text = value.text, !cases.contains(where: { $0.value.isWritten(like: text) })
                {
                    report.note(
                        node.pointer,
                        """
                        `\(text)` is the same text as another value, in another form of Unicode; \
                        only that one is declared
                        """)
                }
                continue
            }
            var wanted = (title ?? value.text ?? value.wordsOfNumber).lowerCamel
            if wanted.isEmpty { wanted = value.text?.isEmpty == true ? "empty" : "other" }
            cases.append(Case(name: namer.name(wanted, or: "value"), value: value))
        }
        model.kind = .choice(raw: raw, cases)
        return model
    }
}

extension Model.Raw {
    /// The type that all values have; `nil` if there is none for them.
    init?(of values: [JSON]) {
        let numbers = values.map { if case .number(let text) = $0 { text } else { "" } }
        if values.allSatisfy({ $0.text != nil }) {
            self = .string
        } else if numbers.allSatisfy({ Int($0) != nil }) {
            self = .int
        } else if numbers.allSatisfy({ Double($0) != nil }),
            Set(numbers.compactMap(Double.init)).count == Set(numbers).count
        {
            self = .double
        } else {
            return nil
        }
    }

    var written: Written {
        switch self {
        case .string: "String"
        case .int: "Int"
        case .double: "Double"
        }
    }
}

extension JSON {
    fileprivate func isWritten(like text: String) -> Bool {
        self.text.map { $0.utf8.elementsEqual(text.utf8) } ?? false
    }

    /// `-1.5` as words: `minus 1 point 5`.
    fileprivate var wordsOfNumber: String {
        let text = written
        let digits = text.hasPrefix("-") ? "minus \(text.dropFirst())" : "value \(text)"
        return digits.split(separator: ".").joined(separator: " point ")
    }

    /// A text or a whole number as it is written in Swift.
    var swiftText: Written? {
        switch self {
        case .string(let text): .literal(text)
        case .number(let text): Int(text).map { "\($0)" }
        default: nil
        }
    }
}

extension String {
    /// The name of a type that is nested beside a property with this name.
    var typeName: String {
        let name = upperCamel
        return name == lowerCamel && !name.isEmpty ? name + "Value" : name
    }
}
