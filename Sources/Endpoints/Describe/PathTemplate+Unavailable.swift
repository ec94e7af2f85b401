/// Common mistakes, so that the compiler says what to write instead.
extension PathTemplate.StringInterpolation {
    /// `\(id)` doesn't compile, because a path is declared once for all requests.
    @available(*, unavailable, message: "write \\(path: \\.id), or \\(value: constant)")
    @_disfavoredOverload
    public mutating func appendInterpolation<Value>(_ value: Value) {}

    /// `\(\.id)` doesn't compile, because it needs the label `path:`.
    @available(*, unavailable, message: "write \\(path: \\.id), or \\(value: constant)")
    public mutating func appendInterpolation<Value>(_ path: KeyPath<Root, Value>) {}
}
