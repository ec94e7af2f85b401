/// The members of an `Optional` whose wrapped type isn't known.
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
