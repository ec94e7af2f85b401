/// An `Optional`, for code that learns its wrapped type only at run time.
package protocol AnyOptional {
    static var none: Self { get }
    static var wrappedType: Any.Type { get }
    var wrapped: Any? { get }
}

extension Optional: AnyOptional {
    package static var wrappedType: Any.Type { Wrapped.self }
    package var wrapped: Any? { self }
}
