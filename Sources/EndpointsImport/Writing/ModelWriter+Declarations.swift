import EndpointsDocuments

extension ModelWriter {
    func property(_ property: Property, _ model: Model) -> Declaration {
        func declared(
            _ word: Written, _ type: Written, _ standard: Written? = nil
        ) -> Declaration {
            Declaration(
                comment: property.comment,
                prefix: deprecation(property.isDeprecated), word: word,
                name: .name(property.swiftName), type: type, standard: standard)
        }
        var type = text(property.type, isRead: model.isRead)
        if property.isBoxed { type = "Boxed<\(type)>" }
        let isRequired = property.isRequired(in: model)
        guard model.isWritten else {
            return declared("let", isRequired && !property.isNullable ? type : "\(type)?")
        }
        if isRequired && property.isNullable { return declared("let", "OrNull<\(type)>") }
        if isRequired, let constant = property.constant {
            return declared(model.isRead ? "var" : "let", "", constant.swiftText)
        }
        let standard =
            model.isPatch || property.isReadOnly
            ? nil : literal(property.standard, property.type, isRead: model.isRead)
        if isRequired {
            return declared(standard == nil ? "let" : "var", type, standard)
        }
        if model.isPatch && property.isNullable && !model.isRead {
            return declared("var", "Change<\(type)>", ".keep")
        }
        return declared("var", "\(type)?", standard)
    }

    /// A default as it is written in Swift, if it is one value of this type.
    func literal(_ json: JSON?, _ type: SwiftType, isRead: Bool) -> Written? {
        switch (json, type) {
        case (.string(let text), .plain("String")): return .literal(text)
        case (.object(let members), .map) where members.list.isEmpty: return "[:]"
        case (.bool(let bool), .plain("Bool")): return bool ? "true" : "false"
        case (.number(let text), .plain("Int")): return Int(text).map { "\($0)" }
        case (.number(let text), .plain("UInt64")): return UInt64(text).map { .number("\($0)") }
        case (.number(let text), .plain("Double")): return Double(text).map { .number("\($0)") }
        case (let json?, .model(let model)):
            guard case .choice(_, let cases) = model.kind,
                let match = cases.first(where: { $0.value == json })
            else { return nil }
            return isRead ? ".known(.\(.member(match.name)))" : ".\(.member(match.name))"
        default: return nil
        }
    }

    /// Says it in the comment, as the initializer of a request has the property as a parameter.
    private func deprecated(_ comment: String?) -> String {
        guard let comment else { return "Deprecated." }
        if comment.lowercased().contains("deprecated") { return comment }
        return comment + (comment.last.map { ".!?…".contains($0) } == true ? "" : ".")
            + " Deprecated."
    }

    /// The property of a request.
    func value(_ value: Request.Value) -> Declaration {
        let type = text(value.type, isRead: false, isElsewhere: value.owner != nil)
        let standard = literal(value.standard, value.type, isRead: false)
        func declared(_ word: Written, _ type: Written, _ standard: Written?) -> Declaration {
            Declaration(
                comment: value.isDeprecated ? deprecated(value.comment) : value.comment, word: word,
                name: .name(value.name), type: type, standard: standard)
        }
        guard value.isRequired else { return declared("var", "\(type)?", standard) }
        if let constant = value.constant { return declared("let", "", constant.swiftText) }
        return declared(standard == nil ? "let" : "var", type, standard)
    }
}

extension Property {
    /// Whether a value must be there. What one direction has may be missing in a model of both.
    func isRequired(in model: Model) -> Bool {
        isRequired && !(isReadOnly && model.isWritten) && !(isWriteOnly && model.isRead)
    }
}

extension Plan {
    /// Puts what must be given before what can be left out.
    mutating func order() {
        let writer = ModelWriter(names: names)
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
