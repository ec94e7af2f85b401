/// An `Optional`, for code that learns its wrapped type only at run time.
package protocol OptionalValue {
    static var none: Self { get }
    static var wrappedType: Any.Type { get }
    var isNil: Bool { get }
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    package static var wrappedType: Any.Type { Wrapped.self }
    package var isNil: Bool { self == nil }
    package var wrapped: Any? { self }
}
