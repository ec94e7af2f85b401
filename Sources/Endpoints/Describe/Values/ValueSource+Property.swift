import Foundation

/// What is known of the property that a value is read from, without reading it.
extension ValueSource {
    /// Whether the value is a stored `Date` or `Date?` property that is written without a format.
    var isUnformattedDate: Bool {
        stored != nil && (valueType == Date.self || valueType == Date?.self)
    }

    /// Whether the value is a `URL`, a `URL?` or a list of these.
    var isURL: Bool {
        valueType == URL.self || valueType == URL?.self || valueType == [URL].self
    }

    private var valueType: Any.Type? { keyPath.map { type(of: $0).valueType } }

    /// The property's name as the declaration spells it, such as `id` or `user.id`; `nil` for a
    /// constant and for a property whose key path has no name.
    package var propertyName: String? {
        guard let names = keyPath?.names, !names.isEmpty,
            !names.contains(where: { $0.contains("<") })
        else { return nil }
        return names.joined(separator: ".")
    }
}
