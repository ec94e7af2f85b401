/// What an `Optional` can be asked where only its type is known.
protocol OptionalValue {
    /// The value for nothing.
    static var none: Self { get }
    static var wrappedType: Any.Type { get }
    var isNil: Bool { get }
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    static var wrappedType: Any.Type { Wrapped.self }
    var isNil: Bool { self == nil }
    var wrapped: Any? { self }
}
