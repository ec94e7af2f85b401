import Foundation

/// Query items or form fields known only at run time: `URLQueryItem`s in order, or a dictionary.
///
///     .query(contentsOf: \.filters)   // let filters: [URLQueryItem], or [String: Int?]
///
/// A dictionary's values are ``PathRepresentable``, such as `Int?`. A `nil` value leaves its item
/// out.
public protocol QueryItems: SendableMetatype {
    /// The items, not escaped. An item whose value is `nil` may be in the list; it isn't sent.
    ///
    /// - Throws: An error if a value can't be written as text.
    var queryItems: [URLQueryItem] { get throws }
}

extension Array: QueryItems where Element == URLQueryItem {
    /// The items themselves.
    public var queryItems: [URLQueryItem] { self }
}

extension Dictionary: QueryItems where Key: CustomStringConvertible, Value: PathRepresentable {
    /// The items, sorted by name.
    public var queryItems: [URLQueryItem] {
        get throws {
            try map { name, value in
                do {
                    return URLQueryItem(
                        name: name.description, value: try value.pathRepresentation)
                } catch {
                    // In a form, `ParameterPlan` replaces `.query` by `.form`.
                    throw FieldError(.query(name.description), unrepresentableBecauseOf: error)
                }
            }.sorted { $0.name < $1.name }
        }
    }
}

/// No headers.
///
/// This is the default type of ``RequestType/commonHeaders`` and ``EnvironmentType/headers``.
public struct NoValues: Sendable, HeaderFields {
    /// Makes a value without headers.
    @inlinable public init() {}
    /// No headers.
    public var headerTexts: [HeaderText] { [] }
}
