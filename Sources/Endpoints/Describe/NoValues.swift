/// No headers.
///
/// This is the default type of ``RequestType/commonHeaders`` and ``EnvironmentType/headers``.
public struct NoValues: Sendable, HeaderFields {
    /// Makes a value without headers.
    @inlinable public init() {}
    /// No headers.
    public var headerTexts: [HeaderText] { [] }
}
