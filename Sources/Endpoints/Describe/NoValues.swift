import Foundation

/// No headers, query items or form fields.
///
/// It is the type of a hook that a request or an environment doesn't declare, such as
/// ``RequestType/additionalHeaders``.
public struct NoValues: Sendable, HeaderFields, QueryItems {
    /// Makes the only value.
    @inlinable public init() {}
    /// No headers.
    public var headerTexts: [HeaderText] { [] }
    /// No items.
    public var queryItems: [URLQueryItem] { [] }
}
