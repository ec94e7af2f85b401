/// A type in the written text.
indirect enum SwiftType: Hashable {
    /// A type that exists: `String`, `Int`, `Date`, `JSONValue` and so on.
    case plain(String)
    case model(Model)
    case list(SwiftType)
    case map(SwiftType)
    case optional(SwiftType)

    static var string: SwiftType { .plain("String") }
    static var json: SwiftType { .plain("JSONValue") }
    static var file: SwiftType { .plain("File") }
    static var data: SwiftType { .plain("Data") }

    var isOptional: Bool {
        if case .optional = self { true } else { false }
    }

    /// The type without `?`.
    var unwrapped: SwiftType {
        if case .optional(let type) = self { type } else { self }
    }

    func optional(if condition: Bool) -> SwiftType {
        condition && !isOptional ? .optional(self) : self
    }

    var model: Model? {
        if case .model(let model) = self { model } else { nil }
    }

    /// The models that this type names.
    var models: [Model] {
        switch self {
        case .plain: []
        case .model(let model): [model]
        case .list(let type), .map(let type), .optional(let type): type.models
        }
    }

    /// The models that a value of this type stores inside itself, without an indirection.
    var storedModels: [Model] {
        switch self {
        case .plain, .list, .map: []
        case .model(let model): [model]
        case .optional(let type): type.storedModels
        }
    }
}

/// A type that is declared in the written text.
final class Model: Hashable {
    enum Kind {
        case object([Property])
        case choice(raw: String, [Case])
        case union(Union)
    }

    var name: String
    let pointer: Pointer
    /// The models in which this one is nested, the outermost first.
    var path: [String]
    var kind = Kind.object([])
    var isDeprecated = false
    var scope: Scope
    /// Whether responses have it.
    var isRead = false
    /// Whether bodies have it.
    var isWritten = false
    /// Whether a path, a query, a form or a header has it.
    var isParameter = false
    /// The tags whose operations reach it.
    var tags: Set<String> = []
    /// A union that has itself as a part.
    var isIndirect = false

    init(name: String, pointer: Pointer, path: [String], scope: Scope) {
        (self.name, self.pointer, self.path, self.scope) = (name, pointer, path, scope)
    }

    var qualifiedName: String { (path + [name]).joined(separator: ".") }

    var isChoice: Bool {
        if case .choice = kind { true } else { false }
    }

    static func == (one: Model, other: Model) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Where models are nested, and which names are taken there.
final class Scope {
    let path: [String]
    var namer: Namer
    var models: [Model] = []

    init(path: [String], taken: Set<String>) {
        self.path = path
        namer = Namer(taken: taken)
    }

    func nested(_ name: String) -> Scope {
        Scope(path: path + [name], taken: namer.taken)
    }
}

struct Property {
    let name: String
    let swiftName: String
    var type: SwiftType
    var isRequired: Bool
    var isNullable: Bool
    var isReadOnly = false
    var isWriteOnly = false
    var isDeprecated = false
    var isBoxed = false
    /// The only value that it can have: a text or a number.
    var constant: JSON?
    /// The default, if it is one value.
    var standard: JSON?
}

struct Case {
    let name: String
    let value: JSON
}

struct Union {
    struct Part {
        let name: String
        let type: SwiftType
        let tags: [String]
    }

    /// The member that tells the parts apart.
    var tag: String?
    var parts: [Part] = []
    /// Nothing tells two of the parts apart.
    var isAmbiguous = false
}
