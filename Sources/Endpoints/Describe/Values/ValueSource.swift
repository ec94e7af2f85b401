import Foundation

/// How the value of a property becomes text.
package enum ValueConversion: Sendable {
    /// By the value's own text or texts.
    case own
    /// By this format.
    case format(any Sendable)
    /// By an encoding, such as JSON. It may give a media type to a multipart part.
    case encoding(MIMEType?)
}

/// The source of a declared value, as a ``DeclarationReader`` gets it.
package enum DeclaredSource: Sendable {
    /// A constant's texts, or the error that its conversion threw, and the constant's type.
    case constant(Result<ParameterTexts, any Error>, isSecret: Bool, Any.Type)
    /// A property of the request's values.
    ///
    /// Its name is as the declaration spells it, or `nil` if the key path has no name. The
    /// declaration says whether a path may lack the value.
    case property(
        AnyKeyPath & Sendable, name: String?, ValueConversion, isSecret: Bool, mayBeLeftOut: Bool)
}

/// The source of a declared value: a constant, or a property of the request's values.
struct ValueSource: Sendable {
    private enum Kind: Sendable {
        case constant(Result<ParameterTexts, any Error>, Any.Type)
        case property(AnyKeyPath & Sendable, @Sendable (BorrowedValues) throws -> ParameterTexts)
        case encoded(
            AnyKeyPath & Sendable,
            @Sendable (BorrowedValues, JSONEncoder?) throws -> ParameterTexts)
        case files(AnyKeyPath & Sendable, @Sendable (BorrowedValues) throws -> [File])
        case headers(AnyKeyPath & Sendable, @Sendable (BorrowedValues) throws -> [HeaderText])
    }

    /// It is a class, because passing one reference takes less machine code than several values.
    private final class Content: Sendable {
        let kind: Kind
        let stored: StoredProperty?
        let isSecret: Bool
        let isAllowedInPath: Bool
        let mayBeLeftOut: Bool
        let conversion: ValueConversion
        let separator: String

        init(
            _ kind: Kind, stored: StoredProperty? = nil, isSecret: Bool,
            mayBeLeftOut: Bool = false, conversion: ValueConversion = .own,
            isAllowedInPath: Bool = false, separator: String = ","
        ) {
            self.isAllowedInPath = isAllowedInPath
            self.conversion = conversion
            self.separator = separator
            self.mayBeLeftOut = mayBeLeftOut
            self.kind = kind
            self.stored = stored
            self.isSecret = isSecret
        }
    }

    private let content: Content

    private init(_ content: Content) { self.content = content }

    init(text constant: some PathRepresentable) {
        content = Content(
            .constant(Result { .one(try constant.pathRepresentation) }, type(of: constant)),
            isSecret: constant is any SecretValue)
    }

    init(texts constant: some ParameterRepresentable) {
        content = Content(
            .constant(Result { try constant.parameterRepresentation }, type(of: constant)),
            isSecret: constant is any SecretValue)
    }

    init<Root, Value>(
        _ keyPath: KeyPath<Root, Value> & Sendable, stored: StoredProperty? = nil,
        conversion: ValueConversion = .own,
        _ texts: @escaping @Sendable (Value) throws -> ParameterTexts
    ) {
        let kind = Kind.property(keyPath) { values in
            try values.read(Root.self) { try texts($0[keyPath: keyPath]) }
        }
        content = Content(
            kind, stored: stored, isSecret: Value.self is any SecretValue.Type,
            conversion: conversion)
    }

    init<Root, Value: PathRepresentable>(text keyPath: KeyPath<Root, Value> & Sendable) {
        self.init(keyPath, stored: StoredProperty(text: keyPath)) {
            .one(try $0.pathRepresentation)
        }
    }

    init<Root, Value: ParameterRepresentable>(texts keyPath: KeyPath<Root, Value> & Sendable) {
        self.init(keyPath, stored: StoredProperty(texts: keyPath)) {
            try $0.parameterRepresentation
        }
    }

    /// A property that is written as segments of a path. A string stays one text, which is split at
    /// its slashes when the path is written.
    init<Root, Value: PathSegmentsRepresentable>(
        segments keyPath: KeyPath<Root, Value> & Sendable
    ) {
        self.init(keyPath, stored: StoredProperty(segments: keyPath)) {
            try $0.segmentTexts
        }
    }

    init<Root, Format: ParameterFormat>(
        _ keyPath: KeyPath<Root, Format.FormatInput> & Sendable, _ format: Format
    ) where Format.FormatOutput == String {
        let check = FormatCheck(Format.self)
        self.init(keyPath, conversion: .format(format)) { .one(try check.text(of: $0, in: format)) }
    }

    init<Root, Format: ParameterFormat>(
        _ keyPath: KeyPath<Root, Format.FormatInput?> & Sendable, _ format: Format
    ) where Format.FormatOutput == String {
        let check = FormatCheck(Format.self)
        self.init(keyPath, conversion: .format(format)) { value in
            .one(try value.map { try check.text(of: $0, in: format) })
        }
    }

    init<Root, Format: ParameterFormat>(
        _ keyPath: KeyPath<Root, [Format.FormatInput]> & Sendable, _ format: Format
    ) where Format.FormatOutput == String {
        let check = FormatCheck(Format.self)
        self.init(keyPath, conversion: .format(format)) {
            .several(try $0.map { try check.text(of: $0, in: format) })
        }
    }

    init<Root, Format: ParameterFormat>(
        _ keyPath: KeyPath<Root, [Format.FormatInput]?> & Sendable, _ format: Format
    ) where Format.FormatOutput == String {
        let check = FormatCheck(Format.self)
        self.init(keyPath, conversion: .format(format)) { list in
            guard let list else { return .one(nil) }
            return .several(try list.map { try check.text(of: $0, in: format) })
        }
    }

    init<Root, Value: Encodable & SendableMetatype>(
        _ keyPath: KeyPath<Root, Value> & Sendable, _ encoding: ParameterEncoding
    ) {
        let kind = Kind.encoded(keyPath) { values, encoder in
            try values.read(Root.self) { root in
                let value = root[keyPath: keyPath]
                if let optional = value as? any AnyOptional, optional.wrapped == nil {
                    return .one(nil)
                }
                return try encoding.texts(value, encoder)
            }
        }
        content = Content(
            kind, isSecret: Value.self is any SecretValue.Type,
            conversion: .encoding(encoding.contentType()))
    }

    /// The same value; if it is written as JSON, the encoder writes it.
    func written(by encoder: @escaping @Sendable () -> JSONEncoder?) -> ValueSource {
        guard case .encoded(let keyPath, let read) = content.kind else { return self }
        return ValueSource(
            Content(
                .property(keyPath) { try read($0, encoder()) }, isSecret: isSecret,
                conversion: conversion))
    }

    init<Root, Value: FileRepresentable>(files keyPath: KeyPath<Root, Value> & Sendable) {
        let kind = Kind.files(keyPath) { values in
            try values.read(Root.self) { try $0[keyPath: keyPath].fileRepresentation }
        }
        content = Content(kind, isSecret: false)
    }

    /// A property that has whole query items or form fields. The key of each text is its name.
    init<Root, Items: QueryItems>(items keyPath: KeyPath<Root, Items> & Sendable) {
        self.init(keyPath) { items in
            .keyed(try items.queryItems.compactMap { item in item.value.map { ([item.name], $0) } })
        }
    }

    init<Root, Fields: HeaderFields>(headers keyPath: KeyPath<Root, Fields> & Sendable) {
        let kind = Kind.headers(keyPath) { values in
            try values.read(Root.self) { try $0[keyPath: keyPath].headerTexts }
        }
        content = Content(kind, isSecret: Fields.self is any SecretValue.Type)
    }

    /// The property, if its own text, texts or segments are sent, with no format, encoding or other
    /// conversion, and if it can be read at its offset in memory (see ``BorrowedValues``). In any
    /// other case `nil`.
    var stored: StoredProperty? { content.stored }
    /// Whether the value is a ``SecretValue``, which may be sent in a header only.
    var isSecret: Bool { content.isSecret }
    /// Whether the declaration says that the path may lack the value.
    var mayBeLeftOut: Bool { content.mayBeLeftOut }

    /// Whether the declaration says that the secret stands in the path.
    var isAllowedInPath: Bool { content.isAllowedInPath }

    /// The same secret, which may stand in a path.
    var allowedInPath: ValueSource {
        ValueSource(Content(content.kind, isSecret: isSecret, isAllowedInPath: true))
    }

    /// The same value; the declaration says whether the path may lack it.
    func leftOut(_ mayBeLeftOut: Bool) -> ValueSource {
        ValueSource(
            Content(
                content.kind, stored: stored, isSecret: isSecret, mayBeLeftOut: mayBeLeftOut,
                conversion: conversion, isAllowedInPath: isAllowedInPath, separator: separator))
    }

    /// The same value; in a path, its texts have this between them.
    func separated(by separator: String) -> ValueSource {
        ValueSource(
            Content(
                content.kind, stored: stored, isSecret: isSecret, mayBeLeftOut: mayBeLeftOut,
                conversion: conversion, isAllowedInPath: isAllowedInPath, separator: separator))
    }

    /// What a path has between the texts of the value.
    var separator: String { content.separator }

    /// The media type that the value's encoding gives to a multipart part; `nil` if there is none.
    var contentType: MIMEType? {
        if case .encoding(let type) = conversion { type } else { nil }
    }
    /// How the value becomes text.
    var conversion: ValueConversion { content.conversion }

    /// The texts of a constant, or the error that its conversion threw; `nil` for a property.
    var constant: Result<ParameterTexts, any Error>? {
        if case .constant(let result, _) = content.kind { result } else { nil }
    }

    func texts(in values: BorrowedValues) throws -> ParameterTexts {
        switch content.kind {
        case .constant(let result, _): try result.get()
        case .property(_, let read): try read(values)
        case .encoded(_, let read): try read(values, nil)
        case .files: throw UnrepresentableValue("it is a file; send it with .part(…)")
        case .headers: .several([])
        }
    }

    /// The value's files in one request; `nil` if the value is written as text.
    func files(in values: BorrowedValues) throws -> [File]? {
        if case .files(_, let read) = content.kind { try read(values) } else { nil }
    }

    /// The headers in the property; empty if it has none.
    func headers(in values: BorrowedValues) throws -> [HeaderText] {
        if case .headers(_, let read) = content.kind { try read(values) } else { [] }
    }

    var keyPath: AnyKeyPath? {
        switch content.kind {
        case .constant: nil
        case .property(let keyPath, _), .encoded(let keyPath, _), .files(let keyPath, _),
            .headers(let keyPath, _):
            keyPath
        }
    }
}

extension ValueSource {
    var declared: DeclaredSource {
        switch content.kind {
        case .constant(let texts, let type): .constant(texts, isSecret: isSecret, type)
        case .property(let keyPath, _), .encoded(let keyPath, _), .files(let keyPath, _),
            .headers(let keyPath, _):
            .property(
                keyPath, name: propertyName, conversion, isSecret: isSecret,
                mayBeLeftOut: mayBeLeftOut)
        }
    }

    /// Whether the value may be a list with elements that have no text.
    var mayLackElements: Bool { !mayBeLeftOut && isList }

    /// Whether the value is a list, or an optional list.
    var isList: Bool {
        let list = (valueType as? any AnyOptional.Type)?.wrappedType ?? valueType
        return list is any ElementList.Type
    }

    /// Whether an element of a list in the property has no text.
    func lacksElement(in values: BorrowedValues) -> Bool {
        func list<Root>(_: Root.Type) -> (any ElementList)? {
            guard let path = keyPath as? PartialKeyPath<Root> else { return nil }
            return values.read(Root.self) { $0[keyPath: path] as? any ElementList }
        }
        guard mayLackElements, let root = keyPath.map({ type(of: $0).rootType }) else {
            return false
        }
        return list(root)?.lacksElement == true
    }
}

/// A list whose elements are written one by one.
private protocol ElementList {
    /// Whether an element has no text.
    var lacksElement: Bool { get }
}

extension Array: ElementList where Element: PathRepresentable {
    var lacksElement: Bool { (try? contains { try $0.pathRepresentation == nil }) == true }
}

extension ValueSource: CustomReflectable {
    /// No children, because `dump(_:)` would print a secret constant.
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

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
    var propertyName: String? {
        guard let names = keyPath?.names, !names.isEmpty,
            !names.contains(where: { $0.contains("<") })
        else { return nil }
        return names.joined(separator: ".")
    }
}

extension AnyKeyPath {
    /// The names in the key path's text after its root, such as `user` and `name`.
    ///
    /// The text is like `\Page<(Int) -> User>.user.name`. For a computed property it may be
    /// `\Page<User>.<computed 0x… (Int)>`, and for a tuple's element without a label
    /// `\Page<User>.pair..0`.
    package var names: [String] {
        let text = "\(self)"
        var (depth, previous) = (0, Character("\\"))
        for index in text.indices {
            switch text[index] {
            case "<", "(": depth += 1
            case ">" where previous != "-", ")": depth -= 1
            case "." where depth == 0:
                return String(text[index...]).split(at: .dot, outsideQuotes: false)
                    .filter { !$0.isEmpty }
            default: break
            }
            previous = text[index]
        }
        return []
    }
}
