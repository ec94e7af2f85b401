/// What an `Optional` can be asked where only its type is known.
package protocol OptionalValue {
    /// The value for nothing.
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
