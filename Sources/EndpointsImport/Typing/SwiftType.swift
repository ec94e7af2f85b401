import EndpointsDocuments

/// Foundation has a type of this name too.
typealias Operation = EndpointsDocuments.Operation

/// A type in the written text.
indirect enum SwiftType: Hashable {
    /// A type that exists: `String`, `Int`, `Date`, `JSONValue` and so on.
    case plain(Written)
    case model(Model)
    case list(SwiftType)
    case map(SwiftType)
    case optional(SwiftType)
    /// A type of `Support.swift` around another one: `InJSON<String>`.
    case wrapped(Wrapper, SwiftType)

    /// A type of `Support.swift` that has one value, and writes it in its own way.
    enum Wrapper: String {
        /// A text or bytes that are JSON in a body, and a value that is JSON in a header or a path.
        case json = "InJSON"
        /// An object as the texts of its names and values: `R,100,G,200`.
        case namesAndValues = "NamesAndValues"
        /// An object as texts with both: `R=100,G=200`.
        case assignments = "Assignments"
        /// A member that must be there, and may be `null`.
        case orNull = "OrNull"
        case boxed = "Boxed"
        case change = "Change"

        var written: Written {
            switch self {
            case .json: "InJSON"
            case .namesAndValues: "NamesAndValues"
            case .assignments: "Assignments"
            case .orNull: "OrNull"
            case .boxed: "Boxed"
            case .change: "Change"
            }
        }
    }

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

    func wrapped(_ wrapper: Wrapper?) -> SwiftType { wrapper.map { .wrapped($0, self) } ?? self }

    var model: Model? {
        if case .model(let model) = self { model } else { nil }
    }

    /// The models that this type names.
    var models: [Model] {
        switch self {
        case .plain: []
        case .model(let model): [model]
        case .list(let type), .map(let type), .optional(let type), .wrapped(_, let type):
            type.models
        }
    }

    /// The models that a value of this type stores inside itself, without an indirection.
    var storedModels: [Model] {
        switch self {
        case .plain, .list, .map: []
        case .model(let model): [model]
        case .optional(let type), .wrapped(_, let type): type.storedModels
        }
    }

    /// The same type with other models.
    func mapModels(_ change: (Model) -> Model) -> SwiftType {
        switch self {
        case .plain: self
        case .model(let model): .model(change(model))
        case .list(let type): .list(type.mapModels(change))
        case .map(let type): .map(type.mapModels(change))
        case .optional(let type): .optional(type.mapModels(change))
        case .wrapped(let wrapper, let type): .wrapped(wrapper, type.mapModels(change))
        }
    }
}

/// A type that is declared in the written text.
final class Model: Hashable {
    enum Kind {
        case object([Property])
        case choice(raw: Raw, [Case])
        case union(Union)
    }

    /// The type of an enum's values.
    enum Raw { case string, int, double }

    var name: String
    let pointer: Pointer
    /// The models in which this one is nested, the outermost first.
    var path: [String]
    var kind = Kind.object([])
    var comment: String?
    var isDeprecated = false
    var scope: Scope
    /// Whether responses have it.
    var isRead = false
    /// Whether bodies have it.
    var isWritten = false
    /// Whether it is a body of PATCH, or in one: nothing is sent that the caller didn't set.
    var isPatch = false
    /// Whether a path, a query, a form or a header has it.
    var isParameter = false
    /// The tags whose operations reach it.
    var tags: Set<String> = []
    /// A union that has itself as a part.
    var isIndirect = false
    /// Whether lists of it lead back to it: Swift doesn't find out that it is `Sendable`.
    var isInCircle = false

    init(name: String, pointer: Pointer, path: [String], scope: Scope) {
        (self.name, self.pointer, self.path, self.scope) = (name, pointer, path, scope)
    }

    /// The name as it stands in the text where the model is nested.
    var written: Written { .name(name) }

    /// The name with those of the models around it.
    var qualifiedName: Written {
        (path + [name]).map { Written.name($0) }.joined(separator: ".")
    }

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

    init(path: [String], _ namer: Namer) { (self.path, self.namer) = (path, namer) }

    func nested(_ name: String, butFor free: Set<String> = []) -> Scope {
        Scope(path: path + [name], Namer(in: self, butFor: free.union(Reserved.swiftUI)))
    }
}

struct Property {
    let name: String
    let swiftName: String
    var type: SwiftType
    var isRequired: Bool
    var isNullable: Bool
    var comment: String?
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
        var type: SwiftType
        var tags: [String]
    }

    /// The member that tells the parts apart.
    var tag: String?
    var parts: [Part] = []
    /// Nothing tells two of the parts apart.
    var isAmbiguous = false
}
