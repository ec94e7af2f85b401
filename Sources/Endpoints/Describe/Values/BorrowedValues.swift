#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import Foundation
#endif

/// A pointer to a request, its values or a server, valid for the duration of one call.
///
/// Reading a stored property at its offset takes a quarter of the time that its key path takes, and
/// a request reads a property for each path value, parameter and header. All unsafe code for this
/// is in this file. It is safe under these conditions, where `Root` is the type of the values:
/// - A property is read at its offset only if it is aligned there, wherever the values are. In a
///   packed struct of C it isn't.
/// - `MemoryLayout<Root>.offset(of:)` is the only source of an offset. It returns an offset for
///   properties that are stored directly in a value, including nested structs and tuples. It
///   returns `nil` for computed, observed, lazy, `weak` and `unowned` properties, optional chains
///   and classes. Such properties are read through their key paths.
/// - A property is read as its own type, which ``StoredProperty`` keeps beside the offset.
/// - The pointer is to a whole `Root`, borrowed for the duration of the call, and only read.
/// - A property of a `Root` is read only from a pointer to a `Root`. The compiler checks that: a
///   ``PathTemplate``, ``ParameterList`` or ``HeaderList`` of a `Root` takes only key paths of that
///   `Root`, and an ``Endpoint`` takes only those of its request's own types.
/// - ``BorrowedRequest/init(isFlat:)`` uses the pointer to the request for all values. It is called
///   only if `PathComponents`, `Parameters` and `HeaderValues` are the request type, or if no
///   value is read.
@usableFromInline
struct BorrowedValues {
    private let pointer: UnsafeRawPointer

    @usableFromInline
    init(_ pointer: UnsafeRawPointer) {
        self.pointer = pointer
    }

    @inline(__always)
    fileprivate func value<Value>(at offset: Int) -> Value {
        pointer.load(fromByteOffset: offset, as: Value.self)
    }

    /// Calls a function with the value at the pointer, which must be of type `Root`.
    @inline(__always)
    func read<Root: ~Copyable, Property, Failure: Error>(
        _ type: Root.Type, _ property: (borrowing Root) throws(Failure) -> Property
    ) throws(Failure) -> Property {
        try property(pointer.assumingMemoryBound(to: Root.self).pointee)
    }

    /// Calls a function with a pointer to a value.
    @inlinable
    static func borrow<Value>(
        _ value: Value, _ use: (BorrowedValues) throws(EndpointError) -> URLRequest
    ) throws(EndpointError) -> URLRequest {
        try withUnsafePointer(to: value) { value throws(EndpointError) in
            try use(BorrowedValues(value))
        }
    }
}

/// A property that is read at its offset.
///
/// This struct has no references to objects, whatever the property's type is. Counting references
/// would take longer than reading the property, and much longer when several threads share a
/// declaration.
struct StoredProperty: Sendable {
    /// The property's type, and what is read from it: a text, several texts or path segments.
    private enum Kind {
        case optionalString
        case integer
        case text(any PathRepresentable.Type)
        case texts(any ParameterRepresentable.Type)
        case segments(any PathSegmentsRepresentable.Type)
    }

    private let offset: Int
    /// A string is one text everywhere. Through a protocol, reading it would take twice as long.
    private let isString: Bool
    private let kind: Kind

    private init?<Root, Value>(_ keyPath: KeyPath<Root, Value>, _ kind: Kind) {
        let alignment = MemoryLayout<Value>.alignment
        guard let offset = MemoryLayout<Root>.offset(of: keyPath), offset % alignment == 0,
            MemoryLayout<Root>.alignment >= alignment
        else { return nil }
        self.offset = offset
        isString = Value.self == String.self
        self.kind =
            switch Value.self {
            case is String?.Type: .optionalString
            case is Int.Type: .integer
            default: kind
            }
    }

    init?<Root, Value: PathRepresentable>(text keyPath: KeyPath<Root, Value>) {
        self.init(keyPath, .text(Value.self))
    }

    init?<Root, Value: ParameterRepresentable>(texts keyPath: KeyPath<Root, Value>) {
        self.init(keyPath, .texts(Value.self))
    }

    init?<Root, Value: PathSegmentsRepresentable>(segments keyPath: KeyPath<Root, Value>) {
        self.init(keyPath, .segments(Value.self))
    }

    @inline(__always)
    func read(_ values: BorrowedValues) throws -> ParameterTexts {
        isString ? .one(values.value(at: offset) as String) : try converted(values)
    }

    private func converted(_ values: BorrowedValues) throws -> ParameterTexts {
        switch kind {
        case .optionalString: return .one(values.value(at: offset))
        case .integer: return .one(String(values.value(at: offset) as Int))
        case .text(let type): return .one(try text(type, values))
        case .texts(let type): return try texts(type, values)
        case .segments(let type): return try segments(type, values)
        }
    }

    private func text<Value: PathRepresentable>(
        _: Value.Type, _ values: BorrowedValues
    ) throws -> String? {
        try (values.value(at: offset) as Value).pathRepresentation
    }

    private func texts<Value: ParameterRepresentable>(
        _: Value.Type, _ values: BorrowedValues
    ) throws -> ParameterTexts {
        try (values.value(at: offset) as Value).parameterRepresentation
    }

    private func segments<Value: PathSegmentsRepresentable>(
        _: Value.Type, _ values: BorrowedValues
    ) throws -> ParameterTexts {
        try (values.value(at: offset) as Value).segmentTexts
    }
}
