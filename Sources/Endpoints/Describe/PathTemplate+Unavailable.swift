/// What people write first, so that the compiler says what to write instead.
extension PathTemplate.StringInterpolation {
    /// `\(id)` is refused: a path is declared once, for the values of all requests.
    @available(*, unavailable, message: "write \\(path: \\.id), or \\(value: constant)")
    @_disfavoredOverload
    public mutating func appendInterpolation<Value>(_ value: Value) {}

    /// `\(\.id)` is refused.
    @available(*, unavailable, message: "write \\(path: \\.id), or \\(value: constant)")
    public mutating func appendInterpolation<Value>(_ path: KeyPath<Root, Value>) {}
}
