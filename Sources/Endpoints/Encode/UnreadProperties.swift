/// The stored properties of a request that nothing reads. They are found with a `Mirror`.
struct UnreadProperties {
    /// The names: first the request's own properties, then the properties inside `pathComponents`,
    /// `parameters` and `headerValues`, such as `parameters.page`.
    private(set) var names: [String] = []

    /// The properties of a request that the library reads without a declaration.
    private static let known: Set = [
        "body", "bodyEncoder", "loadPolicy", "additionalQueryItems", "additionalFormItems",
        "commonHeaders", "additionalHeaders",
    ]

    init<Request: RequestType>(of request: Request, _ plan: Plan) {
        let stored = Self.storedProperties(of: request)
        var own = PropertyNames(Self.known)
        var nested: [(name: String, values: Any, type: Any.Type, read: PropertyNames)] = []
        let parts: [(name: String, values: Any, type: Any.Type, read: PropertyNames)] = [
            (
                "pathComponents", request.pathComponents, Request.PathComponents.self,
                plan.path.properties
            ),
            (
                "parameters", request.parameters, Request.Parameters.self,
                plan.query.properties.union(plan.form.properties)
                    .union(plan.parts.properties)
            ),
            (
                "headerValues", request.headerValues, Request.HeaderValues.self,
                plan.headers.properties
            ),
        ]
        for part in parts {
            if part.type == Request.self {
                own = own.union(part.read)
            } else if stored?.contains(part.name) == true {
                own = own.union(PropertyNames([part.name]))
                nested.append(part)
            } else if part.type != Void.self {
                // A computed `parameters`, for example, may read any property.
                own = own.union(.unknown)
            }
        }
        // A computed body may read any property, too.
        let hasComputedBody = plan.body.isSent && stored?.contains("body") == false
        if let stored, own.isComplete, !hasComputedBody {
            names = stored.filter { !own.names.contains($0) }
        }
        for part in nested {
            // If `parameters` and `headerValues`, say, share a type, each may use a part of it.
            let read = nested.filter { $0.type == part.type }.map(\.read)
                .reduce(part.read) { $0.union($1) }
            guard read.isComplete, let stored = Self.storedProperties(of: part.values)
            else { continue }
            names += stored.filter { !read.names.contains($0) }.map { "\(part.name).\($0)" }
        }
    }

    /// The names of a value's stored properties; `nil` if its type isn't a struct or a class, or is
    /// `CustomReflectable`.
    private static func storedProperties(of value: Any) -> [String]? {
        let mirror = Mirror(reflecting: value)
        guard !(value is any CustomReflectable), [.struct, .class].contains(mirror.displayStyle)
        else { return nil }
        let inherited = mirror.superclassMirror?.children.compactMap(\.label) ?? []
        return (inherited + mirror.children.compactMap(\.label)).map(declaredName)
    }

    /// The declared name of a property. A wrapped or lazy property is stored under another name.
    private static func declaredName(_ label: String) -> String {
        let lazy = "$__lazy_storage_$_"
        if label.hasPrefix(lazy) { return String(label.dropFirst(lazy.count)) }
        return label.hasPrefix("_") ? String(label.dropFirst()) : label
    }
}
