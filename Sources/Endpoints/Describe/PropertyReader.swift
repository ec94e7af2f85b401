/// Reads one property of a request's values and turns it into text.
///
/// Reading a stored property at its offset costs a quarter of reading it through its key path, and
/// a request reads one per path value, parameter and header. This file is all of the unsafe code
/// that takes, and these are its conditions:
/// - `MemoryLayout<Root>.offset(of:)` is the only source of an offset. It has one for properties
///   that are stored directly in a value, nested structs and tuples included. It has none, and the
///   key path is used, for computed, observed, lazy, `weak` and `unowned` properties, optional
///   chains and classes.
/// - A reader is given values of the type that it was made for. The types around it see to that: a
///   ``PathTemplate``, ``ParameterList`` or ``HeaderList`` of a `Root`, and the ``Endpoint`` that
///   takes them.
/// - ``Values`` points to a whole `Root`, borrowed for the duration of the call, and is only read.
/// - The property is read as its own type, which is kept beside its offset.
struct PropertyReader<Output: TextOutput>: Sendable {
    /// The property, for messages.
    let keyPath: AnyKeyPath & Sendable
    /// The property where it has a place in memory.
    let stored: StoredProperty<Output>?
    private let read: @Sendable (Values) throws -> Output

    /// A property that a function turns into text.
    init<Root, Value>(
        _ keyPath: KeyPath<Root, Value> & Sendable, stored: StoredProperty<Output>? = nil,
        _ transform: @escaping @Sendable (Value) throws -> Output
    ) {
        self.keyPath = keyPath
        self.stored = stored
        read = { values in
            let root = values.pointer.assumingMemoryBound(to: Root.self)
            return try transform(root.pointee[keyPath: keyPath])
        }
    }

    func callAsFunction(_ values: Values) throws -> Output {
        try stored?.read(values) ?? read(values)
    }
}

/// A property that is read at its offset.
///
/// There is no reference in it that would be counted, which costs more than the rest of reading it,
/// and much more when several threads share a declaration.
struct StoredProperty<Output: TextOutput>: Sendable {
    private let offset: Int
    private let type: Output.Source

    /// A property of a `Root`, if it is stored in there.
    init?<Root>(_ keyPath: PartialKeyPath<Root>, as type: Output.Source) {
        guard let offset = MemoryLayout<Root>.offset(of: keyPath) else { return nil }
        self.offset = offset
        self.type = type
    }

    @inline(__always)
    func read(_ values: Values) throws -> Output {
        try Output.read(type, at: values.pointer + offset)
    }
}

/// The values of one request, without their type and for the duration of one call.
@usableFromInline
struct Values {
    fileprivate let pointer: UnsafeRawPointer

    @usableFromInline
    init(_ pointer: UnsafeRawPointer) {
        self.pointer = pointer
    }

    /// A property of the values, which are of this type.
    func read<Root, Property>(_ type: Root.Type, _ property: (Root) -> Property) -> Property {
        property(pointer.assumingMemoryBound(to: Root.self).pointee)
    }

    @inlinable
    static func borrow<Root, Result, Failure: Error>(
        _ root: borrowing Root, _ use: (Values) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafePointer(to: root) { pointer throws(Failure) in
            try use(Values(UnsafeRawPointer(pointer)))
        }
    }
}

/// What a property becomes: one text or none, any number of them, or segments of a path.
protocol TextOutput: Sendable {
    /// A type whose values become this.
    associatedtype Source: Sendable
    /// What a value of a type becomes.
    static func read(_ type: Source, at pointer: UnsafeRawPointer) throws -> Self
}

extension String?: TextOutput {
    static func read(_ type: any PathRepresentable.Type, at pointer: UnsafeRawPointer) throws
        -> Self
    {
        // Through its witness a value is copied, which costs a string as much as the rest.
        if type == String.self { return pointer.load(as: String.self) }
        if type == String?.self { return pointer.load(as: String?.self) }
        func read<Value: PathRepresentable>(_ type: Value.Type) throws -> Self {
            try pointer.assumingMemoryBound(to: type).pointee.pathRepresentation
        }
        return try read(type)
    }
}

extension ParameterTexts: TextOutput {
    static func read(
        _ type: any ParameterRepresentable.Type, at pointer: UnsafeRawPointer
    ) throws -> Self {
        if type == String.self { return .one(pointer.load(as: String.self)) }
        if type == String?.self { return .one(pointer.load(as: String?.self)) }
        func read<Value: ParameterRepresentable>(_ type: Value.Type) throws -> Self {
            try pointer.assumingMemoryBound(to: type).pointee.parameterRepresentation
        }
        return try read(type)
    }
}

extension [String]: TextOutput {
    static func read(
        _ type: any PathSegmentsRepresentable.Type, at pointer: UnsafeRawPointer
    ) throws -> Self {
        func read<Value: PathSegmentsRepresentable>(_ type: Value.Type) throws -> Self {
            try pointer.assumingMemoryBound(to: type).pointee.pathSegments
        }
        return try read(type)
    }
}

extension PropertyReader<String?> {
    /// A property that has one text or none.
    init<Root, Value: PathRepresentable>(_ keyPath: KeyPath<Root, Value> & Sendable) {
        self.init(keyPath, stored: StoredProperty(keyPath, as: Value.self)) {
            try $0.pathRepresentation
        }
    }
}

extension PropertyReader<ParameterTexts> {
    /// A property that has any number of texts.
    init<Root, Value: ParameterRepresentable>(_ keyPath: KeyPath<Root, Value> & Sendable) {
        self.init(keyPath, stored: StoredProperty(keyPath, as: Value.self)) {
            try $0.parameterRepresentation
        }
    }
}

extension PropertyReader<[String]> {
    /// A property that is segments of a path.
    init<Root, Value: PathSegmentsRepresentable>(_ keyPath: KeyPath<Root, Value> & Sendable) {
        self.init(keyPath, stored: StoredProperty(keyPath, as: Value.self)) { try $0.pathSegments }
    }
}
