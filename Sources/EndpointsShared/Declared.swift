import Endpoints

/// A declaration, to find problems in it, and to write a document of it.
package struct Declaration: DeclarationReader {
    package enum PathPiece {
        case literal(String)
        case value(DeclaredSource, includesSlash: Bool)
        case segments(DeclaredSource)
    }

    package struct Parameter {
        package let kind: ParameterKind
        package let name: String
        package let source: DeclaredSource
        package let style: ParameterStyle
        /// Whether the names are known only at run time.
        package var isContents: Bool { kind == .queryItems || kind == .formItems }
    }

    package private(set) var path: [PathPiece] = []
    package private(set) var parameters: [Parameter] = []
    /// The declared headers.
    package private(set) var headers: [(name: Headers, source: DeclaredSource)] = []
    /// The properties that have headers whose names are known only at run time.
    package private(set) var headerContents: [DeclaredSource] = []
    /// The headers that a request has by default: the media types, and those that come with them.
    package private(set) var defaultHeaders: [(name: String, text: String)] = []
    package private(set) var body = BodyPlan.none
    /// What is wrong. Making a request throws the first error.
    package private(set) var errors: [EndpointError] = []

    package mutating func path(literal: String) { path.append(.literal(literal)) }

    package mutating func path(value: DeclaredSource, includesSlash: Bool) {
        path.append(.value(value, includesSlash: includesSlash))
    }

    package mutating func path(segments: DeclaredSource) { path.append(.segments(segments)) }

    package mutating func parameter(
        _ kind: ParameterKind, _ name: String, _ source: DeclaredSource, _ style: ParameterStyle
    ) {
        parameters.append(Parameter(kind: kind, name: name, source: source, style: style))
    }

    package mutating func header(_ name: Headers, _ source: DeclaredSource) {
        headers.append((name, source))
    }

    package mutating func headers(contentsOf source: DeclaredSource) {
        headerContents.append(source)
    }

    package mutating func header(_ name: String, defaultText: String) {
        defaultHeaders.append((name, defaultText))
    }

    package mutating func body(_ plan: BodyPlan) { body = plan }

    package mutating func error(_ error: EndpointError) { errors.append(error) }
}

extension Endpoint {
    package var declaration: Declaration {
        var declaration = Declaration()
        describe(to: &declaration)
        return declaration
    }
}

extension DeclaredSource {
    /// The texts of a constant, or the error that its conversion threw; `nil` for a property.
    package var constant: Result<ParameterTexts, any Error>? {
        if case .constant(let texts, _, _) = self { texts } else { nil }
    }

    /// The type of a constant; `nil` for a property.
    package var constantType: Any.Type? {
        if case .constant(_, _, let type) = self { type } else { nil }
    }

    package var keyPath: AnyKeyPath? {
        if case .property(let keyPath, _, _, _, _) = self { keyPath } else { nil }
    }

    /// The property's name as the declaration spells it, such as `id` or `user.id`; `nil` for a
    /// constant and for a property whose key path has no name.
    package var propertyName: String? {
        if case .property(_, let name, _, _, _) = self { name } else { nil }
    }
}
