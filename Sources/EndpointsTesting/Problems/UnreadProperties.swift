import Endpoints
import EndpointsShared

/// The stored properties of a request that the library doesn't read, found with a `Mirror`.
struct UnreadProperties {
    /// The names: first the request's own properties, then the properties inside `pathComponents`,
    /// `parameters` and `headerValues`, such as `parameters.page`.
    var names: [String] { properties.map(\.name) }

    private var properties: [Property] = []

    private struct Property {
        /// `parameters.` for a property in `parameters`, for example; empty for the request's own.
        var prefix = ""
        /// The name in the `Mirror`. For a wrapped or lazy property, it isn't the declared name.
        let label: String
        let value: Any

        /// The prefix and the declared name. A wrapped property keeps its `_` if its wrapper
        /// doesn't store the `wrappedValue`.
        var name: String {
            let lazy = "$__lazy_storage_$_"
            if label.hasPrefix(lazy) { return prefix + label.dropFirst(lazy.count) }
            return prefix + (isWrapped ? label.dropFirst() : label[...])
        }

        private var isWrapped: Bool {
            let children = Mirror(reflecting: value).children
            return label.hasPrefix("_") && children.contains { $0.label == "wrappedValue" }
        }

        /// Whether the key path, whose description names no property, may read this property. It
        /// may read any wrapped or lazy property, and any property that has the type of its value,
        /// because that property may be observed or inherited.
        func mayBe(_ keyPath: AnyKeyPath) -> Bool {
            label.hasPrefix("_") || label.hasPrefix("$")
                || type(of: value) == type(of: keyPath).valueType
        }

        /// Whether the property may be declared with a type: its value may be of a subclass.
        func mayBe(of type: Any.Type) -> Bool {
            // `as?` would unwrap an optional.
            let isOptional = Swift.type(of: value) is any AnyOptional.Type
            return Swift.type(of: value) == type || !isOptional && isValue(of: type)
        }

        /// Whether the property takes memory. If it takes none, `u` in `\Get.u` may be stored at
        /// its place, and Swift gives that key path this property's name.
        var hasSize: Bool {
            let type: Any.Type = Swift.type(of: value)
            return size(of: type) > 0
        }

        private func size<Declared>(of type: Declared.Type) -> Int { MemoryLayout<Declared>.size }

        private func isValue<Declared>(of type: Declared.Type) -> Bool { value is Declared }

        func isRead(_ names: Set<String>) -> Bool {
            let isHidden = label.hasPrefix("_") && names.contains(prefix + label.dropFirst())
            return isHidden || names.contains(prefix + label) || names.contains(name)
        }
    }

    /// The properties that have a hook's name and another type, so that the default of the hook is
    /// used. Each has its type and the hook's.
    private(set) var nearHooks: [(name: String, type: Any.Type, hook: Any.Type)] = []

    /// The properties of a request that the library reads without a declaration.
    private static func hooks<Request: RequestType>(
        of type: Request.Type
    ) -> [String: Any.Type] {
        [
            "body": Request.Body.self, "bodyEncoder": Request.BodyEncoder.self,
            "commonHeaders": Request.CommonHeaders.self, "loadPolicy": LoadPolicy.self,
            "commonLoadPolicy": LoadPolicy.self, "parameters": Request.Parameters.self,
            "pathComponents": Request.PathComponents.self,
            "headerValues": Request.HeaderValues.self,
        ]
    }

    init<Request: RequestType>(of request: Request, _ declaration: Declaration) {
        let hooks = Self.hooks(of: Request.self)
        var stored = Self.storedProperties(of: request)
        nearHooks =
            stored?.compactMap { property in
                hooks[property.label].flatMap { hook in
                    property.mayBe(of: hook)
                        ? nil : (property.label, Swift.type(of: property.value), hook)
                }
            } ?? []
        let near = Set(nearHooks.map(\.name))
        stored?.removeAll { near.contains($0.label) }
        var own = PropertyNames([
            "body", "bodyEncoder", "loadPolicy", "commonLoadPolicy", "commonHeaders",
        ])
        var nested: [(name: String, values: Any, type: Any.Type, read: PropertyNames)] = []
        let parts: [(name: String, values: Any, type: Any.Type, read: PropertyNames)] = [
            (
                "pathComponents", request.pathComponents, Request.PathComponents.self,
                PropertyNames(of: declaration.path.compactMap(\.source))
            ),
            (
                "parameters", request.parameters, Request.Parameters.self,
                PropertyNames(of: declaration.parameters.map(\.source))
            ),
            (
                "headerValues", request.headerValues, Request.HeaderValues.self,
                PropertyNames(
                    of: declaration.headers.map(\.source) + declaration.headerContents)
            ),
        ]
        for part in parts {
            if part.type == Request.self {
                own = own.union(part.read)
            } else if stored?.contains(where: { $0.isRead([part.name]) }) == true {
                own = own.union(PropertyNames([part.name]))
                nested.append(part)
            } else if part.type != Void.self {
                // A computed `parameters`, for example, may read any property.
                own = own.union(.unknown)
            }
        }
        // A computed body may read any property, too.
        let hasComputedBody =
            declaration.hasBody && stored?.contains { $0.isRead(["body"]) } == false
        if let stored, own.isComplete, !hasComputedBody, stored.allSatisfy(\.hasSize) {
            properties = stored.filter { !$0.isRead(own.names) }
        }
        for part in nested {
            // If two of `pathComponents`, `parameters` and `headerValues` have the same type, a
            // property that is read in one of them counts as read in both.
            let read = nested.filter { $0.type == part.type }.map(\.read)
                .reduce(part.read) { $0.union($1) }
            guard read.isComplete, let stored = Self.storedProperties(of: part.values),
                stored.allSatisfy(\.hasSize)
            else { continue }
            properties += stored.filter { !$0.isRead(read.names) }
                .map { Property(prefix: part.name + ".", label: $0.label, value: $0.value) }
        }
    }

    /// Leaves out the properties of these key paths: `\.user.name` leaves out `user`, and
    /// `\.parameters` leaves out `parameters.page`.
    ///
    /// The text of a key path, such as that of a computed property, may not name the property. Such
    /// a key path leaves out each property that it may read, as `mayBe(_:)` says.
    func except(_ keyPaths: [AnyKeyPath]) -> UnreadProperties {
        let paths = keyPaths.compactMap { PropertyNames.path(of: $0) }
        let unnamed = keyPaths.filter { PropertyNames.path(of: $0) == nil }
        var unread = self
        unread.properties.removeAll { property in
            paths.contains { path in
                [property.name, property.prefix + property.label].contains {
                    "\(path).".hasPrefix("\($0).") || "\($0).".hasPrefix("\(path).")
                }
            } || unnamed.contains(where: property.mayBe)
        }
        return unread
    }

    /// A value's stored properties; `nil` if its type isn't a struct or a class, or is
    /// `CustomReflectable`.
    private static func storedProperties(of value: Any) -> [Property]? {
        let mirror = Mirror(reflecting: value)
        guard !(value is any CustomReflectable), [.struct, .class].contains(mirror.displayStyle)
        else { return nil }
        let classes = sequence(first: mirror, next: \.superclassMirror)
        return classes.reversed().flatMap(\.children).compactMap { label, value in
            label.map { Property(label: $0, value: value) }
        }
    }
}

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

    init(of sources: [DeclaredSource]) {
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

extension Declaration.PathPiece {
    fileprivate var source: DeclaredSource? {
        switch self {
        case .literal: nil
        case .value(let source, _), .segments(let source): source
        }
    }
}
