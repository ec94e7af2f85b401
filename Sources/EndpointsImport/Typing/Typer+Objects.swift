extension Typer {
    /// A struct with the shape's properties.
    func object(
        _ shape: Shape, _ node: Node, named name: String, in scope: Scope, key: String?
    ) throws -> SwiftType {
        let model = declare(name, node, in: scope, key: key)
        var namer = Namer(taken: ["self", "init", "hash", "encode", "CodingKeys"])
        var properties: [Property] = []
        for (member, node) in shape.properties {
            let found = try type(of: node, named: member.upperCamel, in: model.scope)
            let resolved = try document.resolved(node)
            let isTrue = { (word: String) in
                node[word]?.json.bool == true || resolved[word]?.json.bool == true
            }
            var property = Property(
                name: member, swiftName: namer.name(swiftName(of: member), or: "Value"),
                type: found.type.unwrapped, isRequired: shape.required.contains(member),
                isNullable: found.isNullable || node["nullable"]?.json.bool == true)
            property.isReadOnly = isTrue("readOnly")
            property.isWriteOnly = isTrue("writeOnly")
            property.isDeprecated = isTrue("deprecated")
            property.constant = try constant(of: node)
            property.standard = node["default"]?.json ?? resolved["default"]?.json
            properties.append(property)
        }
        model.kind = .object(properties)
        if let additional = shape.additional, additional.json.members?.list.isEmpty == false {
            report.note(additional.pointer, "members beside the named ones aren't declared")
        }
        return .model(model)
    }

    func swiftName(of member: String) -> String {
        let name = names.codingKey(member)
        return name.lowerCamel == name ? name : member.lowerCamel
    }

    /// The only text or number that a value can be.
    private func constant(of node: Node) throws -> JSON? {
        guard node["$ref"] == nil else { return nil }
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
    func choice(
        _ values: [Node], _ types: [String], _ node: Node, named name: String, in scope: Scope,
        _ key: String?
    ) -> SwiftType {
        if !types.isEmpty, !values.contains(where: { $0.json.has(types: types) }) {
            let type = types.joined(separator: " or ")
            report.note(
                node.pointer, "no value of `enum` is of the type \(type); it is a `JSONValue`")
            return .json
        }
        if values.count == 1, let value = values.first?.json, value.swiftText != nil, key == nil {
            return value.text == nil ? .plain("Int") : .string
        }
        let raw: String
        if values.allSatisfy({ $0.text != nil }) {
            raw = "String"
        } else if values.allSatisfy({
            if case .number(let text) = $0.json { Int(text) != nil } else { false }
        }) {
            raw = "Int"
        } else if values.allSatisfy({ $0.json.bool != nil }) {
            return .plain("Bool")
        } else {
            report.note(node.pointer, "has values of several types, and is a `JSONValue`")
            return .json
        }
        return .model(choice(raw, values.map(\.json), node, named: name, in: scope, key))
    }

    private func choice(
        _ raw: String, _ values: [JSON], _ node: Node, named name: String, in scope: Scope,
        _ key: String?
    ) -> Model {
        let titles = node["x-enum-varnames"]?.texts ?? node["x-enumNames"]?.texts ?? []
        return choice(
            raw, values.enumerated().map { (titles.element($0), $1) }, node, named: name, in: scope,
            key)
    }

    /// An enum of values that are sent as texts; `nil` if they are of one kind, which is that of
    /// the schema's type.
    func textChoice(
        _ shape: Shape, _ node: Node, named name: String, in scope: Scope
    ) -> SwiftType? {
        guard let values = shape.values?.map(\.json),
            Set(values.map(\.kind)).count > 1
                || !(shape.types.isEmpty || values.contains { $0.has(types: shape.types) })
        else { return nil }
        let texts = values.map { JSON.string($0.text ?? $0.written) }
        return .model(choice("String", texts, node, named: name, in: scope, nil))
    }

    func choice(
        _ raw: String, _ values: [(title: String?, value: JSON)], _ node: Node, named name: String,
        in scope: Scope, _ key: String?
    ) -> Model {
        let model = declare(name, node, in: scope, key: key)
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
            var wanted = (title ?? value.text ?? "value \(value.written)").lowerCamel
            if wanted.isEmpty { wanted = value.text?.isEmpty == true ? "empty" : "other" }
            cases.append(Case(name: namer.name(wanted, or: "Value"), value: value))
        }
        model.kind = .choice(raw: raw, cases)
        return model
    }
}

extension JSON {
    fileprivate func isWritten(like text: String) -> Bool {
        self.text.map { $0.utf8.elementsEqual(text.utf8) } ?? false
    }

    /// A text or a whole number as it is written in Swift.
    var swiftText: String? {
        switch self {
        case .string(let text): "\"\(text.swiftLiteral)\""
        case .number(let text): Int(text).map { "\($0)" }
        default: nil
        }
    }
}

extension Array {
    func element(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
