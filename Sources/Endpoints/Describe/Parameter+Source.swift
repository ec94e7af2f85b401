import Foundation

extension Parameter {
    init(
        _ part: Part, _ name: String, _ value: some ParameterRepresentable, style: ParameterStyle
    ) {
        self.init(
            part, name, ValueSource { try value.parameterRepresentation }, style: style)
    }

    init<Value: ParameterRepresentable>(
        _ part: Part, _ name: String, _ path: KeyPath<Root, Value> & Sendable,
        style: ParameterStyle
    ) {
        self.init(part, name, ValueSource(texts: path), style: style)
    }

    init<Format: ParameterFormat>(
        _ part: Part, _ name: String, _ path: KeyPath<Root, Format.FormatInput> & Sendable,
        format: Format
    ) where Format.FormatOutput == String {
        self.init(part, name, ValueSource(path) { .one(format.format($0)) })
    }

    init<Format: ParameterFormat>(
        _ part: Part, _ name: String, _ path: KeyPath<Root, Format.FormatInput?> & Sendable,
        format: Format
    ) where Format.FormatOutput == String {
        self.init(part, name, ValueSource(path) { .one($0.map(format.format)) })
    }

    init<Format: ParameterFormat>(
        _ part: Part, _ name: String, _ path: KeyPath<Root, [Format.FormatInput]> & Sendable,
        format: Format, style: ParameterStyle
    ) where Format.FormatOutput == String {
        self.init(
            part, name, ValueSource(path) { .several($0.map(format.format)) }, style: style)
    }

    init<Value: Encodable & SendableMetatype>(
        _ part: Part, _ name: String, _ path: KeyPath<Root, Value> & Sendable,
        encoding: ParameterEncoding
    ) {
        let source = ValueSource(path) { value in
            if let optional = value as? any OptionalValue, optional.isNil { return .one(nil) }
            guard let text = String(bytes: try encoding.encode(value), encoding: .utf8) else {
                throw UnrepresentableValue("the encoder's output is not UTF-8")
            }
            return .one(text)
        }
        self.init(part, name, source)
    }

    private init(
        _ part: Part, _ name: String, _ source: ValueSource, style: ParameterStyle = .repeated
    ) {
        self.part = part
        self.name = name
        self.source = source
        self.style = style
    }
}
