import Foundation

/// The query items or the form fields of an endpoint, compiled: names escaped, one reader per value.
struct ParameterPlan: Sendable {
    private struct Item: Sendable {
        let name: String
        /// `&name=`, escaped.
        let beginning: [UInt8]
        let source: Source<ParameterTexts>
        let style: ParameterStyle
    }

    private let items: [Item]
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
            var beginning = [UInt8(ascii: "&")]
            beginning.append(name, in: position)
            beginning.append(UInt8(ascii: "="))
            return Item(name: name, beginning: beginning, source: value.source, style: value.style)
        }
        capacity = items.reduce(0) { $0 + $1.beginning.count + 24 }
    }

    /// Appends `&name=value` for each value there is.
    func append(_ values: Values, to bytes: inout [UInt8]) throws(FieldError) {
        for item in items {
            let texts: ParameterTexts
            do { texts = try item.source.value(in: values) } catch {
                throw FieldError(field(item.name), unrepresentableBecauseOf: error)
            }
            switch texts {
            case .one(let text?):
                bytes.append(contentsOf: item.beginning)
                bytes.append(text, in: position)
            case .one(nil):
                break
            case .several(let texts):
                append(texts, of: item, to: &bytes)
            case .keyed(let pairs):
                for (key, text) in pairs {
                    append(text, of: item, suffix: "[\(key)]", to: &bytes)
                }
            }
        }
    }

    /// Appends `&name=value` for each item that is known only at run time and has a value.
    func append(_ items: [URLQueryItem], to bytes: inout [UInt8]) {
        for case (let name, let value?) in items.lazy.map({ ($0.name, $0.value) }) {
            bytes.append(UInt8(ascii: "&"))
            bytes.append(name, in: position)
            bytes.append(UInt8(ascii: "="))
            bytes.append(value, in: position)
        }
    }

    private func append(_ texts: [String], of item: Item, to bytes: inout [UInt8]) {
        switch item.style {
        case .repeated:
            for text in texts { append(text, of: item, suffix: "", to: &bytes) }
        case .brackets:
            for text in texts { append(text, of: item, suffix: "[]", to: &bytes) }
        case .commaSeparated:
            guard let first = texts.first else { return }
            append(first, of: item, suffix: "", to: &bytes)
            for text in texts.dropFirst() {
                bytes.append(UInt8(ascii: ","))
                bytes.append(text, in: position)
            }
        }
    }

    private func append(_ text: String, of item: Item, suffix: String, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: item.beginning.dropLast())
        bytes.append(suffix, in: position)
        bytes.append(UInt8(ascii: "="))
        bytes.append(text, in: position)
    }
}
