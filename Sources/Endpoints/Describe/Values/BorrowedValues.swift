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

    /// Calls a function with the value at the pointer, which must be of type `Root`.
    @inline(__always)
    func read<Root: ~Copyable, Property, Failure: Error>(
        _ type: Root.Type, _ property: (borrowing Root) throws(Failure) -> Property
    ) throws(Failure) -> Property {
        try property(pointer.assumingMemoryBound(to: Root.self).pointee)
    }

    /// Calls a function with pointers to a request and to a server.
    ///
    /// Nothing is written through the pointers, so the stack protector, with which the compiler
    /// detects a write past the end of a value, is left out. It would add 35 bytes of machine code
    /// wherever this function is inlined.
    @inlinable
    static func borrow<Request, Server>(
        _ request: Request, _ server: Server,
        _ use: (BorrowedValues, BorrowedValues) throws(EndpointError) -> URLRequest
    ) throws(EndpointError) -> URLRequest {
        try _withUnprotectedUnsafePointer(to: request) { request throws(EndpointError) in
            try _withUnprotectedUnsafePointer(to: server) { server throws(EndpointError) in
                try use(BorrowedValues(request), BorrowedValues(server))
            }
        }
    }
}

struct BorrowedRequest {
    let request: BorrowedValues
    let pathComponents: BorrowedValues
    let parameters: BorrowedValues
    let headerValues: BorrowedValues
}

extension BorrowedRequest {
    /// A request whose values are the request itself, or whose declaration reads no values.
    init(isFlat request: BorrowedValues) {
        self.init(
            request: request, pathComponents: request, parameters: request, headerValues: request)
    }
}

extension RequestType {
    func borrowed(
        at request: BorrowedValues, _ use: (BorrowedRequest) throws(EndpointError) -> URLRequest
    ) throws(EndpointError) -> URLRequest {
        // The pointers are valid while `call` runs. `withUnsafePointer` would need a generic
        // closure for each pointer, which takes longer.
        func call(
            _ path: UnsafePointer<PathComponents>, _ parameters: UnsafePointer<Parameters>,
            _ headers: UnsafePointer<HeaderValues>
        ) throws(EndpointError) -> URLRequest {
            try use(
                BorrowedRequest(
                    request: request, pathComponents: BorrowedValues(path),
                    parameters: BorrowedValues(parameters), headerValues: BorrowedValues(headers)))
        }
        var (path, parameters, headers) = (pathComponents, parameters, headerValues)
        return try call(&path, &parameters, &headers)
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
        case text(any PathRepresentable.Type)
        case texts(any ParameterRepresentable.Type)
        case segments(any PathSegmentsRepresentable.Type)
    }

    private let offset: Int
    private let kind: Kind

    private init?<Root>(_ keyPath: PartialKeyPath<Root>, _ kind: Kind) {
        guard let offset = MemoryLayout<Root>.offset(of: keyPath) else { return nil }
        self.offset = offset
        self.kind = kind
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
        let value = BorrowedValues(values.address + offset)
        switch kind {
        case .text(let type): return try value.string(type) ?? value.text(type)
        case .texts(let type): return try value.string(type) ?? value.texts(type)
        case .segments(let type): return try value.string(type) ?? value.segments(type)
        }
    }
}

extension BorrowedValues {
    fileprivate var address: UnsafeRawPointer { pointer }

    /// The text of a string or an optional string; `nil` for another type. The functions below,
    /// which read a value through its protocol, would take twice as long for a string.
    @inline(__always)
    fileprivate func string(_ type: Any.Type) -> ParameterTexts? {
        if type == String.self { return .one(pointer.load(as: String.self)) }
        if type == String?.self { return .one(pointer.load(as: String?.self)) }
        return nil
    }

    fileprivate func text<Value: PathRepresentable>(_ type: Value.Type) throws -> ParameterTexts {
        .one(try pointer.assumingMemoryBound(to: type).pointee.pathRepresentation)
    }

    fileprivate func texts<Value: ParameterRepresentable>(
        _ type: Value.Type
    ) throws -> ParameterTexts {
        try pointer.assumingMemoryBound(to: type).pointee.parameterRepresentation
    }

    fileprivate func segments<Value: PathSegmentsRepresentable>(
        _ type: Value.Type
    ) throws -> ParameterTexts {
        try pointer.assumingMemoryBound(to: type).pointee.segmentTexts
    }
}
