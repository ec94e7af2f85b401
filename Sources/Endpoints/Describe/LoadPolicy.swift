/// X
public struct LoadPolicy: Sendable {
    /// The most bytes of an error body that are kept.
    public var largestErrorBody = 1 << 20
    /// The default.
    public static let `default` = LoadPolicy()
}
