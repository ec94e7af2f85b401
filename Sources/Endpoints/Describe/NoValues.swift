import Foundation

/// The headers or query items of a request or an environment that adds none.
///
/// It is the type of a hook that isn't written, such as ``RequestType/additionalHeaders`` of a
/// request that has none.
public struct NoValues: Sendable, HeaderFields, QueryItems {
    /// Nothing.
    @inlinable public init() {}
    /// None.
    public var headerTexts: [HeaderText] { [] }
    /// None.
    public var queryItems: [URLQueryItem] { [] }
}
