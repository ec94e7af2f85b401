#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import Foundation
#endif

/// A pointer to the values of one request, valid for the duration of one call.
///
/// Reading a stored property at its offset takes a quarter of the time that its key path takes, and
/// a request reads a property for each path value, parameter and header. This file holds all of the
/// unsafe code for it, and these are its conditions:
/// - `MemoryLayout<Root>.offset(of:)` is the only source of an offset. It returns one for
///   properties that are stored directly in a value, including nested structs and tuples. It
///   returns `nil` for computed, observed, lazy, `weak` and `unowned` properties, optional chains
///   and classes; these are read through the key path.
/// - A property is read as its own type, which is kept beside its offset.
/// - The pointer is to a whole `Root`, borrowed for the duration of the call, and only read.
/// - A reader is given values of the type that it was made for. The types around it ensure that: a
///   ``PathTemplate``, ``ParameterList`` or ``HeaderList`` of a `Root`, and the ``Endpoint`` that
///   takes them.
/// - With `isFlat`, one pointer to the request stands for all of its values. The caller sets it
///   only where `PathComponents`, `Parameters` and `HeaderValues` are the request's own type, or
///   where no value is read.
@usableFromInline
struct BorrowedValues {
    private let pointer: UnsafeRawPointer

    @usableFromInline
    init(_ pointer: UnsafeRawPointer) {
        self.pointer = pointer
    }

    /// Reads a property of the values, which are of type `Root`.
    @inline(__always)
    func read<Root: ~Copyable, Property, Failure: Error>(
        _ type: Root.Type, _ property: (borrowing Root) throws(Failure) -> Property
    ) throws(Failure) -> Property {
        try property(pointer.assumingMemoryBound(to: Root.self).pointee)
    }

    /// Calls a function with pointers to a request and to a server.
    @inlinable
    static func borrow<Request, Server>(
        _ request: Request, _ server: Server,
        _ use: (BorrowedValues, BorrowedValues) throws(EndpointError) -> URLRequest
    ) throws(EndpointError) -> URLRequest {
        try withUnsafePointer(to: request) { request throws(EndpointError) in
            try withUnsafePointer(to: server) { server throws(EndpointError) in
                try use(BorrowedValues(request), BorrowedValues(server))
            }
        }
    }
}

/// Pointers to a request and to the values that its declaration refers to.
struct BorrowedRequest {
    let request: BorrowedValues
    let pathComponents: BorrowedValues
    let parameters: BorrowedValues
    let headerValues: BorrowedValues
}

extension BorrowedRequest {
    /// A request whose values are the request itself, or which has none that are read.
    init(isFlat request: BorrowedValues) {
        self.init(
            request: request, pathComponents: request, parameters: request, headerValues: request)
    }
}

extension RequestType {
    /// Calls a function with pointers to this request and to its values.
    func borrowed(
        at request: BorrowedValues, _ use: (BorrowedRequest) throws(EndpointError) -> URLRequest
    ) throws(EndpointError) -> URLRequest {
        // The pointers are valid during this call. A generic closure for each would take longer.
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
/// It holds nothing that is reference-counted. Counting a reference takes longer than the rest of
/// the reading, and much longer when several threads share a declaration.
struct StoredProperty: Sendable {
    /// The property's type, and the texts to read from it.
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

    /// The one text of a property, if the property is stored in a `Root`.
    init?<Root, Value: PathRepresentable>(text keyPath: KeyPath<Root, Value>) {
        self.init(keyPath, .text(Value.self))
    }

    /// The texts of a property, if the property is stored in a `Root`.
    init?<Root, Value: ParameterRepresentable>(texts keyPath: KeyPath<Root, Value>) {
        self.init(keyPath, .texts(Value.self))
    }

    /// The path segments of a property, if the property is stored in a `Root`.
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

    /// The text of a string or an optional string. Reading it through its conformance would copy
    /// the value, which takes as long as the rest.
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
