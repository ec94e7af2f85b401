import Foundation

/// The query items or the form fields of an endpoint, compiled: names escaped, one reader per
/// value.
struct ParameterPlan: Sendable {
    private struct Item: Sendable {
        let name: String
        let source: Source<ParameterTexts>
        let style: ParameterStyle
    }
    /// What of an item costs no reference counting to look at.
    private struct Step: Sendable {
        /// Where `&name=` is in ``beginnings``.
        let beginning: Range<Int>
        let stored: StoredProperty<ParameterTexts>?
    }

    private let items: [Item]
    private let steps: [Step]
    /// `&name=` of each item, escaped.
    private let beginnings: [UInt8]
    private let position: Position
    private let field: @Sendable (String) -> EndpointError.Field

    /// About how many bytes the items have.
    let capacity: Int

    var isEmpty: Bool { items.isEmpty }
    var names: [String] { items.map(\.name) }
    var propertyNames: [String] { items.compactMap(\.source.propertyName) }

    /// The constants that have no text.
    var problems: [Problem] {
        items.compactMap { item in
            guard case .constant(.failure(let error)) = item.source else { return nil }
            return .refusal(FieldError(field(item.name), unrepresentableBecauseOf: error))
        }
    }

    /// Names that are given twice, or are none.
    var nameProblems: [Problem] {
        var seen: [String: Int] = [:]
        return names.compactMap { name in
            seen[name, default: 0] += 1
            if seen[name] == 2 {
                let problem = "is declared twice; remove one, or declare one with several values"
                return .suspicion(FieldError(field(name), problem))
            }
            guard name.isEmpty && seen[name] == 1 else { return nil }
            return .suspicion(FieldError(field(name), "has no name; give it one"))
        }
    }

    /// The query items among an endpoint's parameters.
    init<Root>(queryItemsOf parameters: ParameterList<Root>) {
        self.init(.query, EndpointError.Field.query, parameters) { parameter in
            if case .queryItem(let name, let value) = parameter { (name, value) } else { nil }
        }
    }

    /// The form fields among an endpoint's parameters.
    init<Root>(formFieldsOf parameters: ParameterList<Root>) {
        self.init(.form, EndpointError.Field.form, parameters) { parameter in
            if case .formField(let name, let value) = parameter { (name, value) } else { nil }
        }
    }

    private init<Root>(
        _ position: Position, _ field: @escaping @Sendable (String) -> EndpointError.Field,
        _ parameters: ParameterList<Root>,
        _ select: (Parameter<Root>) -> (name: String, value: ParameterValue<Root>)?
    ) {
        self.position = position
        self.field = field
        items = parameters.parameters.compactMap(select).map { name, value in
            Item(name: name, source: value.source, style: value.style)
        }
        var bytes = Bytes()
        steps = items.map { item in
            let start = bytes.count
            bytes.append(UInt8(ascii: "&"))
            bytes.append(item.name, in: position)
            bytes.append(UInt8(ascii: "="))
            return Step(beginning: start..<bytes.count, stored: item.source.stored)
        }
        beginnings = bytes.array
        capacity = bytes.count + 32 * items.count
    }

    /// Appends `&name=value` for each value there is.
    func append(_ values: Values, to bytes: inout Bytes) throws(FieldError) {
        for index in steps.indices {
            switch try texts(index, values) {
            case .one(let text?):
                bytes.append(steps[index].beginning, of: beginnings)
                bytes.append(text, in: position)
            case .one(nil):
                break
            case .several(let texts):
                append(texts, index, to: &bytes)
            case .keyed(let pairs):
                for (key, text) in pairs { append(text, index, suffix: "[\(key)]", to: &bytes) }
            }
        }
    }

    @inline(__always)
    private func texts(_ index: Int, _ values: Values) throws(FieldError) -> ParameterTexts {
        do {
            if let stored = steps[index].stored { return try stored.read(values) }
            return try items[index].source.value(in: values)
        } catch {
            throw FieldError(field(items[index].name), unrepresentableBecauseOf: error)
        }
    }

    /// Appends `&name=value` for each item that is known only at run time and has a value.
    func append(_ items: [URLQueryItem], to bytes: inout Bytes) {
        for item in items {
            guard let value = item.value else { continue }
            bytes.append(UInt8(ascii: "&"))
            bytes.append(item.name, in: position)
            bytes.append(UInt8(ascii: "="))
            bytes.append(value, in: position)
        }
    }

    private func append(_ texts: [String], _ index: Int, to bytes: inout Bytes) {
        switch items[index].style {
        case .repeated:
            for text in texts { append(text, index, suffix: "", to: &bytes) }
        case .brackets:
            for text in texts { append(text, index, suffix: "[]", to: &bytes) }
        case .commaSeparated:
            guard let first = texts.first else { return }
            append(first, index, suffix: "", to: &bytes)
            for text in texts.dropFirst() {
                bytes.append(UInt8(ascii: ","))
                bytes.append(text, in: position)
            }
        }
    }

    private func append(_ text: String, _ index: Int, suffix: String, to bytes: inout Bytes) {
        bytes.append(steps[index].beginning.dropLast(), of: beginnings)
        bytes.append(suffix, in: position)
        bytes.append(UInt8(ascii: "="))
        bytes.append(text, in: position)
    }
}
