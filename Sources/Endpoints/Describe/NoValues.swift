import Foundation

/// The headers or query items of a request or an environment that adds none.
///
/// A hook whose type this is was not written: ``RequestType/additionalHeaders`` of a request that
/// has none, for example.
public struct NoValues: Sendable, HeaderFields, QueryItems {
    /// Nothing.
    @inlinable public init() {}
    /// None.
    public var headerTexts: [HeaderText] { [] }
    /// None.
    public var queryItems: [URLQueryItem] { [] }
}
