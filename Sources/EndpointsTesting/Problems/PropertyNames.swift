import Endpoints

/// The names of the properties that values are read from: the first name of each key path.
///
///     \.user.name  ->  user
struct PropertyNames: Sendable {
    private(set) var names: Set<String> = []
    /// Whether all names are known. The key path of a computed property has no name.
    private(set) var isComplete = true

    static let unknown: PropertyNames = {
        var unknown = PropertyNames([])
        unknown.isComplete = false
        return unknown
    }()

    init(_ names: Set<String>) {
        self.names = names
    }

    init(of sources: [ValueSource]) {
        for source in sources where source.constant == nil {
            if let name = source.keyPath.flatMap(Self.name(of:)) {
                names.insert(name)
            } else {
                isComplete = false
            }
        }
    }

    func union(_ others: PropertyNames) -> PropertyNames {
        var union = self
        union.names.formUnion(others.names)
        union.isComplete = isComplete && others.isComplete
        return union
    }

    /// The name of a key path's first property; `nil` for a computed property and for `\.self`.
    static func name(of keyPath: AnyKeyPath) -> String? {
        path(of: keyPath).map { String($0.prefix { $0 != "." }) }
    }

    /// The names of a key path's properties before the first computed one, such as `user.name`;
    /// `nil` if the first property is computed, and for `\.self`.
    static func path(of keyPath: AnyKeyPath) -> String? {
        let names = keyPath.names.map { $0.prefix { $0 != "?" && $0 != "!" } }
            .prefix { !$0.hasPrefix("<") && $0 != "self" }
        return names.isEmpty ? nil : names.joined(separator: ".")
    }
}
