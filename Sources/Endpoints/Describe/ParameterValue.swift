import Foundation

/// Where a parameter's value comes from, and how several values are written.
public struct ParameterValue<Root>: Sendable {
    let source: Source<ParameterTexts>
    let style: ParameterStyle

    init(_ value: some ParameterRepresentable, style: ParameterStyle) {
        source = .constant { try value.parameterRepresentation }
        self.style = style
    }

    init<Value: ParameterRepresentable>(
        _ path: KeyPath<Root, Value> & Sendable, style: ParameterStyle
    ) {
        source = .property(PropertyReader(path))
        self.style = style
    }

    init<Format: ParameterFormat>(
        _ path: KeyPath<Root, Format.FormatInput> & Sendable, format: Format
    ) where Format.FormatOutput == String {
        source = .property(PropertyReader(path) { .one(format.format($0)) })
        style = .repeated
    }

    init<Format: ParameterFormat>(
        _ path: KeyPath<Root, Format.FormatInput?> & Sendable, format: Format
    ) where Format.FormatOutput == String {
        source = .property(PropertyReader(path) { .one($0.map(format.format)) })
        style = .repeated
    }

    init<Format: ParameterFormat>(
        _ path: KeyPath<Root, [Format.FormatInput]> & Sendable, format: Format,
        style: ParameterStyle
    ) where Format.FormatOutput == String {
        source = .property(PropertyReader(path) { .several($0.map(format.format)) })
        self.style = style
    }

    init<Value: Encodable & SendableMetatype>(
        _ path: KeyPath<Root, Value> & Sendable, encoding: ParameterEncoding
    ) {
        source = .property(
            PropertyReader(path) { value in
                if let optional = value as? any OptionalValue, optional.isNil { return .one(nil) }
                guard let text = String(bytes: try encoding.encode(value), encoding: .utf8) else {
                    throw UnrepresentableValue("the encoder's output is not UTF-8")
                }
                return .one(text)
            })
        style = .repeated
    }
}

/// The parameters of an endpoint, in the order in which they are sent.
public struct ParameterList<Root>: Sendable, ExpressibleByArrayLiteral {
    let parameters: [Parameter<Root>]

    /// A list of parameters.
    public init(arrayLiteral parameters: Parameter<Root>...) {
        self.parameters = parameters
    }

    /// A list of parameters.
    public init(_ parameters: [Parameter<Root>]) {
        self.parameters = parameters
    }
}
