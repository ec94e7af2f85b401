/// Reads one property of a `Root` and turns it into an `Output`.
///
/// Reading a stored property at its offset costs a quarter of reading it through its key path, and a
/// request reads one per path value, parameter and header. This file is all of the unsafe code that
/// takes, and these are its conditions:
/// - `MemoryLayout<Root>.offset(of:)` is the only source of an offset. It has one for properties that are
///   stored directly in a value, nested structs and tuples included. It has none, and the key path is used,
///   for computed, observed, lazy, `weak` and `unowned` properties, optional chains and classes.
/// - The pointer is to a whole `Root`, borrowed for the duration of the call, and is only read.
/// - The value is bound to its own type at that offset for as long as `Root` is in place.
struct PropertyReader<Root, Output>: Sendable {
    /// The property, for messages.
    let keyPath: PartialKeyPath<Root> & Sendable
    private let read: @Sendable (borrowing Root) throws -> Output

    init<Value>(
        _ keyPath: KeyPath<Root, Value> & Sendable,
        _ transform: @escaping @Sendable (Value) throws -> Output
    ) {
        self.keyPath = keyPath
        guard let offset = MemoryLayout<Root>.offset(of: keyPath) else {
            read = { try transform($0[keyPath: keyPath]) }
            return
        }
        read = { root in
            try withUnsafePointer(to: root) { pointer in
                let property = UnsafeRawPointer(pointer) + offset
                return try transform(property.assumingMemoryBound(to: Value.self).pointee)
            }
        }
    }

    func callAsFunction(_ root: borrowing Root) throws -> Output {
        try read(root)
    }
}
