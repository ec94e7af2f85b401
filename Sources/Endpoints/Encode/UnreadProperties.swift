/// The stored properties of a request that nothing reads, as a mirror shows them.
struct UnreadProperties {
    /// The properties' names, in the order in which they are declared, those of `pathComponents`,
    /// `parameters` and `headerValues` after them.
    private(set) var names: [String] = []

    /// The properties that the library reads by their name.
    private static let known: Set = [
        "body", "bodyEncoder", "loadPolicy", "additionalQueryItems", "commonHeaders",
        "additionalHeaders",
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
                // A computed property, which may be made of any other.
                own = own.union(.unknown)
            }
        }
        // So may a computed body.
        let hasComputedBody = plan.body.isSent && stored?.contains("body") == false
        if let stored, own.isComplete, !hasComputedBody {
            names = stored.filter { !own.names.contains($0) }
        }
        for part in nested {
            // Two parts of one type may be read for each other.
            let read = nested.filter { $0.type == part.type }.map(\.read)
                .reduce(part.read) { $0.union($1) }
            guard read.isComplete, let stored = Self.storedProperties(of: part.values)
            else { continue }
            names += stored.filter { !read.names.contains($0) }.map { "\(part.name).\($0)" }
        }
    }

    /// The names of the stored properties of a value; `nil` if it is no struct or class, or has a
    /// mirror of its own.
    private static func storedProperties(of value: Any) -> [String]? {
        let mirror = Mirror(reflecting: value)
        guard !(value is any CustomReflectable), [.struct, .class].contains(mirror.displayStyle)
        else { return nil }
        let inherited = mirror.superclassMirror?.children.compactMap(\.label) ?? []
        return (inherited + mirror.children.compactMap(\.label)).map(declaredName)
    }

    /// The name of a property as it is declared: a wrapped or lazy one is stored under another.
    private static func declaredName(_ label: String) -> String {
        let lazy = "$__lazy_storage_$_"
        if label.hasPrefix(lazy) { return String(label.dropFirst(lazy.count)) }
        return label.hasPrefix("_") ? String(label.dropFirst()) : label
    }
}
