extension ModelWriter {
    func property(_ property: Property, _ model: Model) -> Declaration {
        func declared(_ word: String, _ type: String, _ standard: String? = nil) -> Declaration {
            Declaration(
                prefix: deprecation(property.isDeprecated), word: word,
                name: property.swiftName.escapedName, type: type, standard: standard)
        }
        var type = text(property.type, isRead: model.isRead)
        if property.isBoxed { type = "Boxed<\(type)>" }
        let isRequired = property.isRequired && !(property.isReadOnly && model.isWritten)
        guard model.isWritten else {
            return declared("let", type + (isRequired && !property.isNullable ? "" : "?"))
        }
        if isRequired && property.isNullable { return declared("let", "OrNull<\(type)>") }
        if isRequired, let constant = property.constant {
            return declared(model.isRead ? "var" : "let", "", constant.swiftText)
        }
        let isPatched = patched.contains(model)
        let standard =
            isPatched || property.isReadOnly
            ? nil : literal(property.standard, property.type, isRead: model.isRead)
        if isRequired {
            return declared(standard == nil ? "let" : "var", type, standard)
        }
        if isPatched && property.isNullable && !model.isRead {
            return declared("var", "Change<\(type)>", ".keep")
        }
        return declared("var", "\(type)?", standard)
    }

    /// A default as it is written in Swift, if it is one value of this type.
    func literal(_ json: JSON?, _ type: SwiftType, isRead: Bool) -> String? {
        switch (json, type) {
        case (.string(let text), .plain("String")): return "\"\(text.swiftLiteral)\""
        case (.object(let members), .map) where members.list.isEmpty: return "[:]"
        case (.bool(let bool), .plain("Bool")): return "\(bool)"
        case (.number(let text), .plain("Int")): return Int(text).map { "\($0)" }
        case (.number(let text), .plain("Double")): return Double(text).map { "\($0)" }
        case (let json?, .model(let model)):
            guard case .choice(_, let cases) = model.kind,
                let match = cases.first(where: { $0.value == json })
            else { return nil }
            return isRead ? ".known(.\(match.name.memberName))" : ".\(match.name.memberName)"
        default: return nil
        }
    }

    /// The property of a request.
    func value(_ value: Request.Value) -> Declaration {
        let name = value.name.escapedName
        let type = text(value.type, isRead: false)
        let prefix = value.isDeprecated ? ["/// Deprecated."] : []
        let standard = literal(value.standard, value.type, isRead: false)
        guard value.isRequired else {
            return Declaration(
                prefix: prefix, word: "var", name: name, type: "\(type)?", standard: standard)
        }
        if let constant = value.constant {
            return Declaration(
                prefix: prefix, word: "let", name: name, standard: constant.swiftText)
        }
        return Declaration(
            prefix: prefix, word: standard == nil ? "let" : "var", name: name, type: type,
            standard: standard)
    }
}

extension Plan {
    /// Puts what must be given before what can be left out.
    mutating func order() {
        let writer = ModelWriter(names: names, patched: typer.patched)
        for model in typer.models {
            guard case .object(let properties) = model.kind else { continue }
            model.kind = .object(
                properties.partitioned { writer.property($0, model).word == "let" })
        }
        for index in requests.indices {
            requests[index].values = requests[index].values
                .partitioned { writer.value($0).word == "let" }
        }
    }
}

extension Array {
    /// The elements that are first, and then the others, each in their order.
    fileprivate func partitioned(_ isFirst: (Element) -> Bool) -> [Element] {
        filter(isFirst) + filter { !isFirst($0) }
    }
}
